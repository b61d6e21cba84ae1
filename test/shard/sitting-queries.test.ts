/** Buy-ins and cash-outs: each moves its chips once or not at all, also under concurrency. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import * as queries from '../../src/shard/commit/queries.js';
import {
  buyIn,
  cashOut,
  claimShard,
  closeTable,
  commitHands,
  openTable,
  rememberedStay,
} from '../../src/shard/commit/queries.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { holdEntry, untilWaiting } from '../support/locks.js';
import { addAgents, GRANT, HOLDER, openRandomTables, type Seated } from '../support/random-table.js';
import { booksAreRight, stacksOf, tablesWithNewcomer } from '../support/stored-tables.js';
import type { HandRecord } from '../../src/table/effects.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

void t.test('a buy-in', async (t) => {
  await t.test('moves chips from the balance to the seat, once a stay', async (t) => {
    const { sql, fence, agentId, stay } = await tablesWithNewcomer(t);
    const what = stay();
    t.equal(await buyIn(sql, fence, what), GRANT - 2000);
    t.equal(await buyIn(sql, fence, what), GRANT - 2000, 'repeated');
    const [entry] = await sql`
      select chip_balance as balance, chips_at_table as chips, table_id as "tableId", seat_no as seat, sitting
      from entries where agent_id = ${agentId}`;
    const { tableId, seat, sitting } = what;
    t.same(entry, { balance: GRANT - 2000, chips: 2000, tableId, seat, sitting });
    t.same(
      await sql`select type, amount, balance_after as after, sitting from chip_ledger
        where agent_id = ${agentId} order by entry_id`,
      [
        { type: 'grant', amount: GRANT, after: GRANT, sitting: null },
        { type: 'buy_in', amount: -2000, after: GRANT - 2000, sitting },
      ],
    );
    await booksAreRight(t, sql);
  });

  await t.test('of one agent happens once among a hundred at once', async (t) => {
    const { sql, fence, randomTables, stay } = await tablesWithNewcomer(t, 4);
    const tries = Array.from({ length: 100 }, (_, i) => {
      const { tableId } = randomTables[i % randomTables.length]!;
      return buyIn(sql, fence, { ...stay(), tableId, seat: 1 + (i % 5) });
    });
    const results = await Promise.allSettled(tries);
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    t.ok(refusals.every((error) => error instanceof queries.WriteRefused && error.reason === 'seated'));
    await booksAreRight(t, sql);
  });

  await t.test('that is asked again while it is under way is one buy-in', async (t) => {
    const { sql, fence, agentId, stay } = await tablesWithNewcomer(t);
    const what = stay();
    const entry = await holdEntry(sql, agentId);
    const twins = Array.from({ length: 5 }, () => buyIn(sql, fence, what));
    await untilWaiting(sql, twins.length);
    await entry.release();
    t.same(await Promise.all(twins), Array(5).fill(GRANT - 2000));
    await booksAreRight(t, sql);
  });

  await t.test('into one seat succeeds for one agent', async (t) => {
    const { sql, fence, poolId, stay } = await tablesWithNewcomer(t);
    const agents = await addAgents(sql, poolId, 10);
    const results = await Promise.allSettled(agents.map((agentId) => buyIn(sql, fence, { ...stay(), agentId })));
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as queries.WriteRefused] : [],
    );
    t.same(new Set(refusals.map(({ reason }) => reason)), new Set(['seat_taken']));
    await booksAreRight(t, sql);
  });

  await t.test('says why it is refused, and changes nothing', async (t) => {
    const { sql, fence, randomTables, stay } = await tablesWithNewcomer(t, 2);
    const closed = randomUUID();
    const { poolId } = randomTables[0]!;
    await openTable(sql, fence, { tableId: closed, poolId, seqReserved: 1 });
    await closeTable(sql, fence, closed);
    const other = { shard: 3, epoch: await claimShard(sql, 3, HOLDER) };
    const seated = randomTables[1]!.seated[0]!.agentId;
    const reasons = {
      balance: [fence, { ...stay(), amount: GRANT + 1 }],
      seated: [fence, { ...stay(), agentId: seated }],
      no_entry: [fence, { ...stay(), agentId: randomUUID() }],
      seat_taken: [fence, { ...stay(), seat: 0 }],
      table: [fence, { ...stay(), tableId: closed }],
    } as const;
    for (const [reason, [by, what]] of Object.entries(reasons)) {
      await t.rejects(buyIn(sql, by, what), { name: 'WriteRefused', reason }, reason);
    }
    await t.rejects(buyIn(sql, other, stay()), { name: 'WriteRefused', reason: 'table' }, "another shard's table");
    const stayOf = { ...stay(), sitting: randomTables[1]!.seated[0]!.sitting };
    await t.rejects(buyIn(sql, fence, stayOf), { name: 'WriteRefused', reason: 'sitting' }, "another agent's stay");
    await t.rejects(buyIn(sql, fence, { ...stay(), amount: 0 }), { name: 'Refused' }, 'nothing');
    await t.rejects(buyIn(sql, fence, { ...stay(), amount: -500 }), { name: 'Refused' }, 'less than nothing');
    await booksAreRight(t, sql);
  });
});

void t.test('a cash-out', async (t) => {
  await t.test('puts the stack back on the balance, once a stay', async (t) => {
    const sql = await freshPool(t, 10);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 2 });
    const record = randomTables[0]!.play();
    await commitHands(sql, fence, [record]);
    const [player] = record.players as [HandRecord['players'][number]];
    const stay = { poolId, agentId: player.agentId, sitting: player.sitting, stack: player.stackEnd };
    const after = GRANT - 2000 + player.stackEnd;
    const entry = await holdEntry(sql, player.agentId);
    const twins = Array.from({ length: 5 }, () => cashOut(sql, fence, stay));
    await untilWaiting(sql, twins.length);
    await entry.release();
    t.same(await Promise.all(twins), Array(5).fill(after), 'asked again while it is under way');
    t.equal(await cashOut(sql, fence, stay), after, 'repeated later');
    const again = {
      poolId,
      agentId: player.agentId,
      tableId: record.tableId,
      seat: 4,
      sitting: randomUUID(),
      amount: 1000,
    };
    t.equal(await buyIn(sql, fence, again), after - 1000);
    t.equal(await cashOut(sql, fence, stay), after, 'the ended stay is ended, whatever came later');
    await cashOut(sql, fence, { ...again, stack: 1000 });
    await t.rejects(
      buyIn(sql, fence, again),
      { name: 'WriteRefused', reason: 'sitting' },
      'it does not begin once more',
    );
    await booksAreRight(t, sql);
  });

  await t.test('keeps what a leave owes in blinds, for its time', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 2 });
    const [{ agentId, sitting, stack }, other] = randomTables[0]!.seated as [Seated, Seated];
    const left = { paidHands: 3, excused: true };
    await cashOut(sql, fence, { poolId, agentId, sitting, stack, owes: { ...left, forMs: 300_000 } });
    t.same(await rememberedStay(sql, poolId, agentId), { decksSeen: 0, left });
    const past = { ...other, poolId, owes: { ...left, forMs: -1 } };
    await cashOut(sql, fence, past);
    t.same(await rememberedStay(sql, poolId, other.agentId), { decksSeen: 0 });
    const again = { poolId, agentId, tableId: randomTables[0]!.tableId, seat: 4, sitting: randomUUID(), amount: 1000 };
    await buyIn(sql, fence, again);
    await cashOut(sql, fence, { ...again, stack: 1000 });
    t.same(await rememberedStay(sql, poolId, agentId), { decksSeen: 0 }, 'of the last stay only');
  });

  await t.test('says why it is refused, and changes nothing', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 2 });
    const { agentId, sitting, stack } = randomTables[0]!.seated[0]!;
    const stay = { poolId, agentId, sitting, stack };
    const other = { shard: 3, epoch: await claimShard(sql, 3, HOLDER) };
    await t.rejects(cashOut(sql, fence, { ...stay, stack: stack + 1 }), { name: 'WriteRefused', reason: 'stack' });
    await t.rejects(cashOut(sql, fence, { ...stay, sitting: randomUUID() }), {
      name: 'WriteRefused',
      reason: 'sitting',
    });
    await t.rejects(cashOut(sql, other, stay), { name: 'WriteRefused', reason: 'table' });
    t.same(await stacksOf(sql, randomTables[0]!.tableId), [2000, 2000]);
    await cashOut(sql, fence, stay);
    const another = { ...stay, agentId: randomTables[0]!.seated[1]!.agentId };
    await t.rejects(cashOut(sql, fence, another), { name: 'WriteRefused', reason: 'sitting' }, "another agent's stay");
    await booksAreRight(t, sql);
  });
});

void t.test('the books stay right whatever happens at once', async (t) => {
  const seed = Number(process.env['SEED'] ?? Date.now());
  t.comment(`SEED=${seed}`);
  const random = seededRandom(seed);
  const sql = await freshPool(t, 10);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 4, players: 3, seed });
  const agents = await addAgents(sql, poolId, 8);
  for (let round = 0; round < 25; round++) {
    const playing = randomTables.filter(
      (randomTable) => randomTable.seated.filter(({ stack }) => stack > 0).length > 1,
    );
    const hands = playing.map((randomTable) => randomTable.play());
    const guests = agents.map(async (agentId) => {
      const { tableId } = randomTables[uniformBelow(randomTables.length, random)]!;
      const sitting = randomUUID();
      const amount = 500 + uniformBelow(5000, random);
      const seat = 3 + uniformBelow(3, random);
      try {
        await buyIn(sql, fence, { poolId, agentId, tableId, seat, sitting, amount });
      } catch (error) {
        if (!(error instanceof queries.WriteRefused)) throw error;
        return;
      }
      await cashOut(sql, fence, { poolId, agentId, sitting, stack: amount });
    });
    await Promise.all([commitHands(sql, fence, hands), ...guests, commitHands(sql, fence, hands)]);
  }
  await booksAreRight(t, sql);
});
