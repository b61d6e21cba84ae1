/**
 * A contradiction at a table ends its hand. The chips go back to the stored state, and the thread's other tables play
 * on.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { AssertionFailed } from '../../src/ops/assert.js';
import { buyIn, cashOut, commitHands, CommitRefused } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';
import { stopCluster } from '../support/database.js';
import { FAULTS } from '../support/faulty-shard.js';
import { FILE_MS } from '../support/limits.js';
import { ShardHouse } from '../support/shard-house.js';
import { entry, resultsOf, sentHands } from '../support/shard-bots.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('a table that is called against its promises plays on from its last hand', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const [mine, other] = [await house.game(0, 3), await house.game(0, 2)];
  await house.until(() => resultsOf(mine.bots) >= 3 && resultsOf(other.bots) >= 3);
  const results = resultsOf(mine.bots);
  house.inflict(mine.bots[0]!, FAULTS.contradict);
  await house.until(() => house.log.some(({ detail }) => detail['table'] === mine.table));
  const [line] = house.log;
  t.match(line, { level: 'error', message: /^a hand is void/, detail: { error: 'a buy-in has reserved its seat: 5' } });
  await house.until(() => resultsOf(mine.bots) > results + 3);
  const neighbours = resultsOf(other.bots);
  await house.until(() => resultsOf(other.bots) > neighbours);
  t.same(house.lost, [], 'the thread lives');
  await house.pool.drain(5000);
  const { hands, stacks } = await house.stored(mine.table);
  t.same(
    sentHands(mine.bots).filter((hand) => !hands.includes(hand)),
    [],
    'no result that was sent is lost',
  );
  t.equal(stacks.size, 3, 'all players have their seats');
  t.equal(await house.surplus(), 0);
});

/** Statements that break an assertion are refused before the database is asked. */
const unasked = (() => {
  throw new Error('the database was asked');
}) as unknown as Database;
const fence = { shard: 0, epoch: 1 };

await t.test('a hand that makes chips is refused, and no statement runs', async (t) => {
  const player = { agentId: randomUUID(), sitting: randomUUID(), seat: 0, stackStart: 100, stackEnd: 150 };
  const rest = { handNumber: 1, handId: randomUUID(), tableId: randomUUID() };
  const record = { ...rest, players: [player, { ...player, seat: 1, stackEnd: 100 }] } as HandRecord;
  await t.rejects(commitHands(unasked, fence, [record]), CommitRefused);
  const back = { ...record, handNumber: 3, handBefore: 3 };
  await t.rejects(commitHands(unasked, fence, [back]), { message: /the numbers of hands rise/ });
});

await t.test('chips that are not whole do not move', async (t) => {
  const stay = { poolId: randomUUID(), agentId: randomUUID(), sitting: randomUUID() };
  await t.rejects(buyIn(unasked, fence, { ...stay, tableId: randomUUID(), seat: 0, amount: 0.5 }), AssertionFailed);
  await t.rejects(cashOut(unasked, fence, { ...stay, stack: -1 }), AssertionFailed);
});
