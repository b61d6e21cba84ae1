import { Detail, HttpError, notFrom, participantIs } from '../../protocol/rest/errors.js';
import type { Transaction } from '../../store/database.js';
import { findCompetition, organizes, withCompetition } from '../guard.js';
import { enrollmentEnds } from './invitations.js';
import { claimNames, isReservedForUs } from './names.js';
import * as queries from './participant-queries.js';
import type { ParticipantRow } from './participant-queries.js';
import { participantBody, participationBody } from './bodies.js';
import type { PeopleRequest, PeopleOptions } from './options.js';
import type { CompetitionRecord } from '../record.js';
import { freezeStandings } from '../results/standings.js';
import { isClosed, type CompetitionState, type ParticipantState } from '../states.js';
import type { PageRequest } from '../page.js';
import type { Dates } from '../life/due-steps.js';
import { settleJoinRequest } from './join-request-queries.js';

/**
 * A change of a participant's state: the new state, the agents with the right, and the competition's states that allow
 * it.
 */
interface Change {
  operation: string;
  from: readonly ParticipantState[];
  to: ParticipantState;
  during: readonly CompetitionState[];
}

/** So long a node may be without news of the others. */
const OVERLAP_SECONDS = 60;

const BEFORE_THE_END: readonly CompetitionState[] = ['enrolling', 'enrollment_closed', 'active', 'paused'];

const CHANGES = {
  withdraw: { operation: 'withdrawFromCompetition', from: ['enrolled'], to: 'withdrawn', during: BEFORE_THE_END },
  remove: { operation: 'removeParticipant', from: ['enrolled'], to: 'removed', during: BEFORE_THE_END },
  disqualify: {
    operation: 'disqualifyParticipant',
    from: ['enrolled'],
    to: 'disqualified',
    during: ['active', 'paused', 'ending', 'results_pending'],
  },
  restore: {
    operation: 'restoreParticipant',
    from: ['removed', 'disqualified'],
    to: 'enrolled',
    during: [...BEFORE_THE_END, 'ending', 'results_pending'],
  },
} as const satisfies Record<string, Change>;

/** The participants and their states. */
export class Participants {
  constructor(private readonly options: PeopleOptions) {}

  /**
   * Dismisses agents that lost their part while this node was not told. They have a seat here, or lost it a moment ago
   * at another node.
   */
  async dismissOutsiders(): Promise<void> {
    for (const { agent_id, competition_id } of await queries.selectOutsiders(this.options.sql, OVERLAP_SECONDS)) {
      this.options.lobby.dismiss(agent_id, competition_id);
    }
  }

  async list(competitionId: string, agentId: string, status: ParticipantState | null, page: PageRequest) {
    const { sql } = this.options;
    const record = await findCompetition(sql, { competitionId, agentId, allow: 'participant' });
    const reader = { agentId, isOrganizer: organizes(record, agentId) };
    const [rows, total] = await Promise.all([
      queries.selectParticipants(sql, competitionId, status, page),
      queries.countParticipantsListed(sql, competitionId, status),
    ]);
    return { participants: rows.map((row) => participantBody(row, reader)), total, ...page };
  }

