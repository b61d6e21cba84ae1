import type { Audience } from '../lobby/index.js';
import type { OpenCards } from '../protocol/rest/competition-fields.js';
import type { Fragment, Queryable } from '../store/database.js';
import type { StoredHand } from '../table/record/record-codec.js';

/** A stored hand, with all that decides who may see it. */
export interface HandInView {
  poolId: string;
  record: Buffer;
  /** Null of a season's. */
  competition: {
    slug: string;
    name: string;
    state: string;
    spectators: Audience['spectators'];
    duplicate: boolean;
    openCards: OpenCards;
  } | null;
  /** Whether who asks takes part in the competition (or did), or organizes it. */
  takesPart: boolean;
  /** Hands of the table that were stored after it; null: the table has closed. */
  later: number | null;
}

/** Clocks differ, and hands end after the pool has. */
const SLACK = '5 minutes';

/** A hand by its id alone. The id has the time of its begin, so only one or two pools are searched. */
export async function selectHandInView(
  sql: Queryable,
  handId: string,
  beganAt: Date,
  viewer: string | null,
): Promise<HandInView | undefined> {
  const [row] = await sql<HandInView[]>`
    with pool as materialized (
      select season_id as pool_id from seasons
      where start_date <= ${beganAt}::timestamptz + ${SLACK}::interval
        and (ended_at is null or ended_at >= ${beganAt}::timestamptz - ${SLACK}::interval)
      union all
      select competition_id from competitions
      where started_at <= ${beganAt}::timestamptz + ${SLACK}::interval
        and (ended_at is null or ended_at >= ${beganAt}::timestamptz - ${SLACK}::interval))
    select hand.pool_id as "poolId", hand.record,
      case when c.competition_id is null then null else json_build_object('slug', c.slug, 'name', c.name,
        'state', c.state, 'spectators', c.spectators, 'duplicate', c.duplicate,
        'openCards', c.open_cards) end as competition,
      ${takesPart(sql, viewer)} as "takesPart",
      case when t.status = 'open' then t.hand_number - hand.hand_number end as later
    from pool cross join lateral (
      select h.pool_id, h.table_id, h.hand_number, h.record from hands h
      where h.pool_id = pool.pool_id and h.hand_id = ${handId}) hand
    left join tables t on t.table_id = hand.table_id
    left join competitions c on c.competition_id = hand.pool_id`;
  return row;
}

/** A competition with all that decides who may see its hands. */
export interface CompetitionInView extends NonNullable<HandInView['competition']> {
  poolId: string;
  takesPart: boolean;
}

/** Whether an agent plays, or has played, or organizes. */
const takesPart = (sql: Queryable, viewer: string | null) => sql`
  c.competition_id is not null and ${viewer}::uuid is not null and (c.organizer_id = ${viewer}::uuid
    or exists (select from competition_co_organizers o
      where o.competition_id = c.competition_id and o.agent_id = ${viewer}::uuid)
    or exists (select from competition_participants p
      where p.competition_id = c.competition_id and p.agent_id = ${viewer}::uuid))`;

/** Undefined for an unknown slug and for a draft. */
export async function selectCompetitionInView(
  sql: Queryable,
  slug: string,
  viewer: string | null,
): Promise<CompetitionInView | undefined> {
  const [row] = await sql<CompetitionInView[]>`
    select c.competition_id as "poolId", c.slug, c.name, c.state, c.spectators, c.duplicate,
      c.open_cards as "openCards",
      ${takesPart(sql, viewer)} as "takesPart"
    from competitions c where c.slug = ${slug} and c.state <> 'draft'`;
  return row;
}

/** A competition as a link to it shows it; undefined for an unknown slug and for a draft. */
export async function selectCompetitionCard(
  sql: Queryable,
  slug: string,
): Promise<{ name: string; state: string; bots: number } | undefined> {
  const [row] = await sql<{ name: string; state: string; bots: number }[]>`
    select c.name, c.state, (select count(*)::integer from competition_participants p
      where p.competition_id = c.competition_id and p.state = 'enrolled') as bots
    from competitions c where c.slug = ${slug} and c.state <> 'draft'`;
  return row;
}

/** The most hands that a table of the pool has played. */
export async function selectMostHands(sql: Queryable, poolId: string): Promise<number> {
  const [row] = await sql<{ most: number }[]>`
    select coalesce(max(hand_number), 0) as most from hands where pool_id = ${poolId}`;
  return row!.most;
}

/** Hands of a pool by their numbers, in their order; those of one number by table. */
export async function selectNumbered(
  sql: Queryable,
  { poolId, numbers, limit }: { poolId: string; numbers: readonly number[]; limit: number },
): Promise<Buffer[]> {
  const rows = await sql<{ record: Buffer }[]>`
    select record from hands where pool_id = ${poolId} and hand_number = any(${numbers as number[]}::integer[])
    order by hand_number, table_id limit ${limit}`;
  return rows.map(({ record }) => record);
}

/** The hand of the same table beside one. */
export interface BesideRow {
  handId: string;
  handNumber: number;
  /** Whether who asks was dealt in. */
  own: boolean;
}

/**
 * The hands of a table before and after one of its hands. Each is among the nearest hands of this hand's players, because
 * a table that plays on keeps some of them. So no index by table is needed.
 */
