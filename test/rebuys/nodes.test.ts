/** Rebuys of a platform of two nodes: each is granted once, by the node where its agent is at home. */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

async function twoNodes(t: Parameters<typeof SeasonHouse.open>[0]) {
  const leader = await SeasonHouse.open(t);
  const follower = await SeasonHouse.open(t, {}, leader.address, false);
  const home = ({ nodeId }: SeasonHouse, agentId: string) =>
    leader.sql`insert into homes (agent_id, node_id) values (${agentId}, ${nodeId})`;
  return { leader, follower, home };
}

await t.test('a bust at a node that follows is settled there', async (t) => {
  const { leader, follower, home } = await twoNodes(t);
  const agentId = await follower.broke({ autoRebuy: true });
  await home(follower, agentId);
  follower.busts(agentId);
  await follower.lobby.until((call) => call.type === 'rebuy_confirmed');
  t.same(follower.lobby.sentTo(agentId), ['auto_rebuy_scheduled', 'rebuy_confirmed']);
  t.match((await leader.books(agentId)).entry, { chip_balance: 1500, rebuys: 1 });
});

await t.test('of two nodes that settle one bust at once, one grants', async (t) => {
  const { leader, follower } = await twoNodes(t);
  for (let round = 0; round < 5; round++) {
    const agentId = await follower.broke({ autoRebuy: true });
    for (const house of [leader, follower]) house.busts(agentId);
    for (const { lobby } of [leader, follower]) {
      await lobby.until(
        (call) => call.agentId === agentId && ['busted', 'rebuy_confirmed'].includes(String(call.type)),
      );
    }
    const { entry, ledger, agrees } = await leader.books(agentId);
    t.match(entry, { chip_balance: 1500, rebuys: 1 });
    t.equal(ledger.filter(({ type }) => type === 'rebuy').length, 1);
    t.ok(agrees);
  }
});

await t.test('a rebuy that is due is granted by the home of its agent, and by the leader without one', async (t) => {
  const { leader, follower, home } = await twoNodes(t);
  const waiting = async (house: SeasonHouse) => {
    const agentId = await house.broke({ autoRebuy: true });
    await house.seasons.play.rebuy(agentId);
    await house.loseAllBut(agentId, 0);
    house.busts(agentId);
    await house.lobby.until((call) => call.agentId === agentId && call.type === 'auto_rebuy_scheduled');
    return agentId;
  };
  const guest = await waiting(follower);
  const gone = await waiting(follower);
  await home(follower, guest);
  // The guest's is due for longer: who grants all that is due begins with it.
  await leader.age(guest, 700);
  await leader.age(gone, 650);
  await leader.seasons.refresh();
  await leader.passUntilSent(gone, 'rebuy_confirmed');
  t.same(leader.lobby.sentTo(guest), []);
  t.match((await leader.books(guest)).entry, { rebuys: 1 });

  await follower.seasons.refresh();
  await follower.passUntil(() => follower.lobby.sentTo(guest).includes('rebuy_confirmed'));
  t.match((await leader.books(guest)).entry, { rebuys: 2, rebuy_due_at: null });
  t.match((await leader.books(gone)).entry, { rebuys: 2 }, 'once');
});
