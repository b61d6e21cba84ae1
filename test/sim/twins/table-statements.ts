import * as shardQueries from '../../../src/shard/commit/queries.js';
import { claimTables, takeShards } from '../../../src/shard/main/boot.js';
import type { HandPlayer, HandRecord } from '../../../src/table/effects.js';
import { openSeason } from './entry-statements.js';
import type { Step, Twins } from './twins.js';

/** The statements of shards: tables, seats, hands. */

export function claim(twins: Twins): Step {
  if (twins.dice.chance(0.6)) return open(twins);
  const shard = twins.dice.int(0, 3);
  const { sql, vault } = twins;
  const own = vault.holders.get(shard) ?? twins.node();
  const nodeId = twins.dice.chance(0.8) ? own : twins.node();
  return twins.statement(`claim ${shard}`, () => shardQueries.claimShard(sql, shard, nodeId), () => vault.claimShard(shard, nodeId)); // prettier-ignore
}

export function open(twins: Twins): Step {
  const { sql, vault } = twins;
  const fence = twins.fence();
  const table = { tableId: twins.some(twins.tables), poolId: twins.pool, seqReserved: twins.dice.int(1, 1e6) };
  if (!vault.entries.has(table.poolId)) return openSeason(twins);
  return twins.statement('open', () => shardQueries.openTable(sql, fence, table), () => vault.openTable(fence, table)); // prettier-ignore
}

export function buyIn(twins: Twins): Step {
  const { sql, vault } = twins;
  const tableId = twins.some(twins.tables);
  const fence = twins.fence(tableId);
  const fresh = twins.id();
  const again = twins.sittings.length > 0 && twins.dice.chance(0.1);
  const stay = {
    poolId: twins.pool,
    agentId: twins.agent(),
    tableId,
    seat: twins.dice.int(0, 1),
    sitting: again ? twins.some(twins.sittings) : fresh,
    amount: twins.some([1_000, 1_000, 1_000, 500, 500, 2_000, 5_000, 0, -5, 6_000]),
  };
  if (!again) twins.sittings.push(fresh);
  return twins.statement(
    `buy in ${JSON.stringify(stay)}`,
    () => shardQueries.buyIn(sql, fence, stay),
    () => vault.buyIn(fence, stay),
  );
}

export function cashOut(twins: Twins): Step {
  const { sql, vault } = twins;
  const entry = twins.dice.chance(0.9) ? twins.seated() : undefined;
  const fence = twins.fence(entry?.tableId ?? '');
  const stay = {
    poolId: twins.pool,
    agentId: entry?.agentId ?? twins.agent(),
    sitting: entry?.sitting ?? (twins.sittings.length > 0 ? twins.some(twins.sittings) : twins.id()),
    stack: (entry?.chipsAtTable ?? 1_000) + (twins.dice.chance(0.2) ? 1 : 0),
  };
  const { stack } = stay;
  const owes = stack % 2 === 0 ? { paidHands: stack % 6, excused: stack % 3 === 0, forMs: 1e9 } : null;
  const left = { ...stay, owes };
  return twins.statement(
    `cash out ${JSON.stringify(left)}`,
    () => shardQueries.cashOut(sql, fence, left),
    () => vault.cashOut(fence, left),
  );
}

export function skim(twins: Twins): Step {
  const { sql, vault } = twins;
  const entry = twins.dice.chance(0.95) ? twins.seated() : undefined;
  const fence = twins.fence(entry?.tableId ?? '');
  const excess = twins.some([1, 200, 400]);
  const what = {
    poolId: twins.pool,
    agentId: entry?.agentId ?? twins.agent(),
    sitting: entry?.sitting ?? twins.id(),
    // Now and then as it was before, as if the first answer had been lost.
    stack: Math.max(excess, entry?.chipsAtTable ?? 1_000) + (twins.dice.chance(0.3) ? excess : 0),
    excess,
    handId: twins.dice.chance(0.5) ? twins.id() : null,
  };
  return twins.statement(
    `skim ${JSON.stringify(what)}`,
    () => shardQueries.skim(sql, fence, what),
    () => vault.skim(fence, what),
  );
}

export function commit(twins: Twins): Step {
  const { sql, vault } = twins;
  const row = vault.tables.get(twins.some(twins.tables));
  if (row === undefined) return open(twins);
  const fence = twins.fence(row.tableId);
  const repeat = twins.records.length > 0 && twins.dice.chance(0.1);
  const record = repeat ? twins.some(twins.records) : hand(twins, row.tableId, row.handNumber);
  if (!repeat) twins.records.push(record);
  return twins.statement(
    `commit ${JSON.stringify(record)}`,
    () => shardQueries.commitHands(sql, fence, [record]),
    () => vault.commitHands(fence, [record]),
  );
}