  /** An organizer joins its own competition as any agent does. */
  async enrollOrganizer(asked: PeopleRequest, displayName: string | null) {
    const { sql } = this.options;
    const request = { ...asked, operation: 'enrollInCompetition', body: { displayName } };
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const body = await this.join(tx, record, asked.agentId, displayName);
      return { answer: body, detail: { display_name: displayName } };
    });
    return answer.body;
  }

  /**
   * Makes the agent a participant with its chips: within a transaction that holds the competition's row. Throws 409 if
   * enrollment is closed, the agent is in, no place is left, or the name is taken or reserved. Throws 403 for a removed
   * agent. Its open request to join is settled, whatever way it came. `nameTaken` replaces the text for a taken name.
   */
  async join(
    tx: Transaction,
    record: CompetitionRecord,
    agentId: string,
    displayName: string | null,
    nameTaken?: string,
  ) {
    const { competition_id: competitionId } = record;
    const now = new Date(this.options.now());
    if (!isEnrolling(record, now.getTime())) throw new HttpError(409, notFrom('enroll', closedState(record)));
    const before = await queries.selectParticipant(tx, competitionId, agentId);
    if (before?.state === 'enrolled') throw new HttpError(409, Detail.alreadyParticipates);
    if (before !== undefined && before.state !== 'withdrawn') throw new HttpError(403, Detail.notWelcome);
    if (displayName !== null && isReservedForUs(displayName)) throw new HttpError(409, Detail.displayNameReserved);
    await this.#requirePlace(tx, record);
    const { name } = await queries.lockPerson(tx, agentId);
    await queries.upsertParticipant(tx, { competitionId, agentId, displayName, now });
    await claimNames(tx, { competitionId, agentId, name, displayName }, nameTaken);
    await queries.insertParticipantEntry(tx, competitionId, agentId, record.starting_chips);
    await settleJoinRequest(tx, competitionId, agentId, { state: 'accepted', now });
    return participationBody(await part(tx, record, agentId));
  }

  /** Ends the own part. */
  withdraw(asked: PeopleRequest) {
    return this.#change(CHANGES.withdraw, asked, { agentId: asked.agentId, reason: null }, participationBody);
  }

  /** Changes another's part, as who organizes. */
  change(kind: 'remove' | 'disqualify' | 'restore', asked: PeopleRequest, agentId: string, reason: string | null) {
    const reader = { agentId: asked.agentId, isOrganizer: true };
    return this.#change(CHANGES[kind], asked, { agentId, reason }, (row) => participantBody(row, reader));
  }

  async #change<B>(
    { operation, from, to, during }: Change,
    asked: PeopleRequest,
    { agentId, reason }: { agentId: string; reason: string | null },
    bodyOf: (row: ParticipantRow) => B,
  ): Promise<B> {
    const { sql, lobby, announce } = this.options;
    const verb = VERBS[to];
    const allow = to === 'withdrawn' ? 'participant' : 'organizer';
    const request = { ...asked, operation, allow, body: { agentId, reason } } as const;
    // A repeated request changes nothing, whatever has become of the part since.
    let changed = false;
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const { competition_id: competitionId, state } = record;
      const before = await queries.selectParticipant(tx, competitionId, agentId);
      if (before === undefined) throw new HttpError(404, Detail.participantNotFound);
      if (!from.includes(before.state)) throw new HttpError(409, participantIs(verb, before.state));
      if (!during.includes(state)) throw new HttpError(409, notFrom(verb, state));
      if (to === 'enrolled') await this.#requirePlace(tx, record);
      const now = new Date(this.options.now());
      await queries.updateParticipant(tx, competitionId, agentId, { state: to, reason, now });
      if (isClosed(state)) await freezeStandings(tx, competitionId);
      changed = true;
      return { answer: bodyOf(await part(tx, record, agentId)), detail: { agent_id: agentId, reason } };
    });
    if (!changed || to === 'enrolled') return answer.body;
    const { competitionId } = asked;
    lobby.dismiss(agentId, competitionId);
    await announce({ kind: 'competition_changed', competitionId, dismissed: agentId });
    return answer.body;
  }

  async #requirePlace(tx: Transaction, record: CompetitionRecord): Promise<void> {
    const enrolled = await queries.countParticipantsListed(tx, record.competition_id, 'enrolled');
    if (enrolled >= record.participant_cap) throw new HttpError(409, Detail.competitionFull);
  }
}

async function part(tx: Transaction, record: CompetitionRecord, agentId: string): Promise<ParticipantRow> {
  const row = await queries.selectParticipant(tx, record.competition_id, agentId);
  if (row === undefined) throw new Error(`${agentId} has no part in ${record.competition_id}`);
  return row;
}

/** The verb of the change to each state. */
const VERBS: Readonly<Record<ParticipantState, string>> = {
  withdrawn: 'withdraw',
  removed: 'remove',
  disqualified: 'disqualify',
  enrolled: 'restore',
};

/** The clock closes enrollment in time, but a request may come before it. */
export const isEnrolling = (record: Dates, now: number): boolean =>
  record.state === 'enrolling' && now < enrollmentEnds(record);

/** The state for a request that comes before the clock closes enrollment. */
export const closedState = ({ state }: CompetitionRecord): CompetitionState =>
  state === 'enrolling' ? 'enrollment_closed' : state;
