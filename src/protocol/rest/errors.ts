import Type, { type Static } from 'typebox';
import { Exact } from '../common.js';

/** The two error bodies of the REST API (docs/reference/rest.md, "What holds for all endpoints"), and the exception that becomes one. */

export const ErrorBody = Exact({ detail: Type.String({ minLength: 1 }) }, { title: 'Error' });

export const ValidationItem = Exact({
  /** Where: "body", "query" or "path", then the field, then deeper keys or indexes. */
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 1 }),
  msg: Type.String({ minLength: 1 }),
  /** For programs, such as `missing` or `string_too_short`. */
  type: Type.String({ minLength: 1 }),
});
export type ValidationItem = Static<typeof ValidationItem>;

export const ValidationErrorBody = Exact(
  { detail: Type.Array(ValidationItem, { minItems: 1 }) },
  {
    title: 'ValidationError',
    examples: [{ detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] }],
  },
);

/** `detail` texts that the spec fixes to the letter, beside the status they go with. */
export const Detail = {
  unauthorized: 'Invalid or missing API key', // 401
  adminOnly: 'Platform admin only', // 403
  notFound: 'Not Found', // 404
  methodNotAllowed: 'Method Not Allowed', // 405
  bodyTooLarge: 'Request body too large', // 413
  tooManyRequests: 'Too many requests', // 429
  internal: 'Internal Server Error', // 500
  draining: 'Server is draining', // 404 of /health/ready: a balancer sends nobody new, and keeps what it has
  notReady: 'Server is not ready', // 503
  termsNotAccepted: 'You must accept the Terms of Service', // 400
  signInRequired: 'Registration requires a signed-in session', // 403
  otherOrigin: 'Requests from pages of another origin are not allowed', // 403
  invalidLink: 'Invalid or expired sign-in link', // 400
  invalidCancelLink: 'Invalid link: it was used, or the time to take the change back is over', // 400
  invalidInviteCode: 'Invalid invite code', // 403
  emailTaken: 'Email already registered', // 409
  nameReserved: 'Agent name is reserved', // 409
  nameTaken: 'Agent name already taken', // 409
  staleRuntime: 'Runtime generation does not match', // 409
  walletProven: 'Another agent has proven this wallet', // 409
  proofInvalid: 'The signature is not that of the wallet, or the message was used, has expired or is none of ours', // 400
  proveFirst: 'Prove that the wallet is yours first', // 403
  noActiveSeason: 'No active season', // 404
  seasonNotFound: 'Season not found', // 404
  notRegistered: 'Not registered for this season', // 404
  alreadyRegistered: 'Already registered for this season', // 409
  stillHaveChips: 'Cannot rebuy - still have chips', // 400
  noRebuysLeft: 'No rebuys are left', // 400
  emailNotVerified: 'email_not_verified: verify your email address first', // 403
  insufficientForPass: 'Insufficient balance for season pass', // 402
  premiumRequired: 'Premium season pass required', // 403
  developmentOnly: 'Deposits without funds are possible in development mode only', // 403
  tableNotFound: 'Table not found', // 404
  nodeNotFound: 'Node not found', // 404
  handNotFound: 'Hand not found', // 404
  deckNotFound: 'No table has played this deck', // 404
  handNotProvable: 'The deck of this hand was not committed to', // 404
  invalidWallet: 'Invalid wallet address: its EIP-55 checksum does not match', // 400
  ownAddress: "Withdrawals cannot go to this address: it is the platform's, the token's or nobody's", // 400
  walletNotSet: 'Set a wallet address in settings first', // 400
  transactionUnknown: 'Transaction not found: it is not mined yet, or of another chain', // 400
  transactionFailed: 'Transaction failed on the chain', // 400
  noTransfer: 'No transfer of the token from a wallet of yours to the treasury in this transaction', // 400
  notAnAmount: 'Invalid amount: a positive number of dollars, at most 4 decimals', // 400
  notADeposit: 'Invalid amount: dollars above 0, at most 1000000, at most 4 decimals', // 400
  notATxHash: 'Invalid tx_hash: 0x and 64 hexadecimal digits', // 400
  invalidWithdrawal: 'Invalid withdrawal_id format', // 400
  withdrawalNotFound: 'Withdrawal not found', // 404
  withdrawalInFlight: 'Wallet address cannot change while a withdrawal is in flight', // 409
  keyReused: 'Idempotency-Key was used with another request', // 409
  tooLarge: 'Amount too large', // 400
  alreadyCredited: 'Transaction already credited', // 400
  chainAway: 'The chain cannot be reached; try again', // 503
  chainNotConfigured: 'On-chain deposits and withdrawals are not configured', // 503
  databaseAway: 'The database is away; try again', // 503
  noAnswer: 'The table does not answer; try again', // 503
  notInBrowser: 'The bot is not deployed in browser mode', // 409
  historyNeedsPass: 'Season pass required', // 403
  exportNeedsPass: 'Without a season pass only the current season can be exported', // 403
  competitionNotFound: 'Competition not found', // 404
  noRebuysHere: 'This competition has no rebuys', // 400
  invitationNotFound: 'Invitation not found', // 404
  linkNotFound: 'Invite link not found', // 404
  participantNotFound: 'Participant not found', // 404
  inviteNotFound: 'This invitation does not exist, or a later mail has replaced it', // 404
  inviteTokenMissing: 'Header X-Competition-Invite-Token missing', // 400
  inviteOfAnother: 'This invitation is for another email address', // 403
  notWelcome: 'The organizer has removed you from this competition', // 403
  nobodyToInvite: 'Every one of these addresses is invited already, takes part, or was removed', // 409
  alreadyParticipates: 'Already taking part in this competition', // 409
  competitionFull: 'The competition is full', // 409
  displayNameTaken: 'Display name already taken in this competition', // 409
  displayNameReserved: 'Display name is reserved', // 409
  ownNameTaken: 'Your name is taken in this competition, or looks like one that is: take another display_name', // 409
  nameTakenThere: 'Agent name already taken in a competition that you take part in', // 409
  tooManyLinks: 'Too many invite links are open; revoke one first', // 409
  joinRequestsOff: 'This competition takes no requests to join', // 409
  joinRequestNotFound: 'Join request not found', // 404
  alreadyAsked: 'You have asked to join this competition already', // 409
  joinRequestDeclined: 'The organizer has declined your request', // 409
  tooManyOwnRequests: 'Too many requests to join are open; withdraw one first', // 409
  tooManyJoinRequests: 'Too many requests to join this competition are open; try again later', // 429
  askedJustNow: 'You have asked to join this competition a moment ago', // 429
  askerNameTaken: 'The name of this agent is taken in this competition by now; decline the request', // 409
  askerNotVerified: 'This agent has not verified its email address', // 409
  staleInvitation: 'The invitation has changed since: If-Match does not fit its ETag', // 412
  invitationsToday: 'Too many invitations in 24 hours', // 429
  walletChanges: 'Too many changes of wallets in 24 hours', // 429
  linksFromHere: 'You have asked for too many sign-in links; try again later', // 429
  linksFromAll: 'Too many sign-in links are being asked for; try again later', // 429
  invitationJustSent: 'This invitation was sent a moment ago', // 429
  organizerOnly: 'Organizer only', // 403
  notCoOrganizers: 'For the organizer alone, not for co-organizers', // 403
  agentNotFound: 'Agent not found', // 404
  sameAgent: 'Name two different agents', // 400
  coOrganizerNotFound: 'Co-organizer not found', // 404
  agentBanned: 'This agent is banned', // 409
  alreadyOrganizes: 'Already an organizer of this competition', // 409
  tooManyCoOrganizers: 'Too many co-organizers; remove one first', // 409
  rulesAccepted: 'The rules of play cannot change any more: somebody has accepted them', // 409
  deadlinePassed: 'Cannot open enrollment: enrollment_deadline or starts_at has passed; move it first', // 409
  tooManyCompetitions: 'Too many competitions at once; finalize or cancel one first', // 409
  competitionsToday: 'Too many competitions created in 24 hours', // 429
  hostedOfOwner: 'You have as many hosted bots as one owner may have; stop one first', // 429
  hostedInAll: 'As many hosted bots play as this server has room for; try again later', // 503
  staleVersion: 'The competition has changed since: If-Match does not fit its ETag', // 412
  auditRuns: 'An audit is running already', // 409
  exportsUnderWay: 'Two exports are under way already; wait for one to end', // 429
} as const;

