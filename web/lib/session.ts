import { effect, signal } from '@preact/signals';
import { call, returns, signedOut, type Answer } from './api.js';
import { forgetAll } from './use-api.js';

export type Session = Answer<'GET /api/auth/session'>;

/** The signed-in user; null until the server has answered. */
export const session = signal<Session | null>(null);

export async function readSession(): Promise<void> {
  const before = session.peek();
  const now = await call('GET /api/auth/session', {}).catch(() => before);
  // A page's questions from before the sign-in is known are asked as the user that turns out.
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