/** A hand of whoever sits there, now and then with a fault. */
export function hand(twins: Twins, tableId: string, handNumber: number): HandRecord {
  const { dice, vault } = { dice: twins.dice, vault: twins.vault };
  const faulty = dice.chance(0.15);
  const fault = faulty ? dice.pick(['number', 'stack', 'sum', 'sitting', 'seat']) : 'none';
  const seated = vault.seated(tableId);
  let carried = 0;
  const players = seated.map((entry, i): HandPlayer => {
    const last = i === seated.length - 1;
    const loss = last ? -carried : Math.min(entry.chipsAtTable, dice.pick([0, 10, 400, 5_000]));
    carried += loss;
    const stackStart = entry.chipsAtTable + (fault === 'stack' && i === 0 ? 1 : 0);
    return {
      seat: (entry.seatNo! + (fault === 'seat' && i === 0 ? 1 : 0)) % 6,
      agentId: entry.agentId,
      sitting: fault === 'sitting' && i === 0 ? twins.id() : entry.sitting!,
      name: 'bot',
      stackStart,
      stackEnd: stackStart - loss + (fault === 'sum' && i === 0 ? 7 : 0),
      contributed: 0,
      payout: 0,
      hole: [0, 1],
      shown: false,
      isHouse: false,
    };
  });
  return {
    handId: twins.handId(),
    tableId,
    poolId: twins.pool,
    handNumber: handNumber + (fault === 'number' ? 2 : 1),
    button: dice.int(0, 5),
    bigBlindSeat: dice.int(0, 5),
    smallBlind: 10,
    bigBlind: 20,
    headsUpBlinds: 'standard',
    startedAt: 1_000,
    endedAt: 2_000,
    players,
    board: [],
    boardCount: 0,
    actions: [],
    totalPot: 0,
    seqReserved: dice.int(1, 3e6),
  };
}

export function adopt(twins: Twins): Step {
  const { sql, vault } = twins;
  const fence = twins.fence();
  const tables = twins.tables.filter(() => twins.dice.chance(0.4)).map((tableId) => ({ tableId, seqReserved: 5e5 }));
  return twins.statement(
    'adopt',
    async () => [...(await shardQueries.adoptTables(sql, fence, tables))].sort(),
    () => [...vault.adoptTables(fence, tables)].sort(),
  );
}

export function reserve(twins: Twins): Step {
  const { sql, vault } = twins;
  const fence = twins.fence();
  const tableId = twins.some(twins.tables);
  const upTo = twins.dice.int(1, 4e6);
  return twins.statement(
    'reserve',
    () => shardQueries.reserveSeq(sql, fence, tableId, upTo),
    () => vault.reserveSeq(fence, tableId, upTo),
  );
}

export function close(twins: Twins): Step {
  if (twins.dice.chance(0.3)) return buyIn(twins);
  const { sql, vault } = twins;
  const at = twins.dice.int(0, twins.tables.length - 1);
  const tableId = twins.tables[at]!;
  const fence = twins.fence(tableId);
  // A closed table never opens again: another one stands in its place.
  if (vault.seated(tableId).length === 0) twins.tables[at] = twins.id();
  return twins.statement(
    'close',
    () => shardQueries.closeTable(sql, fence, tableId),
    () => vault.closeTable(fence, tableId),
  );
}

export function stored(twins: Twins): Step {
  const { sql, vault } = twins;
  const of = twins.dice.chance(0.5) ? { shard: twins.dice.int(0, 3) } : { ids: twins.tables.slice(0, 2) };
  const sorted = (tables: shardQueries.StoredTable[]) => tables.sort((a, b) => (a.tableId < b.tableId ? -1 : 1));
  return twins.statement(
    'stored tables',
    async () => sorted(await shardQueries.storedTables(sql, of)),
    () => sorted(vault.storedTables(of)),
  );
}

/** A node that lives or has ended. */
function knownNode(twins: Twins): string | undefined {
  const nodeId = twins.node();
  return twins.vault.leases.nodes.has(nodeId) ? nodeId : undefined;
}

export function take(twins: Twins): Step {
  const { sql, vault } = twins;
  const nodeId = knownNode(twins);
  if (nodeId === undefined || twins.dice.chance(0.7)) return buyIn(twins);
  const of = { nodeId, threads: twins.dice.int(1, 2), homes: false };
  return twins.statement(
    'take shards',
    () => takeShards(sql, of),
    () => vault.takeShards(of),
  );
}

export function claimOrphans(twins: Twins): Step {
  const { sql, vault } = twins;
  const nodeId = knownNode(twins);
  const own = [...vault.holders].filter(([, holder]) => holder === nodeId).map(([shard]) => shard);
  if (nodeId === undefined || own.length === 0) return take(twins);
  const players = new Map(own.map((shard) => [shard, twins.dice.int(0, 3)]));
  const of = { nodeId, players, most: twins.dice.int(1, 4), homes: false };
  return twins.statement(
    'claim tables',
    () => claimTables(sql, of),
    () => vault.claimTables(of),
  );
}
