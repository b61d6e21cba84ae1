/** Each pool has its share of a shard's time while pools contend. */
import * as fc from 'fast-check';
import t from 'tap';
import { PoolShares } from '../../src/shard/host/pool-shares.js';

const [ROUND_MS, STEP_MS] = [100, 1];
const [IDLE, BUSY] = [0.3, 0.95];
const WAITED = { much: 50, little: 1 };

interface Pool {
  /** The ms of the shard's time that a hand takes. */
  cost: number;
  tables: number;
  /** The ms between two hands. */
  pause: number;
}

/** Plays pools on one shard: one hand at a time, the longest due first. Returns the time that each used, in ms. */
function played(pools: readonly Pool[], totalMs: number, waitedMs: number, utilization = IDLE): number[] {
  const shares = new PoolShares();
  const tables = pools.flatMap((pool, id) => Array.from({ length: pool.tables }, () => ({ id, pool, due: 0 })));
  for (const { id } of tables) shares.opened(String(id));
  const used = pools.map(() => 0);
  shares.round(0, waitedMs, utilization);
  let round = ROUND_MS;
  for (let now = 0; now < totalMs;) {
    if (now >= round) {
      shares.round(now, waitedMs, utilization);
      round += ROUND_MS;
    }
    const next = tables.reduce((first, table) => (table.due < first.due ? table : first));
    if (next.due > now) {
      now += STEP_MS;
      continue;
    }
    const wait = shares.waitOf(String(next.id), now);
    if (wait > 0) {
      next.due = now + wait;
      continue;
    }
    now += next.pool.cost;
    used[next.id]! += next.pool.cost;
    shares.spent(String(next.id), next.pool.cost);
    next.due = now + next.pool.pause;
  }
  return used;
}

const TOTAL_MS = 5000;
/** A pool may run a little ahead, and finishes its hand. */
const SLACK = 0.04 * TOTAL_MS;

void t.test('a pool without pause leaves half of the time to the others, however many tables it has', (t) => {
  const greedy = fc.record({ cost: fc.integer({ min: 1, max: 5 }), tables: fc.integer({ min: 5, max: 60 }) });
  const other = fc.record({
    cost: fc.integer({ min: 1, max: 5 }),
    tables: fc.integer({ min: 1, max: 20 }),
    pause: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(greedy, fc.array(other, { minLength: 1, maxLength: 3 }), (most, others) => {
      const [used = 0, ...rest] = played([{ ...most, pause: 0 }, ...others], TOTAL_MS, WAITED.much);
      const wanted = others.map(({ cost, tables, pause }) => (TOTAL_MS * tables * cost) / (cost + pause));
      // Costs are unknown before the first round ends: each table may have begun a hand.
      const slack = SLACK + most.cost * most.tables;
      if (used > TOTAL_MS / 2 + slack) return false;
      // The others have what they want, or half of the time together. Each one gets a part of it.
      const all = rest.reduce((sum, ms) => sum + ms, 0);
      const want = wanted.reduce((sum, ms) => sum + ms, 0);
      return all >= Math.min(want * 0.5, TOTAL_MS / 2) - slack && rest.every((ms) => ms > 0);
    }),
    { numRuns: 200 },
  );
  t.end();
});

void t.test('while nothing waits, or nobody else plays, no pool is held up', (t) => {
  const pools = [
    { cost: 2, tables: 20, pause: 0 },
    { cost: 2, tables: 1, pause: 1000 },
  ];
  t.ok(played(pools, TOTAL_MS, WAITED.little)[0]! > 0.95 * TOTAL_MS, 'messages are read at once');
  t.ok(played([pools[0]!], TOTAL_MS, WAITED.much)[0]! > 0.95 * TOTAL_MS, 'one pool has all');

  const shares = new PoolShares();
  for (const pool of ['a', 'b', 'b']) shares.opened(pool);
  shares.spent('a', 1000);
  shares.round(100, WAITED.much, IDLE);
  t.equal(shares.waitOf('a', 100), 0, 'the tables of the other pool do nothing');
  shares.spent('a', 1000);
  shares.spent('b', 1);
  shares.round(200, WAITED.little, BUSY);
  t.ok(shares.waitOf('a', 200) > 0);
  t.equal(shares.waitOf('b', 200), 0);
  shares.gone('b');
  t.ok(shares.counts);
  shares.gone('b');
  t.notOk(shares.counts);
  t.equal(shares.waitOf('a', 200), 0, 'it is alone');
  t.end();
});
