import { addCount, packCells, unpackCells } from '../../collusion/cells.js';
import type { PairSums } from '../../collusion/pair-hand.js';
import type { StackLosses } from '../../collusion/takers.js';
import type { Queryable, Transaction } from '../../store/database.js';

/** SQL of `pair_play`. */

/** Hands of an agent that are added to its pairs, from where its counting stands. */
export interface CountedPairs {
  agentId: string;
  lastHandId: string;
  hands: number;
  rows: ReadonlyMap<string, PairSums>;
}

export interface PairRow extends PairSums {
  agentId: string;
  otherId: string;
}

type StoredRow = Omit<PairRow, 'cells'> & { cells: Buffer };

const COLUMNS = `agent_id as "agentId", other_id as "otherId", hands, duels, lost, flow, flow_squares as "flowSquares", stacks`;

const read = ({ cells, ...row }: StoredRow): PairRow => ({ ...row, cells: unpackCells(cells) });

/**
 * Adds the pairs of agents with a count that still stands where it was read. The rows stay locked until the transaction
 * ends, since that moves the watermark, too.
 */
export async function addPairs(tx: Transaction, poolId: string, steps: readonly CountedPairs[]): Promise<void> {
  const standing = await tx<{ agentId: string }[]>`
    select a.agent_id as "agentId" from analytics a
    join unnest(${steps.map(({ agentId }) => agentId)}::uuid[], ${steps.map(({ lastHandId }) => lastHandId)}::uuid[],
      ${steps.map(({ hands }) => hands)}::int[]) as s (agent_id, last_hand_id, hands) using (agent_id, last_hand_id, hands)
    where a.pool_id = ${poolId} order by a.agent_id for update of a`;
  const free = new Set(standing.map(({ agentId }) => agentId));
  const more = steps.flatMap(({ agentId, rows }) =>
    free.has(agentId) ? [...rows].map(([otherId, sums]): PairRow => ({ agentId, otherId, ...sums })) : [],
  );
  if (more.length === 0) return;
  const ids = [more.map(({ agentId }) => agentId), more.map(({ otherId }) => otherId)] as const;
  const stored = await tx<{ agentId: string; otherId: string; cells: Buffer }[]>`
    select agent_id as "agentId", other_id as "otherId", cells from pair_play
    where pool_id = ${poolId} and (agent_id, other_id) in (select * from unnest(${ids[0]}::uuid[], ${ids[1]}::uuid[]))`;
  const cells = new Map(stored.map((row) => [`${row.agentId} ${row.otherId}`, unpackCells(row.cells)]));
  const rows = more.map(({ agentId, otherId, ...sums }) => {
    const all = cells.get(`${agentId} ${otherId}`) ?? new Map<number, number>();
    for (const [cell, count] of sums.cells) addCount(all, cell, count);
    const { hands, duels, lost, flow, flowSquares: flow_squares, stacks } = sums;
    const packed = packCells(all).toString('hex');
    return { agent_id: agentId, other_id: otherId, hands, duels, lost, flow, flow_squares, stacks, packed };
  });
  await tx`
    insert into pair_play as p
      (pool_id, agent_id, other_id, hands, duels, lost, flow, flow_squares, stacks, cells)
    select ${poolId}, agent_id, other_id, hands, duels, lost, flow, flow_squares, stacks, decode(packed, 'hex')
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as s (agent_id uuid, other_id uuid, hands integer,
      duels integer, lost bigint, flow float8, flow_squares float8, stacks integer, packed text)
    on conflict (pool_id, agent_id, other_id) do update set hands = p.hands + excluded.hands,
      duels = p.duels + excluded.duels, lost = p.lost + excluded.lost, flow = p.flow + excluded.flow,
      flow_squares = p.flow_squares + excluded.flow_squares, stacks = p.stacks + excluded.stacks, cells = excluded.cells`;
}

/** Calls `take` with the sums of each player over all others, so many at a time. */
export async function readPlayers(
  sql: Queryable,
  poolId: string,
  take: (rows: PairRow[]) => Promise<void>,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await sql<StoredRow[]>`
      select ${sql.unsafe(COLUMNS)}, cells from pair_play
      where pool_id = ${poolId} and agent_id > ${after} and other_id = agent_id order by agent_id limit ${AT_ONCE}`;
    await take(rows.map(read));
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.agentId;
  }
}

/** Rows that are read in one statement. */
const AT_ONCE = 500;

/** Pairs with the most hands together, so many, and how many there are; two ids, the lesser first. */
export async function selectPairs(sql: Queryable, poolId: string, limit: number) {
  const rows = await sql<{ agentId: string; otherId: string; all: number }[]>`
    select agent_id as "agentId", other_id as "otherId", count(*) over () as all from pair_play
    where pool_id = ${poolId} and agent_id < other_id order by hands desc, agent_id, other_id limit ${limit}`;
  return { pairs: rows, all: rows[0]?.all ?? 0 };
}

/** The rows of some pairs, in both directions. */
export async function selectRows(
  sql: Queryable,
  poolId: string,
  pairs: readonly Pick<PairRow, 'agentId' | 'otherId'>[],
): Promise<PairRow[]> {
  const both = pairs.flatMap(({ agentId, otherId }) => [
    [agentId, otherId],
    [otherId, agentId],
  ]) as [string, string][];
  const rows = await sql<StoredRow[]>`
    select ${sql.unsafe(COLUMNS)}, cells from pair_play where pool_id = ${poolId} and (agent_id, other_id) in
      (select * from unnest(${both.map(([a]) => a)}::uuid[], ${both.map(([, b]) => b)}::uuid[]))`;
  return rows.map(read);
}

/** The losses of whole stacks to the agents that took the most, up to so many. */
export async function selectStackLosses(sql: Queryable, poolId: string, takers: number): Promise<StackLosses[]> {
  return sql<StackLosses[]>`
    select agent_id as "agentId", p.other_id as "otherId", hands, p.stacks from pair_play p
    join (select other_id from pair_play where pool_id = ${poolId} and agent_id <> other_id and stacks > 0
      group by other_id order by sum(stacks) desc, other_id limit ${takers}) t using (other_id)
    where pool_id = ${poolId} and agent_id <> p.other_id`;
}

/** The facts of an agent beside its play. */
export interface AgentOrigin {
  agentId: string;
  name: string;
  banned: boolean;
  email: string;
  registeredIp: string | null;
  /** Every wallet that it named, proved, paid from or was paid to, in lower case. */
  wallets: string[];
}

export async function selectRegistrations(sql: Queryable, agentIds: readonly string[]): Promise<AgentOrigin[]> {
  return sql<AgentOrigin[]>`
    select agent_id as "agentId", name, banned_at is not null as banned, email, host(registered_ip) as "registeredIp",
      array(select distinct lower(address) from (
        select a.wallet_address as address union all
        select w.address from wallet_proofs w where w.agent_id = a.agent_id union all
        select d.wallet from deposits d where d.agent_id = a.agent_id union all
        select o.to_address from withdrawals o where o.agent_id = a.agent_id) known
        where address is not null) as wallets
    from agents a where agent_id = any(${agentIds as string[]}::uuid[])`;
}
