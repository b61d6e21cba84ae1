/** Hands that a shard stores, the chips that go to a balance afterwards, and the fence before all of its writes. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import * as queries from '../../src/shard/commit/queries.js';
import {
  buyIn,
  cashOut,
  claimShard,
  closeTable,
  commitHands,
  openTable,
  storedTables,
} from '../../src/shard/commit/queries.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { holdEntry, untilWaiting } from '../support/locks.js';
import { addAgents, GRANT, HOLDER, openRandomTables, SEQ_STEP } from '../support/random-table.js';
import { booksAreRight, endStacks, stacksOf } from '../support/stored-tables.js';
import type { HandRecord } from '../../src/table/effects.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

void t.test('a commit', async (t) => {
  await t.test('stores the hand, its players, their stacks and the last hand of the table', async (t) => {
    const sql = await freshPool(t);
    const { fence, randomTables } = await openRandomTables(sql, { players: 4 });
    const [first, second] = [randomTables[0]!.play(), randomTables[0]!.play()];
    await commitHands(sql, fence, [first]);
    await commitHands(sql, fence, [second]);
    t.same(await stacksOf(sql, first.tableId), endStacks(second));
    t.match(await storedTables(sql, { shard: 0 }), [
      { handNumber: 2, button: second.button, bigBlindSeat: second.bigBlindSeat, seqFloor: second.seqReserved },
    ]);
    const [counts] = await sql`
      select sum(hands_played)::int8 as played, sum(hands_won)::int8 as won, (select count(*) from hand_players) as rows
      from entries`;
    const winners = [first, second].flatMap(({ players }) => players.filter((p) => p.stackEnd > p.stackStart));
    t.same(counts, { played: 8, won: winners.length, rows: 8 });
    await booksAreRight(t, sql);
  });

  await t.test('may be repeated, whole or with new hands beside, at once or later', async (t) => {
    const sql = await freshPool(t);
    const { fence, randomTables } = await openRandomTables(sql, { tables: 3 });
    const [a, b, c] = randomTables.map((randomTable) => randomTable.play()) as [HandRecord, HandRecord, HandRecord];
    await Promise.all([1, 2, 3].map(() => commitHands(sql, fence, [a, b])));
    await commitHands(sql, fence, [b, c]);
    await commitHands(sql, fence, [a, b, c]);
    await commitHands(sql, fence, []);
    t.same(await sql`select count(*) as hands from hands`, [{ hands: 3 }]);
    await booksAreRight(t, sql);
  });

  await t.test('takes many tables at once', async (t) => {
    const sql = await freshPool(t);
    const { fence, randomTables } = await openRandomTables(sql, { tables: 50, players: 2 });
    for (let round = 0; round < 3; round++) {
      await commitHands(
        sql,
        fence,
        randomTables.map((randomTable) => randomTable.play()),
      );
    }
    t.same(await sql`select count(*) as hands from hands`, [{ hands: 150 }]);
    await booksAreRight(t, sql);
  });

  await t.test('of a hand that does not continue what is stored is refused, with all beside it', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 2, players: 3 });
    const good = randomTables[0]!.play();
    const base = randomTables[1]!.play();
    const [player, ...others] = base.players as [HandRecord['players'][number], ...HandRecord['players']];
    const other = { shard: 7, epoch: await claimShard(sql, 7, HOLDER) };
    const bad: Record<string, HandRecord> = {
      'a gap in the numbers': { ...base, handNumber: 2 },
      'a number again': { ...base, handNumber: 0 },
      'a hand before that was another': { ...base, handNumber: 9, handBefore: 1 },
      'a number that is not above the one before': { ...base, handNumber: 0, handBefore: 0 },
      'another stack at the start': {
        ...base,
        players: [{ ...player, stackStart: player.stackStart + 1, stackEnd: player.stackEnd + 1 }, ...others],
      },
      'chips out of nowhere': { ...base, players: [{ ...player, stackEnd: player.stackEnd + 1 }, ...others] },
      'a negative stack': { ...base, players: [{ ...player, stackEnd: -1 }, ...others] },
      'an earlier stay': { ...base, players: [{ ...player, sitting: randomUUID() }, ...others] },
      'another seat': { ...base, players: [{ ...player, seat: 5 }, ...others] },
      'a player twice': { ...base, players: [player, player, ...others] },
      'an unknown pool': { ...base, poolId: randomUUID() },
      'a table that is not there': { ...base, tableId: randomUUID() },
      'an id that is none': { ...base, handId: 'hand 1' },
      'a card that is none': { ...base, board: [256, 1, 2, 3, 4] },
      'half a chip': { ...base, totalPot: 30.5 },
    };
    for (const [name, record] of Object.entries(bad)) {
      await t.rejects(commitHands(sql, fence, [good, record]), { name: 'CommitRefused' }, name);
    }
    await t.rejects(commitHands(sql, other, [base]), { name: 'CommitRefused' }, "another shard's table");
    const next = { ...randomTables[1]!.play(), handNumber: 1 };
    await t.rejects(commitHands(sql, fence, [base, next]), { name: 'CommitRefused' }, 'two hands of a table');
    t.same(await sql`select from hands`, [], 'nothing was stored');
    t.same(await stacksOf(sql, base.tableId), [2000, 2000, 2000]);
    await commitHands(sql, fence, [good]);
    await commitHands(sql, fence, [base]);
    t.same(await sql`select count(*) as hands from hands where pool_id = ${poolId}`, [{ hands: 2 }]);
    await booksAreRight(t, sql);
  });
});

void t.test('an excess goes to the balance once, however often it is asked for', async (t) => {
  const sql = await freshPool(t, 10);
  const { fence, poolId, randomTables } = await openRandomTables(sql);
  const [{ agentId, sitting }] = randomTables[0]!.seated as [(typeof randomTables)[0]['seated'][0]];
  const handId = randomUUID();
  const what = { poolId, agentId, sitting, stack: 2000, excess: 600, handId };
  const balance = GRANT - 2000;
  const entry = await holdEntry(sql, agentId);
  const twins = Array.from({ length: 5 }, () => queries.skim(sql, fence, what));
  await untilWaiting(sql, twins.length);
  await entry.release();
  t.same(await Promise.all(twins), Array(5).fill(balance + 600));
  t.equal(await queries.skim(sql, fence, what), balance + 600, 'repeated later');
  t.same(
    await sql`select amount, balance_after, hand_id from chip_ledger where agent_id = ${agentId} and type = 'skim'`,
    [{ amount: 600, balance_after: balance + 600, hand_id: handId }],
  );
  await booksAreRight(t, sql);
  await t.rejects(queries.skim(sql, fence, { ...what, stack: 5000 }), { name: 'WriteRefused', reason: 'stack' });
  const strange = { ...what, sitting: randomUUID() };
  await t.rejects(queries.skim(sql, fence, strange), { name: 'WriteRefused', reason: 'sitting' });
  const older = { ...fence, epoch: fence.epoch - 1 };
  await t.rejects(queries.skim(sql, older, { ...what, stack: 1400 }), { name: 'Fenced' });
  await queries.cashOut(sql, fence, { poolId, agentId, sitting, stack: 1400 });
  await booksAreRight(t, sql);
});

void t.test('the fence', async (t) => {
  await t.test('stops every write of an older epoch', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql);
    const [randomTable] = randomTables as [(typeof randomTables)[0]];
    const record = randomTable.play();
    const [{ agentId, sitting }] = randomTable.seated as [(typeof randomTable.seated)[0]];
    const [newcomer] = (await addAgents(sql, poolId, 1)) as [string];
    t.equal(await claimShard(sql, fence.shard, HOLDER), fence.epoch + 1);

    const { tableId } = randomTable;
    const stay = { poolId, agentId: newcomer, tableId, seat: 5, sitting: randomUUID(), amount: 1000 };
    const writes: Record<string, () => Promise<unknown>> = {
      commitHands: () => commitHands(sql, fence, [record]),
      buyIn: () => buyIn(sql, fence, stay),
      skim: () => queries.skim(sql, fence, { poolId, agentId, sitting, stack: 2000, excess: 5, handId: null }),
      cashOut: () => cashOut(sql, fence, { poolId, agentId, sitting, stack: 2000 }),
      openTable: () => openTable(sql, fence, { tableId: randomUUID(), poolId, seqReserved: 0 }),
      adoptTable: () => queries.adoptTable(sql, fence, tableId, SEQ_STEP),
      reserveSeq: () => queries.reserveSeq(sql, fence, tableId, 2 * SEQ_STEP),
      closeTable: () => closeTable(sql, fence, tableId),
    };
    for (const [name, write] of Object.entries(writes)) await t.rejects(write(), { name: 'Fenced' }, name);
    await t.rejects(commitHands(sql, { shard: 99, epoch: 1 }, [record]), { name: 'Fenced' }, 'a shard never claimed');
    t.same(await sql`select from hands`, []);
    t.equal((await storedTables(sql, { shard: 0 }))[0]!.seqFloor, SEQ_STEP);
    await booksAreRight(t, sql);
  });

  await t.test('rises only after a commit under way, which counts', async (t) => {
    const sql = await freshPool(t, 6);
    const { fence, randomTables } = await openRandomTables(sql);
    const record = randomTables[0]!.play();
    const entry = await holdEntry(sql, record.players[0]!.agentId);
    const commit = commitHands(sql, fence, [record]);
    await untilWaiting(sql, 1);
    const order: string[] = [];
    const claim = claimShard(sql, fence.shard, HOLDER).then(() => order.push('claimed'));
    await untilWaiting(sql, 2);
    await entry.release();
    await Promise.all([commit.then(() => order.push('committed')), claim]);
    t.same(await stacksOf(sql, record.tableId), endStacks(record));
    await t.rejects(commitHands(sql, fence, [randomTables[0]!.play()]), { name: 'Fenced' });
    await booksAreRight(t, sql);
  });

  await t.test('that is rising makes a commit wait, and fail', async (t) => {
    const sql = await freshPool(t, 6);
    const { fence, randomTables } = await openRandomTables(sql);
    const claimer = await sql.reserve();
    await claimer`begin`;
    await claimShard(claimer, fence.shard, HOLDER);
    const commit = commitHands(sql, fence, [randomTables[0]!.play()]);
    const failed = t.rejects(commit, { name: 'Fenced' });
    await untilWaiting(sql, 1);
    await claimer`commit`;
    claimer.release();
    await failed;
    t.same(await sql`select from hands`, []);
    await booksAreRight(t, sql);
  });
});
