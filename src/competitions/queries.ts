import type { Database, Fragment, Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import type { Dates } from './life/due-steps.js';
import type { CompetitionRecord, LivePool } from './record.js';
import { recordValueFunction } from '../value/pool.js';
import { setPhase, type PoolPhase } from '../store/pool-phase.js';
import { isOver, type CompetitionState, type ParticipantState } from './states.js';

const RECORD = [
  ...['competition_id', 'slug', 'organizer_id', 'state', 'version', 'name', 'organization_name', 'description'],
  ...[
    'reward_description',
    'display_timezone',
    'participant_cap',
    'join_requests',
    'enrollment_deadline',
    'starts_at',
    'ends_at',
  ],
  ...['starting_chips', 'minimum_buy_in', 'default_buy_in', 'maximum_buy_in', 'small_blind', 'big_blind'],
  ...['max_players', 'minimum_hands', 'rebuys_enabled', 'max_rebuys', 'rebuy_chips', 'rebuy_score_penalty'],
  ...[
    'rebuy_cooldown_seconds',
    'duplicate',
    'between_hands_ms',
    'action_timeout_ms',
    'time_bank',
    'hand_limit',
    'spectators',
    'open_cards',
    'created_at',
    'updated_at',
    'started_at',
    'ended_at',
    'finalized_at',
  ],
  'cancelled_at',
];

/** A record as one agent sees it. */
export interface SeenRecord extends CompetitionRecord {
  /** The agent's part in it; null: none, and never one. */
  participation: ParticipantState | null;
  /** Whether the agent organizes it beside the organizer. */
  co_organizer: boolean;
  /** Those enrolled. */
  participant_count: number;
  /** Of its pool: see src/value. */
  value_function_sha256: string | null;
}

export const seenColumns = (sql: Queryable, agentId: string | null) => sql`${sql(RECORD)},
  (select state from competition_participants p where p.competition_id = c.competition_id
    and p.agent_id = ${agentId}) as participation,
  exists (select from competition_co_organizers o where o.competition_id = c.competition_id
    and o.agent_id = ${agentId}) as co_organizer,
  (select count(*) from competition_participants p where p.competition_id = c.competition_id
    and p.state = 'enrolled') as participant_count,
  (select value_function_sha256 from pools where pool_id = c.competition_id and not c.duplicate) as value_function_sha256`;

export async function selectSeen(
  sql: Queryable,
  competitionId: string,
  agentId: string | null,
): Promise<SeenRecord | undefined> {
  const [row] = await sql<SeenRecord[]>`
    select ${seenColumns(sql, agentId)} from competitions c where competition_id = ${competitionId}`;
  return row;
}

/** By the name of its public page, as nobody in particular sees it. */
export async function selectBySlug(sql: Queryable, slug: string): Promise<SeenRecord | undefined> {
  const [row] = await sql<SeenRecord[]>`
    select ${seenColumns(sql, null)} from competitions c where slug = ${slug}`;
  return row;
}

/**
 * Those the agent organizes, also beside another, or takes part in (or did), latest first; in this state only, where
 * one is given.
 */
export async function selectOwn(
  sql: Queryable,
  agentId: string,
  { status, limit, offset }: { status: string | undefined; limit: number; offset: number },
): Promise<{ rows: SeenRecord[]; total: number }> {
  const own = sql`competition_id in (
      select competition_id from competitions where organizer_id = ${agentId}
      union select competition_id from competition_co_organizers where agent_id = ${agentId}
      union select competition_id from competition_participants where agent_id = ${agentId})
    and (${status ?? null}::text is null or state = ${status ?? null})`;
  const [rows, [counted]] = await Promise.all([
    sql<SeenRecord[]>`
      select ${seenColumns(sql, agentId)} from competitions c where ${own}
      order by created_at desc, competition_id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*) as total from competitions where ${own}`,
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/**
 * Locks and returns one record, as the agent sees it (null: as nobody in particular). Until the transaction ends,
 * nothing else changes the competition, its people or its entries: each writer holds this row first.
 */
export async function lockSeen(
  tx: Queryable,
  competitionId: string,
  agentId: string | null,
): Promise<SeenRecord | undefined> {
  // Apart: a statement that waits for the row sees all else as it was before it waited.
  await tx`select from competitions where competition_id = ${competitionId} for update`;
  return selectSeen(tx, competitionId, agentId);
}

const poolsWhere = (sql: Queryable, condition: Fragment) => sql<LivePool[]>`
  select competition_id, state, version, phase, encode(deck_secret, 'hex') as deck_secret, starting_chips, minimum_buy_in,
    default_buy_in, maximum_buy_in, small_blind, big_blind, max_players, minimum_hands, rebuys_enabled, max_rebuys,
    rebuy_chips, rebuy_score_penalty, rebuy_cooldown_seconds, duplicate, between_hands_ms, action_timeout_ms, hand_limit,
    spectators, open_cards, time_bank
  from competitions join pools on pool_id = competition_id where ${condition}`;

export async function selectLivePools(sql: Queryable): Promise<LivePool[]> {
  return poolsWhere(sql, sql`state not in ('finalized', 'cancelled')`);
}

/** Those of these ids that there are, whatever their state. */
export async function selectPools(sql: Queryable, competitionIds: readonly string[]): Promise<LivePool[]> {
  return poolsWhere(sql, sql`competition_id = any(${competitionIds as string[]}::uuid[])`);
}

/** Which of these ids are pools, and of what. */
export async function selectPoolKinds(
  sql: Queryable,
  poolIds: readonly string[],
): Promise<{ pool_id: string; kind: 'season' | 'competition' }[]> {
  return sql<{ pool_id: string; kind: 'season' | 'competition' }[]>`
    select pool_id, kind from pools where pool_id = any(${poolIds as string[]}::uuid[])`;
}

/** Versions and phases of the competitions that are not over. */
export async function selectVersions(
  sql: Queryable,
): Promise<Pick<LivePool, 'competition_id' | 'version' | 'phase'>[]> {
  return sql<Pick<LivePool, 'competition_id' | 'version' | 'phase'>[]>`
    select competition_id, version, phase from competitions join pools on pool_id = competition_id
    where state not in ('finalized', 'cancelled')`;
}

/** From now on its hands in progress do not count. False where it is not ending, or that was known. Only the leader's. */
export async function hurryEnd(sql: Database, leadership: Leadership, competitionId: string): Promise<boolean> {
  const { count } = await leadership.guarded(sql`
    update pools set phase = 'closing_now'
    where pool_id = ${competitionId} and phase = 'closing' and ${leadership.required(sql)}`);
  return count === 1;
}

/** The writable fields of a record. */
export type RecordChange = Partial<
  Omit<CompetitionRecord, 'competition_id' | 'slug' | 'organizer_id' | 'version' | 'created_at' | 'updated_at'>
>;

/** Changes a record that this transaction has locked. */
export async function changeRecord(
  tx: Queryable,
  competitionId: string,
  change: RecordChange,
  at: Date,
): Promise<void> {
  await tx`
    update competitions set ${tx({ ...change, updated_at: at })}, version = version + 1
    where competition_id = ${competitionId}`;
  if (change.state !== undefined) await setPhase(tx, competitionId, phaseOf(change.state));
}

/** The phase of a competition's pool by its state. */
function phaseOf(state: CompetitionState): PoolPhase {
  if (state === 'paused') return 'winding_down';
  if (state === 'ending') return 'closing';
  return isOver(state) ? 'ended' : 'open';
}

export type NewRecord = Omit<
  CompetitionRecord,
  'state' | 'version' | 'updated_at' | 'started_at' | 'ended_at' | 'finalized_at' | 'cancelled_at'
>;

/**
 * A draft in a pool of its own, which has no room for hands before play starts (`openHands`). Rejects with a unique
 * violation where the slug is taken.
 */
export async function insertRecord(tx: Queryable, record: NewRecord, deckSecret: Buffer): Promise<void> {
  await tx`insert into pools (pool_id, kind) values (${record.competition_id}, 'competition')`;
  await recordValueFunction(tx, record.competition_id);
  await tx`insert into competitions ${tx({ ...record, updated_at: record.created_at, deck_secret: deckSecret })}`;
}

/** Makes room for the hands of a pool: before the first one is played. */
export async function openHands(tx: Queryable, competitionId: string): Promise<void> {
  await tx`select open_hands(${competitionId})`;
  await tx`select index_pots(${competitionId})`;
  await tx`select index_decks(competition_id) from competitions where competition_id = ${competitionId} and duplicate`;
}

/** Those that have room for hands though play has not begun, or never will: older releases made it for every draft. */
export async function selectUnplayed(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ competition_id: string }[]>`
    select competition_id from competitions
    where state in ('draft', 'enrolling', 'enrollment_closed', 'cancelled')
      and to_regclass('hands_' || replace(competition_id::text, '-', '')) is not null`;
  return rows.map(({ competition_id: id }) => id);
}

/** Whether play has not begun by now; and it does not before the transaction is over. */
export async function holdUnplayed(tx: Queryable, competitionId: string): Promise<boolean> {
  const { count } = await tx`
    select from competitions where competition_id = ${competitionId}
      and state in ('draft', 'enrolling', 'enrollment_closed', 'cancelled') for update`;
  return count === 1;
}

/** Drops it; rejects with 55P03 where somebody reads hands for longer than `waitMs`. */
export async function dropHands(tx: Queryable, competitionId: string, waitMs: number): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(waitMs)}, true)`;
  await tx`select drop_hands(${competitionId})`;
}

/**
 * Counts the organizer's living competitions and those that it made since then, with the time of the first. Until the
 * transaction ends, the organizer cannot make another one.
 */
export async function countOfOrganizer(
  tx: Queryable,
  agentId: string,
  since: Date,
): Promise<{ alive: number; recent: number; first: Date | null }> {
  await tx`select from agents where agent_id = ${agentId} for no key update`;
  const [row] = await tx<{ alive: number; recent: number; first: Date | null }[]>`
    select count(*) filter (where state not in ('finalized', 'cancelled')) as alive,
      count(*) filter (where created_at > ${since}) as recent,
      min(created_at) filter (where created_at > ${since}) as first
    from competitions where organizer_id = ${agentId}`;
  return row ?? { alive: 0, recent: 0, first: null };
}

/** How many ever took part, whatever became of them. */
export async function countParticipants(tx: Queryable, competitionId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) from competition_participants where competition_id = ${competitionId}`;
  return row?.count ?? 0;
}

