/** What shards ask of the database: hands, seats, chips and epochs, each statement once or not at all. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
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
  storedTables,
} from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import { setPhase } from '../../src/store/pool-phase.js';
import { freshPool, stopCluster } from '../support/database.js';
import { addAgents, GRANT, HOLDER, openRandomTables, SEQ_STEP, type Seated } from '../support/random-table.js';
import { eventually, FILE_MS } from '../support/limits.js';
import type { HandRecord } from '../../src/table/effects.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

/** Resolves once so many statements wait for a lock that another holds. */
async function untilWaiting(sql: Database, count: number): Promise<void> {
  const query = () => sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(`${count} that wait for a lock`, async () => (await query()).length >= count);
}

/** Holds the row of an entry until `release` is called. */
async function holdEntry(sql: Database, agentId: string): Promise<{ release(): Promise<void> }> {
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select from entries where agent_id = ${agentId} for update`;
  return {
    release: async () => {
      await holder`commit`;
      holder.release();
    },
  };
}

const stacksOf = async (sql: Database, tableId: string) =>
  (
    await sql<{ stack: number }[]>`
    select chips_at_table as stack from entries where table_id = ${tableId} order by seat_no`
  ).map(({ stack }) => stack);

const endStacks = (record: HandRecord) => record.players.map(({ stackEnd }) => stackEnd);

/** Every test leaves the books in order. */
async function booksAreRight(t: Test, sql: Database): Promise<void> {
  t.same((await audit(sql)).problems, [], 'the books are right');
}

/** Tables with a player each, and a stay of an agent without a seat at the first. */
const setUp = async (t: Test, tables = 1) => {
  const sql = await freshPool(t, 20);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { tables, players: 1 });
  const [agentId] = (await addAgents(sql, poolId, 1)) as [string];
  const stay = () => ({
    poolId,
    agentId,
    tableId: randomTables[0]!.tableId,
    seat: 3,
    sitting: randomUUID(),
    amount: 2000,
  });
  return { sql, fence, poolId, randomTables, agentId, stay };
};

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

void t.test('a buy-in', async (t) => {
  await t.test('moves chips from the balance to the seat, once a stay', async (t) => {
    const { sql, fence, agentId, stay } = await setUp(t);
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
    const { sql, fence, randomTables, stay } = await setUp(t, 4);
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
    const { sql, fence, agentId, stay } = await setUp(t);
    const what = stay();
    const entry = await holdEntry(sql, agentId);
    const twins = Array.from({ length: 5 }, () => buyIn(sql, fence, what));
    await untilWaiting(sql, twins.length);
    await entry.release();
    t.same(await Promise.all(twins), Array(5).fill(GRANT - 2000));
    await booksAreRight(t, sql);
  });

  await t.test('into one seat succeeds for one agent', async (t) => {
    const { sql, fence, poolId, stay } = await setUp(t);
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
    const { sql, fence, randomTables, stay } = await setUp(t, 2);
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
    await booksAreRight(t, sql);
  });
});

void t.test('tables', async (t) => {
  await t.test('are found again with their players as they sat', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 2, players: 2 });
    const record = randomTables[1]!.play();
    await commitHands(sql, fence, [record]);
    const [one] = record.players as [HandRecord['players'][number]];
    await sql`update agents set avatar_url = 'https://example.org/a.png', public_profile_slug = 'a', is_house = true,
      name = 'shark' where agent_id = ${one.agentId}`;
    await sql`update entries set premium = true, auto_rebuy = true where agent_id = ${one.agentId}`;
    const stored = await storedTables(sql, { shard: 0 });
    t.equal(stored.length, 2);
    const table = stored.find(({ tableId }) => tableId === record.tableId)!;
    t.match(table, { poolId, handNumber: 1, button: record.button, seqFloor: record.seqReserved });
    t.same(table.sittings[0], {
      sitting: one.sitting,
      seat: one.seat,
      stack: one.stackEnd,
      decksSeen: 0,
      player: {
        agentId: one.agentId,
        name: 'shark',
        avatarUrl: 'https://example.org/a.png',
        publicProfileSlug: 'a',
        isPro: true,
        isHouse: true,
        autoRebuy: true,
      },
    });
    t.match(table.sittings[1], {
      seat: 1,
      player: { avatarUrl: null, isPro: false, isHouse: false, autoRebuy: false },
    });
  });

  await t.test('change hands between shards, and their numbers never fall', async (t) => {
    const sql = await freshPool(t);
    const { fence, poolId, randomTables } = await openRandomTables(sql);
    const { tableId } = randomTables[0]!;
    const other = { shard: 1, epoch: await claimShard(sql, 1, HOLDER) };
    await queries.adoptTable(sql, other, tableId, 3 * SEQ_STEP);
    t.same(
      (await storedTables(sql, { shard: 1 })).map((table) => [table.tableId, table.seqFloor]),
      [[tableId, 3 * SEQ_STEP]],
    );
    t.same(await storedTables(sql, { shard: 0 }), []);
    await queries.reserveSeq(sql, other, tableId, 4 * SEQ_STEP);
    await queries.reserveSeq(sql, other, tableId, SEQ_STEP);
    await queries.adoptTable(sql, other, tableId, SEQ_STEP);
    t.equal((await storedTables(sql, { shard: 1 }))[0]!.seqFloor, 4 * SEQ_STEP);
    await t.rejects(queries.reserveSeq(sql, fence, tableId, 9 * SEQ_STEP), { name: 'WriteRefused', reason: 'table' });
    await t.rejects(queries.adoptTable(sql, fence, randomUUID(), 1), { name: 'WriteRefused', reason: 'table' });
    const fresh = { tableId, poolId, seqReserved: 1 };
    for (const by of [fence, other])
      await t.rejects(openTable(sql, by, fresh), { name: 'WriteRefused', reason: 'table' });
    t.equal(
      (await storedTables(sql, { shard: 1 }))[0]!.seqFloor,
      4 * SEQ_STEP,
      'it is fresh no more, and nothing has changed',
    );
  });

  await t.test('open, and take players, in no phase of their pool but the first', async (t) => {
    const { sql, fence, randomTables, stay } = await setUp(t, 2);
    const { poolId } = randomTables[0]!;
    const opened = { tableId: randomUUID(), poolId, seqReserved: 1 };
    await openTable(sql, fence, opened);
    const pool = { name: 'WriteRefused', reason: 'pool' };
    for (const phase of ['winding_down', 'closing', 'closing_now', 'ended'] as const) {
      await setPhase(sql, poolId, phase);
      await t.rejects(openTable(sql, fence, { ...opened, tableId: randomUUID() }), pool, phase);
      await t.rejects(buyIn(sql, fence, stay()), pool, phase);
      await t.resolves(openTable(sql, fence, opened), 'what was opened before is open');
    }
    await setPhase(sql, poolId, 'open');
    await t.resolves(buyIn(sql, fence, stay()));
    await booksAreRight(t, sql);
  });

  await t.test('open before or after a change of the phase, never beside it', async (t) => {
    const { sql, fence, randomTables } = await setUp(t, 2);
    const { poolId } = randomTables[0]!;
    const holder = await sql.reserve();
    await holder`begin`;
    await setPhase(holder, poolId, 'closing');
    const fresh = { tableId: randomUUID(), poolId, seqReserved: 1 };
    const opening = t.rejects(openTable(sql, fence, fresh), { name: 'WriteRefused', reason: 'pool' });
    await untilWaiting(sql, 1);
    await holder`commit`;
    holder.release();
    await opening;
  });

  await t.test('close only when nobody sits there', async (t) => {
    const sql = await freshPool(t, 8);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 1 });
    const { tableId, seated } = randomTables[0]!;
    await t.rejects(closeTable(sql, fence, tableId), { name: 'WriteRefused', reason: 'occupied' });
    const { agentId, sitting, stack } = seated[0]!;
    await cashOut(sql, fence, { poolId, agentId, sitting, stack });
    await closeTable(sql, fence, tableId);
    await closeTable(sql, fence, tableId);
    t.same(await storedTables(sql, { shard: 0 }), []);
    t.same(await storedTables(sql, { ids: [tableId] }), []);
    await t.rejects(openTable(sql, fence, { tableId, poolId, seqReserved: 1 }), {
      name: 'WriteRefused',
      reason: 'table',
    });
    await t.rejects(queries.adoptTable(sql, fence, tableId, 1), { name: 'WriteRefused', reason: 'table' });
    await booksAreRight(t, sql);
  });

  await t.test('do not close under a buy-in that is under way', async (t) => {
    const sql = await freshPool(t, 8);
    const { fence, poolId } = await openRandomTables(sql, { players: 1 });
    const tableId = randomUUID();
    await openTable(sql, fence, { tableId, poolId, seqReserved: 1 });
    const [agentId] = (await addAgents(sql, poolId, 1)) as [string];
    const entry = await holdEntry(sql, agentId);
    const sits = buyIn(sql, fence, { poolId, agentId, tableId, seat: 0, sitting: randomUUID(), amount: 1000 });
    await untilWaiting(sql, 1);
    const closes = t.rejects(closeTable(sql, fence, tableId), { name: 'WriteRefused', reason: 'occupied' });
    await untilWaiting(sql, 2);
    await entry.release();
    t.equal(await sits, GRANT - 1000);
    await closes;
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
