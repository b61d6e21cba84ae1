import { retryAfter } from '../email/index.js';
import { bearerKey } from '../gateway/credentials.js';
import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { followSignInLink, getSession, logout, requestSignInLink } from '../protocol/rest/sign-in.js';
import { defineRoute, type RequestAgent, type Route } from '../protocol/route.js';
import type { Accounts, KeyHolder } from './accounts.js';
import type { SignInCookie } from './cookies.js';
import type { SignedIn, SignIn } from './sign-in.js';

const REQUESTED = { message: 'If this address can be reached, a link is on its way' };

type Headers = Readonly<Record<string, string>>;

export interface SignInRoutesOptions {
  signIn: SignIn;
  cookie: SignInCookie;
  accounts: Pick<Accounts, 'authenticate'>;
  /** Whether there is a room for operators. */
  operators: boolean;
}

/** Looks a secret up for who comes from that address. */
type LookUp = (
  ip: string,
  secret: string,
  session: (secret: string) => Promise<SignedIn | null>,
) => Promise<SignedIn | null>;
type SessionReader = (headers: Headers, ip: string) => Promise<SignedIn | null>;

/**
 * Reads the signed-in user, for routes that take a session. Throws HttpError 403 for a session sent by another origin's
 * page.
 */
export function signInReader(signIn: SignIn, cookie: SignInCookie, lookUp: LookUp): SessionReader {
  return async (headers, ip) => {
    const secret = cookie.read(headers);
    if (secret === null) return null;
    cookie.requireOwnOrigin(headers);
    return lookUp(ip, secret, (shown) => signIn.session(shown));
  };
}

/** The agent of who is signed in, for routes that take a session in place of a key; null for nobody, or a banned one. */
export function ownerReader(session: SessionReader, accounts: Accounts) {
  return async (headers: Headers, ip: string): Promise<RequestAgent | null> => {
    const agentId = (await session(headers, ip))?.agentId ?? null;
    const holder = agentId === null ? null : await accounts.holder(agentId);
    return holder === null ? null : { ...holder, bySession: true };
  };
}

/** POST /auth/request-link, /auth/callback, /auth/logout, GET /auth/session. */
export function signInRoutes({ signIn, cookie, accounts, operators }: SignInRoutesOptions): Route[] {
  const signedInBody = ({ email, agentId, agentName, isPlatform, expiresAt }: SignedIn) => ({
    signed_in: true as const,
    email,
    agent_id: agentId,
    agent_name: agentName,
    is_operator: operators && isPlatform,
    expires_at: utc(expiresAt),
  });
  return [
    defineRoute(requestSignInLink)(async ({ body, ip, headers }) => {
      cookie.requireOwnOrigin(headers);
      const agent = await keyHolder(headers, accounts);
      const full = await signIn.requestLink(body.email, { ip, agent, browser: cookie.readBrowser(headers) });
      if (full === null) return { status: 202, body: REQUESTED };
      const detail = full.own ? Detail.linksFromHere : Detail.linksFromAll;
      throw new HttpError(429, detail, retryAfter(full));
    }),

    defineRoute(followSignInLink)(async ({ body, headers }) => {
      cookie.requireOwnOrigin(headers);
      const followed = await signIn.follow(body.token, cookie.readBrowser(headers));
      const session = followed === null ? null : await signIn.session(followed.secret);
      if (followed === null || session === null) throw new HttpError(400, Detail.invalidLink);
      const { secret, browser, keyEnded } = followed;
      const answer = { ...signedInBody(session), key_ended: keyEnded };
      return { status: 200, body: answer, headers: cookie.set(secret, browser) };
    }),

    defineRoute(getSession)(async ({ headers }) => {
      const secret = cookie.read(headers);
      const session = secret === null ? null : await signIn.session(secret);
      return {
        status: 200,
        body: session === null ? SIGNED_OUT : signedInBody(session),
        headers: { 'cache-control': 'no-store' },
      };
    }),

    defineRoute(logout)(async ({ headers }) => {
      cookie.requireOwnOrigin(headers);
      const secret = cookie.read(headers);
      if (secret !== null) await signIn.end(secret);
      return { status: 200, body: SIGNED_OUT, headers: cookie.clear() };
    }),
  ];
}

const SIGNED_OUT = {
  signed_in: false as const,
  email: null,
  agent_id: null,
  agent_name: null,
  is_operator: false as const,
  expires_at: null,
};

/** The agent of the sent key, null without one. Throws HttpError 401 for a bad one. */
async function keyHolder(headers: Headers, accounts: Pick<Accounts, 'authenticate'>): Promise<KeyHolder | null> {
  const { authorization } = headers;
  if (authorization === undefined) return null;
  const key = bearerKey(authorization);
  const holder = key === null ? null : await accounts.authenticate(key);
  if (holder === null) throw new HttpError(401, Detail.unauthorized);
  return holder;
}
