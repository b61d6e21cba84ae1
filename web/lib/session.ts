import { effect, signal } from '@preact/signals';
import { call, returns, signedOut, type Answer } from './api.js';
import { forgetAll } from './use-api.js';

export type Session = Answer<'GET /api/auth/session'>;

/** Who is signed in; null until the server has said so. */
export const session = signal<Session | null>(null);

export async function readSession(): Promise<void> {
  const before = session.peek();
  const now = await call('GET /api/auth/session', {}).catch(() => before);
  // What a page asks for before it knows who is signed in, it asks for as who that turns out to be.
  if (before !== null && (before.agent_id !== now?.agent_id || before.email !== now.email)) forgetAll();
  session.value = now;
}

export async function signOut(): Promise<void> {
  const now = await call('POST /api/auth/logout', {});
  forgetAll();
  session.value = now;
}

effect(() => {
  if (signedOut.value + returns.value > 0) void readSession();
});
