import Type from 'typebox';
import { Exact, Nullable, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';
import { Email } from './accounts.js';
import { Detail } from './errors.js';

/** Sign-in for people, by a link in an e-mail. Additions of ours: the service's specification names no endpoints. */

export const LinkBody = Type.Object(
  { email: Email },
  { title: 'SignInLink', examples: [{ email: 'ada@example.com' }] },
);

export const LinkRequested = Exact(
  { message: Type.String() },
  { title: 'SignInLinkRequested', examples: [{ message: 'If this address can be reached, a link is on its way' }] },
);

export const FollowBody = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 128 }) },
  { title: 'FollowLink', examples: [{ token: 'mVn0cLkPCYw1d8yqB3zJr5T6uXhGfS2eAo7iNRjWtQ4' }] },
);

const nobody = { email: Type.Null(), agent_id: Type.Null(), expires_at: Type.Null() };

export const SignedOut = Exact(
  { signed_in: Type.Literal(false), ...nobody },
  {
    title: 'SignedOut',
    examples: [{ signed_in: false, email: null, agent_id: null, expires_at: null }],
  },
);

export const Session = Type.Union(
  [
    Exact({
      signed_in: Type.Literal(true),
      email: Type.String(),
      /** Of the agent that is registered with this address. */
      agent_id: Nullable(Uuid),
      /** When it ends, if it is not used before. */
      expires_at: Time,
    }),
    Exact({ signed_in: Type.Literal(false), ...nobody }),
  ],
  {
    title: 'Session',
    examples: [
      { signed_in: true, email: 'ada@example.com', agent_id: null, expires_at: '2025-07-01T12:00:00.000+00:00' },
    ],
  },
);

const tag = 'Sign-in';

export const requestSignInLink = route({
  id: 'requestSignInLink',
  method: 'POST',
  path: '/api/auth/request-link',
  tag,
  summary: 'Ask for a sign-in link by e-mail',
  description: 'The answer is the same for every address, known or not, and also when it has asked too often.',
  auth: 'none',
  body: LinkBody,
  answers: { 202: LinkRequested },
  errors: { 403: [Detail.otherOrigin] },
  limit: perMinute(5, 'ip'),
});

export const followSignInLink = route({
  id: 'followSignInLink',
  method: 'POST',
  path: '/api/auth/callback',
  tag,
  summary: 'Use a sign-in link up: verifies the address and sets the session cookie',
  description:
    'GET on this path is the page that the link leads to; only its button, which sends this, uses the link up.',
  auth: 'none',
  body: FollowBody,
  answers: { 200: Session },
  errors: { 400: [Detail.invalidLink], 403: [Detail.otherOrigin] },
  limit: perMinute(10, 'ip'),
});

export const getSession = route({
  id: 'getSession',
  method: 'GET',
  path: '/api/auth/session',
  tag,
  summary: 'Who is signed in, by the session cookie',
  auth: 'none',
  answers: { 200: Session },
  limit: perMinute(60, 'ip'),
});

export const logout = route({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  tag,
  summary: 'End the session',
  auth: 'none',
  answers: { 200: SignedOut },
  errors: { 403: [Detail.otherOrigin] },
  limit: perMinute(60, 'ip'),
});
