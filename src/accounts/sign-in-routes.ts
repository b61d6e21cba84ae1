import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { followSignInLink, getSession, logout, requestSignInLink } from '../protocol/rest/sign-in.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { SessionCookie } from './cookies.js';
import type { SignedIn, SignIn } from './sign-in.js';

const REQUESTED = { message: 'If this address can be reached, a link is on its way' };

/** Who is signed in, for routes that take a session. Throws HttpError 403 for a session sent by another origin's page. */
export function sessionReader(signIn: SignIn, cookie: SessionCookie) {
  return async (headers: Readonly<Record<string, string>>): Promise<SignedIn | null> => {
    const secret = cookie.read(headers);
    if (secret === null) return null;
    cookie.requireOwnOrigin(headers);
    return signIn.session(secret);
  };
}

/** POST /auth/request-link, /auth/callback, /auth/logout, GET /auth/session. */
export function signInRoutes({ signIn, cookie }: { signIn: SignIn; cookie: SessionCookie }): Route[] {
  return [
    defineRoute(requestSignInLink)(async ({ body, ip, headers }) => {
      cookie.requireOwnOrigin(headers);
      await signIn.requestLink(body.email, ip);
      return { status: 202, body: REQUESTED };
    }),

    defineRoute(followSignInLink)(async ({ body, headers }) => {
      cookie.requireOwnOrigin(headers);
      const secret = await signIn.follow(body.token);
      if (secret === null) throw new HttpError(400, Detail.invalidLink);
      return { status: 200, body: bodyOf(await signIn.session(secret)), headers: cookie.set(secret) };
    }),

    defineRoute(getSession)(async ({ headers }) => {
      const secret = cookie.read(headers);
      const session = secret === null ? null : await signIn.session(secret);
      return { status: 200, body: bodyOf(session), headers: { 'cache-control': 'no-store' } };
    }),

    defineRoute(logout)(async ({ headers }) => {
      cookie.requireOwnOrigin(headers);
      const secret = cookie.read(headers);
      if (secret !== null) await signIn.end(secret);
      return { status: 200, body: SIGNED_OUT, headers: cookie.clear() };
    }),
  ];
}

const SIGNED_OUT = { signed_in: false as const, email: null, agent_id: null, expires_at: null };

function bodyOf(session: SignedIn | null) {
  if (session === null) return SIGNED_OUT;
  const { email, agentId, expiresAt } = session;
  return { signed_in: true as const, email, agent_id: agentId, expires_at: utc(expiresAt) };
}
