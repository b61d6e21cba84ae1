import Type from 'typebox';
import { Exact, Name, Nullable, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';
import { EmailAddress } from './accounts.js';
import { Detail } from './errors.js';

/** Sign-in for people, by a link in an e-mail. Additions of ours: the service's specification names no endpoints. */

export const LinkBody = Type.Object(
  { email: EmailAddress },
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

const nobody = {
  email: Type.Null(),
  agent_id: Type.Null(),
  agent_name: Type.Null(),
  is_operator: Type.Literal(false),
  expires_at: Type.Null(),
};
const nobodyExample = {
  signed_in: false,
  email: null,
  agent_id: null,
  agent_name: null,
  is_operator: false,
  expires_at: null,
};

export const SignedOut = Exact(
  { signed_in: Type.Literal(false), ...nobody },
  {
    title: 'SignedOut',
    examples: [nobodyExample],
  },
);

const somebody = {
  signed_in: Type.Literal(true),
  email: Type.String(),
  /** The agent that is registered with this address. */
  agent_id: Nullable(Uuid),
  agent_name: Nullable(Name),
  /** The session opens the operator's room: the agent is the platform's own, and ADMIN_KEY is set. */
  is_operator: Type.Boolean(),
  /** When it ends, if it is not used before. */
  expires_at: Time,
};
const somebodyExample = {
  signed_in: true,
  email: 'ada@example.com',
  agent_id: null,
  agent_name: null,
  is_operator: false,
  expires_at: '2025-07-01T12:00:00.000+00:00',
};

export const SignInSession = Type.Union([Exact(somebody), Exact({ signed_in: Type.Literal(false), ...nobody })], {
  title: 'Session',
  examples: [somebodyExample],
});

export const FollowedBody = Exact(
  {
    ...somebody,
    /** The API key that the agent of this address had is dead. */
    key_ended: Type.Boolean(),
  },
  { title: 'FollowedLink', examples: [{ ...somebodyExample, key_ended: false }] },
);

const tag = 'Sign-in';

export const requestSignInLink = route({
  id: 'requestSignInLink',
  method: 'POST',
  path: '/api/auth/request-link',
  tag,
  summary: 'Ask for a sign-in link by e-mail',
  description:
    'The answer is the same for known and unknown addresses. Links count by asker, by mailbox, by mail domain and in all. Beyond a limit it is 429 with Retry-After. A known browser, and an agent that sends its API key, have limits of their own. The mail then names that agent.',
  auth: 'none',
  body: LinkBody,
  answers: { 202: LinkRequested },
  errors: {
    401: [Detail.unauthorized],
    403: [Detail.otherOrigin],
    429: [Detail.linksFromHere, Detail.linksFromAll],
  },
  limit: perMinute(5, 'ip'),
});

export const followSignInLink = route({
  id: 'followSignInLink',
  method: 'POST',
  path: '/api/auth/callback',
  tag,
  summary: 'Use a sign-in link up. It verifies the address and sets the session cookie',
  description:
    "The first link that verifies an agent's address ends its API key (4001) and removes its wallet. A second cookie marks the browser as known.",
  auth: 'none',
  body: FollowBody,
  answers: { 200: FollowedBody },
  errors: { 400: [Detail.invalidLink], 403: [Detail.otherOrigin] },
  limit: perMinute(10, 'ip'),
});

export const getSession = route({
  id: 'getSession',
  method: 'GET',
  path: '/api/auth/session',
  tag,
  summary: 'The person that is signed in, by the session cookie',
  auth: 'none',
  answers: { 200: SignInSession },
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
