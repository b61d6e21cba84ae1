import { mailbox } from '../../lobby/index.js';
import { utc, utcOrNull } from '../../protocol/common.js';
import { MAX_OPEN_REQUESTS, MAX_OWN_REQUESTS } from '../../protocol/rest/competition-people/index.js';
import { Detail, HttpError, joinRequestIs, notFrom } from '../../protocol/rest/errors.js';
import type { Transaction } from '../../store/database.js';
import { findCompetition, withCompetition } from '../guard.js';
import type { Dates } from '../life/due-steps.js';
import * as queries from './join-request-queries.js';
import type { JoinRequestRow } from './join-request-queries.js';
import { isReservedForUs, nameKeys } from './names.js';
import { lockPerson, selectParticipant, type Person } from './participant-queries.js';
import { closedState, isEnrolling, type Participants } from './participants.js';
import type { PeopleOptions, PeopleRequest } from './options.js';
import type { CompetitionRecord } from '../record.js';
import type { JoinRequestState } from '../states.js';
import type { PageRequest } from '../page.js';

/** A bot that withdrew may ask again so long after it asked, in ms. */
const ASK_AGAIN_AFTER = 600_000;
/** Seconds after which a full list may have room. */
const FULL_RETRY_S = 3600;

/**
 * Bots ask, organizers answer. A flood of requests must not block others, so an owner has few open ones. In a full list
 * the mail domain with the most requests gives way to a domain with fewer.
 */
export class JoinRequests {
  constructor(
    private readonly options: PeopleOptions,
    private readonly participants: Participants,
  ) {}

  /** Throws HttpError 404 for a draft, 403 and 409 as the path of an invitation, 429 where there are too many. */
  async ask(asked: PeopleRequest, displayName: string | null) {
    const { competitionId, agentId } = asked;
    const request = { ...asked, allow: 'anyone', operation: 'askToJoin', body: { displayName } } as const;
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      if (record.state === 'draft') throw new HttpError(404, Detail.competitionNotFound);
      const now = new Date(this.options.now());
      if (!isEnrolling(record, now.getTime())) throw new HttpError(409, notFrom('ask to join', closedState(record)));
      if (!record.join_requests) throw new HttpError(409, Detail.joinRequestsOff);
      await this.#requireOutside(tx, record, agentId, now);
      const person = await lockPerson(tx, agentId);
      if (!person.verified) throw new HttpError(403, Detail.emailNotVerified);
      await requireName(tx, record, person, displayName);
      const box = mailbox(person.email);
      if ((await queries.countOfOwner(tx, box, now)) >= MAX_OWN_REQUESTS) {
        throw new HttpError(409, Detail.tooManyOwnRequests);
      }
      const displaced = await makeRoom(tx, record, box, now);
      await queries.upsertJoinRequest(tx, {
        competitionId: record.competition_id,
        agentId,
        displayName,
        mailbox: box,
        now,
      });
      const body = requestBody(await requestOf(tx, competitionId, agentId), record, now);
      const detail = { display_name: displayName, ...(displaced === null ? {} : { displaced }) };
      return { answer: body, status: 201, detail };
    });
    return answer.body;
  }

  /** By the bot that asked. */
  async withdraw(asked: PeopleRequest) {
    return this.#settle(
      { ...asked, allow: 'anyone', operation: 'withdrawJoinRequest' } as const,
      asked.agentId,
      'withdrawn',
    );
  }

  /** Throws HttpError 409 once enrollment is over. */
  async decline(asked: PeopleRequest, agentId: string) {
    return this.#settle({ ...asked, operation: 'declineJoinRequest', body: { agentId } }, agentId, 'declined');
  }

  /** Enrolls the bot as an accepted invitation does. Throws HttpError as `Participants.join`. */
  async accept(asked: PeopleRequest, agentId: string) {
    const { sql } = this.options;
    const request = { ...asked, operation: 'acceptJoinRequest', body: { agentId } };
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const { display_name: displayName } = await this.#pending(tx, record, agentId);
      const person = await lockPerson(tx, agentId);
      if (person.banned) throw new HttpError(409, Detail.agentBanned);
      if (!person.verified) throw new HttpError(409, Detail.askerNotVerified);
      const joined = await this.participants.join(tx, record, agentId, displayName, Detail.askerNameTaken);
      return { answer: joined, detail: { agent_id: agentId, display_name: displayName } };
    });
    return answer.body;
  }

  async list(competitionId: string, agentId: string, status: JoinRequestState | null, page: PageRequest) {
    const { sql } = this.options;
    const record = await findCompetition(sql, { competitionId, agentId });
    const now = new Date(this.options.now());
    // Open requests lapse with enrollment: the table does not say so.
    const lapsed = !isEnrolling(record, now.getTime());
    if (lapsed && status === 'open') return { requests: [], total: 0, ...page };
    const states = status === null ? null : lapsed && status === 'lapsed' ? (['open', status] as const) : [status];
    const { rows, total } = await queries.selectJoinRequests(sql, competitionId, states, page);
    return { requests: rows.map((row) => requestBody(row, record, now)), total, ...page };
  }

  async own(agentId: string, slug: string | null, page: PageRequest) {
    const now = new Date(this.options.now());
    const { rows, total } = await queries.selectOwnJoinRequests(this.options.sql, agentId, slug, page);
    const requests = rows.map((row) => ({
      competition_id: row.competition_id,
      slug: row.competition_slug,
      competition_name: row.competition_name,
      competition_status: row.competition_state,
      display_name: row.display_name,
      status: statusOf(row, { ...row, state: row.competition_state }, now),
      asked_at: utc(row.asked_at),
      answered_at: utcOrNull(row.answered_at),
    }));
    return { requests, total, ...page };
  }

  /** A bot does not ask that takes part, was removed, or has an answer already. Throws HttpError 403, 409 or 429. */
  async #requireOutside(tx: Transaction, record: CompetitionRecord, agentId: string, now: Date): Promise<void> {
    const { competition_id: competitionId } = record;
    const part = await selectParticipant(tx, competitionId, agentId);
    if (part?.state === 'enrolled') throw new HttpError(409, Detail.alreadyParticipates);
    if (part !== undefined && part.state !== 'withdrawn') throw new HttpError(403, Detail.notWelcome);
    const before = await queries.selectJoinRequest(tx, competitionId, agentId);
    if (before === undefined) return;
    if (before.state === 'open') throw new HttpError(409, Detail.alreadyAsked);
    if (before.state === 'declined') throw new HttpError(409, Detail.joinRequestDeclined);
    const wait = before.asked_at.getTime() + ASK_AGAIN_AFTER - now.getTime();
    if (wait <= 0) return;
    throw new HttpError(429, Detail.askedJustNow, { 'retry-after': String(Math.ceil(wait / 1000)) });
  }

  async #settle(request: Parameters<typeof withCompetition>[1], agentId: string, state: 'withdrawn' | 'declined') {
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      const now = new Date(this.options.now());
      if (state === 'declined') await this.#pending(tx, record, agentId);
      const { competition_id: competitionId } = record;
      const before = await queries.selectJoinRequest(tx, competitionId, agentId);
      if (before === undefined) throw new HttpError(404, Detail.joinRequestNotFound);
      if (before.state !== 'open') throw new HttpError(409, joinRequestIs(before.state));
      await queries.settleJoinRequest(tx, competitionId, agentId, { state, now });
      const body = requestBody(await requestOf(tx, competitionId, agentId), record, now);
      return { answer: body, detail: { agent_id: agentId } };
    });
    return answer.body;
  }

  /** The request where it may still be answered. Throws HttpError 404, or 409. */
  async #pending(tx: Transaction, record: CompetitionRecord, agentId: string): Promise<JoinRequestRow> {
    const row = await queries.selectJoinRequest(tx, record.competition_id, agentId);
    if (row === undefined) throw new HttpError(404, Detail.joinRequestNotFound);
    const status = statusOf(row, record, new Date(this.options.now()));
    if (status !== 'open') throw new HttpError(409, joinRequestIs(status));
    return row;
  }
}

