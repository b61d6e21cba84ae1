import type { Queryable } from '../store/database.js';
import type { CompetitionRecord, LivePool } from './record.js';

const RECORD = [
  ...['competition_id', 'slug', 'organizer_id', 'state', 'version', 'name', 'organization_name', 'description'],
  ...['reward_description', 'display_timezone', 'participant_cap', 'enrollment_deadline', 'starts_at', 'ends_at'],
  ...['starting_chips', 'minimum_buy_in', 'default_buy_in', 'maximum_buy_in', 'small_blind', 'big_blind'],
  ...['max_players', 'minimum_hands', 'rebuys_enabled', 'max_rebuys', 'rebuy_chips', 'rebuy_score_penalty'],
  ...['rebuy_cooldown_seconds', 'duplicate', 'created_at', 'updated_at', 'started_at', 'ended_at', 'finalized_at'],
  'cancelled_at',
];

/** A record as one agent sees it. */
export interface SeenRecord extends CompetitionRecord {
  /** Whether the agent takes part, or did before it withdrew or was removed. */
  takes_part: boolean;
}

const seen = (sql: Queryable, agentId: string) => sql`${sql(RECORD)}, exists (select from competition_participants p
  where p.competition_id = c.competition_id and p.agent_id = ${agentId}) as takes_part`;

export async function selectSeen(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<SeenRecord | undefined> {
  const [row] = await sql<SeenRecord[]>`
    select ${seen(sql, agentId)} from competitions c where competition_id = ${competitionId}`;
  return row;
}

/**
 * The same, and nobody else changes the competition, its people or its entries until the transaction is over: whoever
 * changes them holds this row first.
 */
export async function lockSeen(tx: Queryable, competitionId: string, agentId: string): Promise<SeenRecord | undefined> {
  const [row] = await tx<SeenRecord[]>`
    select ${seen(tx, agentId)} from competitions c where competition_id = ${competitionId} for update of c`;
  return row;
}

const livePools = (sql: Queryable) => sql`
  select competition_id, state, version, encode(deck_secret, 'hex') as deck_secret, starting_chips, minimum_buy_in,
    default_buy_in, maximum_buy_in, small_blind, big_blind, max_players, minimum_hands, rebuys_enabled, max_rebuys,
    rebuy_chips, rebuy_score_penalty, rebuy_cooldown_seconds, duplicate
  from competitions where state not in ('finalized', 'cancelled')`;

export async function selectLivePools(sql: Queryable): Promise<LivePool[]> {
  return sql<LivePool[]>`${livePools(sql)}`;
}

/** Undefined once it is over. */
export async function selectLivePool(sql: Queryable, competitionId: string): Promise<LivePool | undefined> {
  const [row] = await sql<LivePool[]>`${livePools(sql)} and competition_id = ${competitionId}`;
  return row;
}