/** Whether so many hands were played. They are counted only where the players' own counts allow so many. */
export async function hasPlayed(sql: Queryable, competitionId: string, hands: number): Promise<boolean> {
  const [row] = await sql<{ played: boolean }[]>`
    select case when (select coalesce(sum(hands_played), 0) from entries where pool_id = ${competitionId}) < 2 * ${hands}::bigint
      then false else (select count(*) from hands where pool_id = ${competitionId}) >= ${hands}::bigint end as played`;
  return row!.played;
}

/** The dates of the competitions that go on by themselves, the first due first. The clock looks again after these. */
export type DatedRow = Dates & { competition_id: string; hand_limit: number | null };

export async function selectDates(sql: Queryable): Promise<DatedRow[]> {
  return sql<DatedRow[]>`
    select competition_id, state, enrollment_deadline, starts_at, ends_at, hand_limit
    from competitions where state not in ('results_pending', 'finalized', 'cancelled')
    order by case state when 'ending' then '-infinity' when 'enrolling' then least(enrollment_deadline, starts_at, ends_at)
      when 'enrollment_closed' then least(starts_at, ends_at) else ends_at end
    limit 1000`;
}

export interface AuditRow {
  entry_id: number;
  at: Date;
  actor: string;
  action: string;
  detail: Record<string, unknown>;
}

/** Latest first. */
export async function selectAudit(
  sql: Queryable,
  competitionId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    sql<AuditRow[]>`
      select entry_id, at, actor, action, detail from audit_log where subject = ${competitionId}
      order by entry_id desc limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*) as total from audit_log where subject = ${competitionId}`,
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Nobody can buy in any more, pending rebuys lapse. Refused (AP001) while anybody still has a seat. */
export async function closeBooks(tx: Queryable, competitionId: string): Promise<void> {
  await tx`update tables set status = 'closed', closed_at = now() where pool_id = ${competitionId} and status = 'open'`;
  await tx`
    select require(not exists (select from entries where pool_id = ${competitionId} and table_id is not null),
      'somebody is still seated in this competition')`;
  await tx`
    update entries set rebuy_due_at = null where pool_id = ${competitionId} and rebuy_due_at is not null`;
}
