import { randomUUID } from 'node:crypto';
import { newSecret, secretHash } from '../../accounts/index.js';
import { EmailQuota, enqueueEmail, retryAfter, type EmailRequest } from '../../email/index.js';
import { Detail, HttpError, invitationIs, invitationSentOften, notFrom } from '../../protocol/rest/errors.js';
import type { Transaction } from '../../store/database.js';
import { findCompetition, matches, withCompetition } from '../guard.js';
import * as queries from './invitation-queries.js';
import type { InvitationRow } from './invitation-queries.js';
import { inviteEmail } from './invite-email.js';
import { invitationBody, listedInvitationBody } from './bodies.js';
import { selectPerson, type Person } from './participant-queries.js';
import type { PeopleRequest, PeopleOptions } from './options.js';
import type { CompetitionRecord } from '../record.js';
import type { PageRequest } from '../page.js';
import type { Dates } from '../life/due-steps.js';

const DAY = 86_400_000;
/** An invitation is good for so long, or until enrollment ends. */
const GOOD_FOR = 14 * DAY;
/** The most mails of one invitation. The time between two of them, in ms. */
const SENDS = 5;
const SEND_AGAIN_AFTER = 60_000;

export interface RefusedAddress {
  email: string;
  reason: 'already_invited' | 'already_participates' | 'removed' | 'mailbox_full';
}

/** Invitations by e-mail: each for one person, who is whoever reads that mailbox. */
export class Invitations {
  readonly #quota: EmailQuota;

  constructor(private readonly options: PeopleOptions) {
    this.#quota = options.quota ?? new EmailQuota();
  }

  /** Invites those of the addresses who are not in already; 409 where that is nobody. */
  async invite(asked: PeopleRequest, emails: readonly string[]) {
    const { sql } = this.options;
    const request = { ...asked, operation: 'invitePeople', body: { emails } };
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const organizer = await this.#organizer(tx, record, asked.agentId);
      const { once, again } = byMailbox(emails);
      const refused = await this.#refused(tx, record.competition_id, once);
      for (const { email } of refused) once.delete(email.toLowerCase());
      refused.push(...again.map((email): RefusedAddress => ({ email, reason: 'already_invited' })));
      if (once.size === 0) throw new HttpError(409, Detail.nobodyToInvite);
      const now = new Date(this.options.now());
      const counted = countedFor(record, asked);
      refused.push(...(await this.#full(tx, counted, once)));
      await queries.revokeExpired(tx, record.competition_id, [...once.keys()], now);
      const rows = await this.#insert(tx, record, organizer, counted, [...once.values()]);
      const invitations = rows.map((row) => invitationBody(row, now));
      const invited = rows.map(({ email }) => email);
      return { answer: { invitations, refused }, status: 201, detail: { invited, refused: refused.length } };
    });
    this.options.emailQueued();
    return answer.body;
  }

  async list(competitionId: string, agentId: string, page: PageRequest) {
    const { sql } = this.options;
    await findCompetition(sql, { competitionId, agentId });
    const now = new Date(this.options.now());
    const [rows, total] = await Promise.all([
      queries.selectInvitations(sql, competitionId, page),
      queries.countInvitations(sql, competitionId),
    ]);
    return { invitations: rows.map((row) => listedInvitationBody(row, now)), total, ...page };
  }