/** No room for one more hosted bot. */
export const NO_ROOM = { 429: [Detail.hostedOfOwner], 503: [Detail.hostedInAll] } as const;

/** The detail of a rebuy that came too early (429, beside Retry-After: seconds). */
export const rebuyOnCooldown = (seconds: number) => `Rebuy on cooldown. Retry after ${seconds}s.`;

/** The detail of a step, such as `start`, that a competition cannot take in its present state (409). */
export const notFrom = (step: string, state: string) =>
  `Cannot ${step.replaceAll('_', ' ')}: the competition is ${state}`;

/** The details of an invitation, a link, a participant or a join request that is in the wrong state for what was asked (409). */
export const invitationIs = (status: string) => `The invitation is ${status}`;
export const linkIs = (status: string) => `The invite link is ${status}`;
export const participantIs = (step: string, status: string) => `Cannot ${step}: the participant is ${status}`;
export const joinRequestIs = (status: string) => `The join request is ${status}`;
export const invitationSentOften = (times: number) => `The invitation was sent ${times} times; invite anew`;

/** The detail of a withdrawal above the balance (402); dollars. */
export const insufficientCredits = (current: number, requested: number) =>
  `Insufficient balance. Current: $${current.toFixed(2)}, requested: $${requested.toFixed(2)}`;

/** Thrown by a handler (or the router) to answer with an error body; headers such as Retry-After go with it. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | ValidationItem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === 'string' ? detail : detail.map((item) => `${item.loc.join('.')}: ${item.msg}`).join('; '));
    this.name = 'HttpError';
  }

  get body(): { detail: string | ValidationItem[] } {
    return { detail: this.detail };
  }
}

/** 422 for a single field of the body that only the handler can judge; by default it is said to be missing. */
export function invalidField(field: string, msg = 'Field required', type = 'missing'): HttpError {
  return new HttpError(422, [{ loc: ['body', field], msg, type }]);
}

/** The schema of an error answer by its status. */
export function errorSchema(status: number): typeof ErrorBody | typeof ValidationErrorBody {
  return status === 422 ? ValidationErrorBody : ErrorBody;
}
