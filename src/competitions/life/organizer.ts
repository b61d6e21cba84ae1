import { randomBytes, randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import type { Clock } from '../../lobby/index.js';
import type { CreateCompetition, UpdateCompetition } from '../../protocol/rest/competition-fields.js';
import type { Competition } from '../../protocol/rest/competition-record.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { recordAudit } from '../../store/audit-log.js';
import { isConnectionError, type Database, type Transaction } from '../../store/database.js';
import { idempotent, type StoredAnswer } from '../../store/idempotency.js';
import { competitionBody } from '../body.js';
import { withCompetition, type CompetitionRequest } from '../guard.js';
import { enrollmentIsOver } from './due-steps.js';
import { changeRecord, countOfOrganizer, insertRecord, selectSeen, type SeenRecord } from '../queries.js';
import { misfits, pastDates, refuse, type Settings } from './rules.js';
import { changedSettings, changesOf, requireChangeable, settingsOf, competitionSlugOf } from './settings.js';
import { STEP_OPERATIONS, takeStep } from './steps.js';
import type { Step } from '../states.js';

export type CompetitionBody = Static<typeof Competition>;

export interface OrganizerOptions {
  sql: Database;
  clock: Pick<Clock, 'now'>;
  /** Alive, and created in 24 hours, by one organizer. */
  limits: { atOnce: number; aDay: number };
  /** The least pause between two hands of a table, in ms. */
  leastPauseMs: number;
  /** A competition was changed; `surely`: that is committed, else the database went away at the wrong moment. */
  changed: (competitionId: string, surely: boolean) => Promise<void>;
}

const DAY_MS = 86_400_000;

type CreateBody = Static<typeof CreateCompetition>;
type UpdateBody = Static<typeof UpdateCompetition>;
type OrganizerRequest = Pick<CompetitionRequest, 'competitionId' | 'agentId' | 'ifMatch' | 'key'>;

/** The organizer's actions on its competitions. */
export class Organizer {
  constructor(private readonly options: OrganizerOptions) {}

  async create(agentId: string, body: CreateBody, key: string | undefined): Promise<StoredAnswer<CompetitionBody>> {
    const settings = settingsOf(body);
    const request = { agentId, operation: 'createCompetition', key, body };
    const answer = await idempotent(this.options.sql, request, async (tx) => {
      const now = this.options.clock.now();
      refuse([...pastDates(settings, now), ...misfits(settings), ...this.#tooFast(settings)]);
      await this.#mayCreate(tx, agentId, now);
      const id = randomUUID();
      const record = { ...settings, competition_id: id, slug: competitionSlugOf(settings.name), organizer_id: agentId };
      await insertRecord(tx, { ...record, created_at: new Date(now) }, randomBytes(32));
      await recordAudit(tx, { actor: agentId, action: request.operation, subject: id, detail: { name: body.name } });
      return { status: 201, body: competitionBody(await seen(tx, id, agentId), agentId) };
    });
    await this.options.changed(answer.body.competition_id, true);
    return answer;
  }

  async update(asked: OrganizerRequest, body: UpdateBody): Promise<StoredAnswer<CompetitionBody>> {
    const given = changesOf(body);
    return this.#change({ ...asked, operation: 'updateCompetition', body }, async (tx, record) => {
      const now = this.options.clock.now();
      const changed = changedSettings(record, given);
      if (Object.keys(changed).length === 0) return null;
      await requireChangeable(tx, record, changed);
      const all = { ...record, ...changed };
      refuse([...pastDates(changed, now), ...misfits(all, record.participant_count), ...this.#tooFast(changed)]);
      await changeRecord(tx, record.competition_id, changed, new Date(now));
      return { changed: Object.keys(changed) };
    });
  }

  /** A step that is the organizer's. */
  async step(asked: OrganizerRequest, step: Step): Promise<StoredAnswer<CompetitionBody>> {
    return this.#change({ ...asked, operation: STEP_OPERATIONS[step] }, async (tx, record) => {
      const now = this.options.clock.now();
      const detail = await takeStep(tx, record, step, new Date(now));
      if (step === 'open_enrollment' && enrollmentIsOver(record, now)) throw new HttpError(409, Detail.deadlinePassed);
      return { ...detail };
    });
  }

  /** Does it under the guard; the work says what for the audit, or null when there was nothing to do. */
  async #change(
    request: CompetitionRequest,
    work: (tx: Transaction, record: SeenRecord) => Promise<Record<string, unknown> | null>,
  ): Promise<StoredAnswer<CompetitionBody>> {
    const { competitionId, agentId } = request;
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      const detail = await work(tx, record);
      return { answer: competitionBody(await seen(tx, competitionId, agentId), agentId), detail };
    }).catch(async (error: unknown) => {
      if (isConnectionError(error)) await this.options.changed(competitionId, false);
      throw error;
    });
    await this.options.changed(competitionId, true);
    return answer;
  }

  #tooFast({ between_hands_ms: pause = null }: Partial<Settings>): ReturnType<typeof misfits> {
    const { leastPauseMs } = this.options;
    const tooFast = pause !== null && pause < leastPauseMs;
    return tooFast ? [['between_hands_ms', `must be at least ${leastPauseMs}`]] : [];
  }

  async #mayCreate(tx: Transaction, agentId: string, now: number): Promise<void> {
    const { atOnce, aDay } = this.options.limits;
    const { alive, recent, first } = await countOfOrganizer(tx, agentId, new Date(now - DAY_MS));
    if (alive >= atOnce) throw new HttpError(409, Detail.tooManyCompetitions);
    if (recent < aDay) return;
    const wait = Math.ceil(((first?.getTime() ?? now) + DAY_MS - now) / 1000);
    throw new HttpError(429, Detail.competitionsToday, { 'retry-after': String(Math.max(1, wait)) });
  }
}

async function seen(tx: Transaction, competitionId: string, agentId: string): Promise<SeenRecord> {
  const record = await selectSeen(tx, competitionId, agentId);
  if (record === undefined) throw new Error(`competition ${competitionId} is gone`);
  return record;
}