  /** Sends a pending invitation again, also one that has run out; the token of the mail before is void. */
  async resend(asked: PeopleRequest, inviteId: string, ifMatch: string | undefined) {
    const { sql, publicUrl } = this.options;
    const { agentId } = asked;
    const request = { ...asked, operation: 'resendInvitation', body: { inviteId } };
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const organizer = await this.#organizer(tx, record, agentId);
      const before = await pending(tx, record, inviteId, ifMatch);
      const now = new Date(this.options.now());
      if (before.sends >= SENDS) throw new HttpError(409, invitationSentOften(SENDS));
      const wait = before.sent_at.getTime() + SEND_AGAIN_AFTER - now.getTime();
      if (wait > 0) {
        throw new HttpError(429, Detail.invitationJustSent, { 'retry-after': String(Math.ceil(wait / 1000)) });
      }
      const counted = countedFor(record, asked);
      const [full = null] = await this.#quota.admit(tx, counted, [before.email]);
      if (full !== null) throw new HttpError(429, Detail.invitationsToday, retryAfter(full));
      const token = newSecret();
      const expiresAt = expiryOf(record, now);
      const row = await queries.updateSent(tx, inviteId, { tokenHash: hashOf(token), now, expiresAt });
      const invite = { inviteId, send: row.sends, to: row.email, token, expiresAt, organizer: organizer.name };
      await enqueueEmail(tx, [inviteEmail(record, invite, publicUrl())], counted);
      return { answer: invitationBody(row, now), detail: { invite_id: inviteId, email: row.email } };
    });
    this.options.emailQueued();
    return answer.body;
  }

  async revoke(asked: PeopleRequest, inviteId: string, ifMatch: string | undefined) {
    const request = { ...asked, operation: 'revokeInvitation', body: { inviteId } };
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      await pending(tx, record, inviteId, ifMatch);
      const now = new Date(this.options.now());
      const row = await queries.updateAnswered(tx, inviteId, { state: 'revoked', agentId: null, now });
      return { answer: invitationBody(row!, now), detail: { invite_id: inviteId, email: row!.email } };
    });
    return answer.body;
  }

  /**
   * The organizer: mails go in its name, even if a co-organizer asks. Throws 409 once enrollment is over, and 403
   * before both addresses are verified.
   */
  async #organizer(tx: Transaction, record: CompetitionRecord, agentId: string): Promise<Person> {
    if (!mayInvite(record, this.options.now())) throw new HttpError(409, notFrom('invite', record.state));
    const organizer = await selectPerson(tx, record.organizer_id);
    const asking = agentId === record.organizer_id ? organizer : await selectPerson(tx, agentId);
    if (!organizer.verified || !asking.verified) throw new HttpError(403, Detail.emailNotVerified);
    return organizer;
  }

  async #refused(tx: Transaction, competitionId: string, once: ReadonlyMap<string, string>): Promise<RefusedAddress[]> {
    const addresses = [...once.keys()];
    const inside = await queries.selectAddressesInside(tx, competitionId, addresses);
    const invited = await queries.selectAddressesInvited(tx, competitionId, addresses, new Date(this.options.now()));
    return [...once].flatMap(([address, email]): RefusedAddress[] => {
      const state = inside.get(address);
      if (state === 'enrolled') return [{ email, reason: 'already_participates' }];
      if (state === 'removed' || state === 'disqualified') return [{ email, reason: 'removed' }];
      return invited.has(address) ? [{ email, reason: 'already_invited' }] : [];
    });
  }

  /**
   * Takes out the addresses of mailboxes that were invited often enough today. Throws HttpError 429 if none is left, or
   * if another quota is full: the organizer's, the network's, a mail domain's, or the total.
   */
  async #full(tx: Transaction, counted: EmailRequest, once: Map<string, string>): Promise<RefusedAddress[]> {
    const entries = [...once];
    const addresses = entries.map(([, email]) => email);
    const full = await this.#quota.admit(tx, counted, addresses);
    const beyond =
      full.find((each) => each !== null && each.of !== 'mailbox') ?? (full.includes(null) ? null : full[0]);
    if (beyond) throw new HttpError(429, Detail.invitationsToday, retryAfter(beyond));
    return entries.flatMap(([address, email], i): RefusedAddress[] => {
      if (full[i] === null) return [];
      once.delete(address);
      return [{ email, reason: 'mailbox_full' }];
    });
  }

  async #insert(
    tx: Transaction,
    record: CompetitionRecord,
    organizer: Person,
    counted: EmailRequest,
    emails: readonly string[],
  ) {
    const { now: clock, publicUrl } = this.options;
    const now = new Date(clock());
    const expiresAt = expiryOf(record, now);
    const fresh = emails.map((email) => ({ inviteId: randomUUID(), email, token: newSecret() }));
    const rows = await queries.insertInvitations(
      tx,
      { competitionId: record.competition_id, now, expiresAt },
      fresh.map(({ token, ...each }) => ({ ...each, tokenHash: hashOf(token) })),
    );
    const invites = fresh.map(({ inviteId, email: to, token }) =>
      inviteEmail(record, { inviteId, send: 1, to, token, expiresAt, organizer: organizer.name }, publicUrl()),
    );
    await enqueueEmail(tx, invites, counted);
    return rows;
  }
}

/** The first spelling of each address, by its lower case; and the other spellings. */
function byMailbox(emails: readonly string[]): { once: Map<string, string>; again: string[] } {
  const once = new Map<string, string>();
  for (const email of emails) if (!once.has(email.toLowerCase())) once.set(email.toLowerCase(), email);
  return { once, again: [...new Set(emails)].filter((email) => once.get(email.toLowerCase()) !== email) };
}

/** The quotas that its mails count for: the organizer's, and the network's of the person who asks. */
const countedFor = (record: CompetitionRecord, { ip = null }: PeopleRequest): EmailRequest => ({
  kind: 'invitation',
  ip,
  sender: record.organizer_id,
});

/** The invitation where it may still be answered: 404, 412 for a stale If-Match, 409 once it was. */
async function pending(
  tx: Transaction,
  { competition_id: competitionId }: CompetitionRecord,
  inviteId: string,
  ifMatch: string | undefined,
): Promise<InvitationRow> {
  const row = await queries.selectInvitation(tx, competitionId, inviteId);
  if (row === undefined) throw new HttpError(404, Detail.invitationNotFound);
  if (!matches(ifMatch, row.version)) throw new HttpError(412, Detail.staleInvitation);
  if (row.state !== 'pending') throw new HttpError(409, invitationIs(row.state));
  return row;
}

/** Whether people may be invited: before enrollment, and while it lasts. */
export const mayInvite = (record: CompetitionRecord, now: number): boolean =>
  (record.state === 'draft' || record.state === 'enrolling') && now < enrollmentEnds(record);

/** The latest moment at which somebody may still enroll, epoch ms. */
export const enrollmentEnds = ({ enrollment_deadline, starts_at, ends_at }: Dates): number =>
  Math.min(...[enrollment_deadline, starts_at, ends_at].flatMap((time) => time?.getTime() ?? []));

export const expiryOf = (record: CompetitionRecord, now: Date) =>
  new Date(Math.min(now.getTime() + GOOD_FOR, enrollmentEnds(record)));

export function hashOf(token: string): Buffer {
  const hash = secretHash(token);
  if (hash === null) throw new Error('a token of our own making has the wrong form');
  return hash;
}