/** Throws HttpError 409 for a name that acceptance would refuse now. */
async function requireName(
  tx: Transaction,
  { competition_id: competitionId }: CompetitionRecord,
  { agentId, name }: Person,
  displayName: string | null,
): Promise<void> {
  if (displayName !== null && isReservedForUs(displayName)) throw new HttpError(409, Detail.displayNameReserved);
  if (!(await queries.isNameTaken(tx, competitionId, agentId, nameKeys(displayName ?? name)))) return;
  throw new HttpError(409, displayName === null ? Detail.ownNameTaken : Detail.displayNameTaken);
}

/**
 * Makes room for a request from a mailbox. In a full list the oldest request of the largest mail domain lapses where
 * the domain of the mailbox has at least two fewer. So neither one domain nor the newest requests fill the list. Returns
 * the displaced agent's id. Throws HttpError 429.
 */
async function makeRoom(
  tx: Transaction,
  { competition_id: competitionId }: CompetitionRecord,
  box: string,
  now: Date,
): Promise<string | null> {
  const domains = await queries.selectOpenByDomain(tx, competitionId);
  const all = domains.reduce((sum, { open }) => sum + open, 0);
  if (all < MAX_OPEN_REQUESTS) return null;
  const own = domains.find(({ domain }) => box.endsWith(`@${domain}`))?.open ?? 0;
  const largest = domains[0]!;
  if (own + 1 >= largest.open) {
    throw new HttpError(429, Detail.tooManyJoinRequests, { 'retry-after': String(FULL_RETRY_S) });
  }
  await queries.settleJoinRequest(tx, competitionId, largest.oldest, { state: 'lapsed', now });
  return largest.oldest;
}

async function requestOf(tx: Transaction, competitionId: string, agentId: string): Promise<JoinRequestRow> {
  const row = await queries.selectJoinRequest(tx, competitionId, agentId);
  if (row === undefined) throw new Error(`${agentId} has not asked to join ${competitionId}`);
  return row;
}

/** An open request lapses with enrollment, and is open again where enrollment opens again. */
const statusOf = ({ state }: Pick<JoinRequestRow, 'state'>, competition: Dates, now: Date): JoinRequestState =>
  state === 'open' && !isEnrolling(competition, now.getTime()) ? 'lapsed' : state;

const requestBody = (row: JoinRequestRow, competition: Dates, now: Date) => ({
  competition_id: row.competition_id,
  agent_id: row.agent_id,
  name: row.name,
  public_profile_slug: row.slug,
  display_name: row.display_name,
  status: statusOf(row, competition, now),
  asked_at: utc(row.asked_at),
  answered_at: utcOrNull(row.answered_at),
});