export async function selectBeside(
  sql: Queryable,
  { poolId, tableId, handId, players }: Pick<StoredHand, 'poolId' | 'tableId' | 'handId' | 'players'>,
  viewer: string | null,
): Promise<{ previous: BesideRow | null; next: BesideRow | null }> {
  const agents = players.map(({ agentId }) => agentId);
  const nearest = (than: Fragment, order: Fragment) => sql`
    (select h.hand_id, h.hand_number from unnest(${agents}::uuid[]) as a (agent_id) cross join lateral (
        select p.hand_id from hand_players p
        where p.pool_id = ${poolId} and p.agent_id = a.agent_id and p.hand_id ${than} ${handId}::uuid
        order by p.hand_id ${order} limit 1) near
      join hands h on h.pool_id = ${poolId} and h.hand_id = near.hand_id
      where h.table_id = ${tableId} order by h.hand_id ${order} limit 1)`;
  const rows = await sql<(BesideRow & { isNext: boolean })[]>`
    select beside.hand_id as "handId", hand_number as "handNumber", is_next as "isNext",
      exists (select from hand_players o where o.pool_id = ${poolId} and o.agent_id = ${viewer}::uuid
        and o.hand_id = beside.hand_id) as own
    from (select false as is_next, * from ${nearest(sql`<`, sql`desc`)} before
      union all select true, * from ${nearest(sql`>`, sql`asc`)} after) beside`;
  const of = (isNext: boolean) => rows.find((row) => row.isNext === isNext) ?? null;
  return { previous: of(false), next: of(true) };
}

/** A player as others see it. */
export interface Face {
  agentId: string;
  name: string;
  slug: string | null;
  avatarUrl: string | null;
}

/** By agent id; in a competition under the names that they have there. */
export async function selectFaces(
  sql: Queryable,
  poolId: string,
  agentIds: readonly string[],
): Promise<Map<string, Face>> {
  const rows = await sql<Face[]>`
    select a.agent_id as "agentId", coalesce(p.display_name, a.name) as name, a.shown_slug as slug,
      a.avatar_url as "avatarUrl"
    from agents a
    left join competition_participants p on p.competition_id = ${poolId} and p.agent_id = a.agent_id
    where a.agent_id = any(${agentIds as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.agentId, row]));
}

export interface AgentFace extends Face {
  slug: string;
  isHouse: boolean;
}

/** Undefined where nobody shows a profile by that slug, or is banned. */
export async function selectAgentBySlug(sql: Queryable, slug: string): Promise<AgentFace | undefined> {
  const [row] = await sql<AgentFace[]>`
    select agent_id as "agentId", name, shown_slug as slug, avatar_url as "avatarUrl", is_house as "isHouse"
    from agents where public_profile_slug = ${slug} and public_profile and banned_at is null`;
  return row;
}

export interface BadgeRow {
  season_number: number;
  badge: 'gold' | 'silver' | 'bronze';
}

export function selectBadges(sql: Queryable, agentId: string): PromiseLike<BadgeRow[]> {
  return sql<BadgeRow[]>`
    select s.season_number, b.badge from season_standings b join seasons s using (season_id)
    where b.agent_id = ${agentId} and b.badge is not null order by s.season_number desc limit 100`;
}

export interface ShownHandRow {
  seat: number;
  profit: number;
  record: Buffer;
}

/** The newest hands of an agent in a pool that are as old as must be, the newest first. */
export function selectShownHands(
  sql: Queryable,
  { poolId, agentId, delayHands, limit }: { poolId: string; agentId: string; delayHands: number; limit: number },
): PromiseLike<ShownHandRow[]> {
  return sql<ShownHandRow[]>`
    select p.seat, p.stack_end - p.stack_start as profit, h.record
    from (
      select hand_id, seat, stack_start, stack_end from hand_players
      where pool_id = ${poolId} and agent_id = ${agentId} order by hand_id desc limit ${limit + delayHands}) p
    join hands h on h.pool_id = ${poolId} and h.hand_id = p.hand_id
    join tables t on t.table_id = h.table_id
    where t.status <> 'open' or t.hand_number - h.hand_number >= ${delayHands}
    order by p.hand_id desc limit ${limit}`;
}

export interface MomentRow {
  kind: 'pot' | 'all_in' | 'upset';
  poolId: string;
  equities: Record<string, number> | null;
  record: Buffer;
}

/** The best moments of each kind of the last 24 hours that are as old as must be, the best first. */
export function selectMoments(
  sql: Queryable,
  { delayHands, each }: { delayHands: number; each: number },
): PromiseLike<MomentRow[]> {
  return sql<MomentRow[]>`
    select m.kind, m.pool_id as "poolId", m.equities, h.record
    from (
      select m.*, row_number() over (partition by kind order by worth desc, m.hand_id) as place
      from moments m
      join hands h on h.pool_id = m.pool_id and h.hand_id = m.hand_id
      join tables t on t.table_id = h.table_id
      where m.hour >= date_trunc('hour', now() - interval '24 hours') and h.started_at > now() - interval '24 hours'
        and (t.status <> 'open' or t.hand_number - h.hand_number >= ${delayHands})) m
    join hands h on h.pool_id = m.pool_id and h.hand_id = m.hand_id
    where m.place <= ${each} order by m.kind, m.place`;
}

export type PoolHandsOrder = 'newest' | 'largest';

/** Hands of a pool that are as old as must be: the newest, or those with the largest pots, by an index each. */
export async function selectPoolHandsInView(
  sql: Queryable,
  { poolId, order, delayHands, limit }: { poolId: string; order: PoolHandsOrder; delayHands: number; limit: number },
): Promise<Buffer[]> {
  const by = order === 'newest' ? sql`h.hand_id desc` : sql`h.total_pot desc, h.hand_id desc`;
  const rows = await sql<{ record: Buffer }[]>`
    select h.record from hands h join tables t on t.table_id = h.table_id
    where h.pool_id = ${poolId} and (t.status <> 'open' or t.hand_number - h.hand_number >= ${delayHands})
    order by ${by} limit ${limit}`;
  return rows.map(({ record }) => record);
}
