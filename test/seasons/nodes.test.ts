/** A season of a platform of two nodes: the leader's clock waits for the tables of both, and each tells its own sessions. */
import t, { type Test } from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const ENV = { SEASON_SECONDS: '1000', WIND_DOWN_SECONDS: '100' };

async function twoNodes(t: Test) {
  const leader = await SeasonHouse.open(t, ENV);
  const follower = await SeasonHouse.open(t, ENV, leader.address, false);
  leader.announce = () => follower.seasons.season.look();
  return { leader, follower };
}

await t.test("a season ends once no node has a table of it, and both nodes' sessions hear of it", async (t) => {
  const { leader, follower } = await twoNodes(t);
  const first = leader.poolId;
  const agentId = await follower.agent();
  await follower.seasons.play.enter(agentId);
  await follower.seat(agentId, 2000);
  let closed: () => void = () => undefined;
  follower.lobby.closing = new Promise((resolve) => (closed = resolve));

  await leader.clock.advance(1_000_000);
  for (const { lobby } of [leader, follower]) {
    t.match(await lobby.until(({ call }) => call === 'closePool'), { poolId: first, reason: 'season_ended' });
  }
  await leader.passUntil(() => leader.log.includes('season waits for seats'));
  t.equal(leader.log.filter((line) => line === 'season waits for seats').length, 1, 'said once');
  await follower.unseat(agentId);
  await leader.clock.advance(8000);
  t.equal(leader.poolId, first, 'the table is still open');
  t.match(await leader.sql`select status from seasons`, [{ status: 'active' }]);

  closed();
  await leader.passUntil(() => leader.poolId !== first);
  for (const { lobby } of [leader, follower]) {
    await lobby.until(({ call }) => call === 'seasonOpened');
    const after = lobby.calls
      .map(({ call }) => call)
      .filter((call) => ['broadcast', 'seasonOpened'].includes(String(call)));
    t.same(after, ['broadcast', 'seasonOpened'], 'the old season is over before the lobby opens');
  }
  t.equal(follower.poolId, leader.poolId);
  t.ok((await leader.books(agentId, first)).agrees);
});

await t.test('a node that missed the notice looks before it refuses anybody', async (t) => {
  const { leader, follower } = await twoNodes(t);
  leader.announce = () => Promise.resolve();
  const first = leader.poolId;
  await leader.passUntil(() => leader.poolId !== first);
  t.equal(follower.poolId, first);
  const agentId = await follower.agent();
  t.match(await follower.seasons.play.enter(agentId), { kind: 'entered', entry: { poolId: leader.poolId } });
  t.match(await follower.lobby.until(({ call }) => call === 'broadcast'), { type: 'season_ended' });
});

await t.test('a node that follows takes no step of the clocks', async (t) => {
  const { leader, follower } = await twoNodes(t);
  await leader.stop();
  await follower.clock.advance(2_000_000);
  await follower.sql`select`;
  t.match(await follower.sql`select s.status, phase from seasons s join pools on pool_id = season_id`, [
    { status: 'active', phase: 'open' },
  ]);
  // Started, its clock goes on where the leader stopped.
  follower.leadership.leads = true;
  await follower.seasons.lead.start();
  await follower.passUntil(() => follower.lobby.calls.some(({ call }) => call === 'broadcast'));
  t.match(await follower.sql`select count(*) from seasons where status = 'active'`, [{ count: 1 }]);
});
