/** The statements by which shards open, find, take and close tables. */
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
import { setPhase } from '../../src/store/pool-phase.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { holdEntry, untilWaiting } from '../support/locks.js';
import { addAgents, GRANT, HOLDER, openRandomTables, SEQ_STEP } from '../support/random-table.js';
import { booksAreRight, tablesWithNewcomer } from '../support/stored-tables.js';
import type { HandRecord } from '../../src/table/effects.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

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
    const { sql, fence, randomTables, stay } = await tablesWithNewcomer(t, 2);
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
    const { sql, fence, randomTables } = await tablesWithNewcomer(t, 2);
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
