/** Competitions of a platform of two nodes: each has them as they are stored, whichever node changed them. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Notice } from '../../src/ops/notices.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** `connected`: each hears of the other's changes; else they go by the rows alone. */
async function twoNodes(t: Test, connected: boolean) {
  const leader = await CompetitionHouse.open(t);
  const follower = await CompetitionHouse.open(t, { address: leader.address, clock: leader.clock, leads: false });
  const notices: Notice[] = [];
  const hears = (house: CompetitionHouse) => async (notice: Notice) => {
    notices.push(notice);
    if (connected && notice.kind === 'competition_changed') await house.competitions.heard(notice);
  };
  leader.announce = hears(follower);
  follower.announce = hears(leader);
  return { leader, follower, notices };
}

const active = async (house: CompetitionHouse) => {
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment');
  await house.join(id, organizer);
  await house.steps(id, organizer, 'startCompetition');
  return { id, organizer };
};

await t.test('what a follower changes, the leader ends in time, and both close their tables', async (t) => {
  const { leader, follower } = await twoNodes(t, true);
  const { id } = await active(follower);
  // The leader hears of it, and reads the rows.
  while (leader.pools.of(id)?.state !== 'active') await leader.sql`select`;
  let closed: () => void = () => undefined;
  const table = randomUUID();
  await follower.sql`insert into tables (table_id, pool_id, shard_no, seq_reserved) values (${table}, ${id}, 0, 0)`;
  follower.lobby.closing = new Promise((resolve) => (closed = resolve));
  follower.lobby.closesTables = async () =>
    void (await follower.sql`update tables set status = 'closed', closed_at = now()`);
  await leader.pass(24);
  for (const { lobby } of [leader, follower]) {
    await lobby.until(({ call, voidHands }) => call === 'closePool' && voidHands === true);
  }
  await leader.clock.advance(8000);
  t.equal(await leader.stateOf(id), 'ending', 'a table is still open at the follower');
  closed();
  while ((await leader.stateOf(id)) !== 'results_pending') await leader.clock.advance(1000);
  for (const { pools, sql } of [leader, follower]) {
    while (pools.of(id)?.state !== 'results_pending') await sql`select`;
  }
});

await t.test('without a notice the rows tell', async (t) => {
  const { leader, follower } = await twoNodes(t, false);
  const { id, organizer } = await active(follower);
  t.equal(leader.pools.of(id), undefined);
  t.equal(await leader.competitions.play.admit(organizer, id), 'ok', 'nobody is refused for that');
  t.equal(await leader.competitions.play.admit(await leader.agent(), id), 'not_participant');
  t.equal(await leader.competitions.play.admit(organizer, 'no id'), 'not_participant');
  await follower.steps(id, organizer, 'pauseCompetition');
  await leader.competitions.refresh();
  t.match(leader.lobby.calls.at(-1), { call: 'windDown', poolId: id });
  await follower.steps(id, organizer, 'resumeCompetition');
  await leader.competitions.refresh();
  t.match(leader.lobby.calls.at(-1), { call: 'resumePool', poolId: id });
  const calls = leader.lobby.calls.length;
  await leader.competitions.refresh();
  t.equal(leader.lobby.calls.length, calls, 'what is known is not done again');
  await follower.steps(id, organizer, 'endCompetition');
  await leader.competitions.refresh();
  await leader.untilState(id, 'results_pending');
  t.match(
    leader.lobby.calls.find(({ call }) => call === 'closePool'),
    { poolId: id, voidHands: false },
  );
  await follower.competitions.refresh();
  t.equal(follower.pools.of(id)?.state, 'results_pending');
});

await t.test('who takes part no more is dismissed at both nodes before the answer', async (t) => {
  const { leader, follower, notices } = await twoNodes(t, true);
  const { id, organizer } = await active(leader);
  const bob = await leader.agent();
  await leader.join(id, bob);
  const remove = { agentId: organizer, params: { competition_id: id, agent_id: bob }, body: {} };
  t.match(await leader.ask('removeParticipant', remove), { status: 200 });
  t.match(notices.at(-1), { competitionId: id, dismissed: bob });
  const dismissals = ({ lobby }: CompetitionHouse) => lobby.calls.filter(({ call }) => call === 'dismiss');
  for (const house of [leader, follower]) t.match(dismissals(house), [{ agentId: bob, competitionId: id }]);
});

await t.test('who takes part no more is dismissed by the rows, too; who is back is not', async (t) => {
  const { leader, follower } = await twoNodes(t, false);
  const { id, organizer } = await active(leader);
  const [bob, eve] = [await leader.agent(), await leader.agent()];
  for (const agentId of [bob, eve]) {
    await leader.join(id, agentId);
    const of = { agentId: organizer, params: { competition_id: id, agent_id: agentId }, body: {} };
    await leader.ask('removeParticipant', of);
    if (agentId === eve) await leader.ask('restoreParticipant', of);
  }
  await follower.competitions.refresh();
  t.match(
    follower.lobby.calls.filter(({ call }) => call === 'dismiss'),
    [{ agentId: bob, competitionId: id }],
  );
});

await t.test('the rules of a pool that a node has not met are read, and one that is none is an error', async (t) => {
  const { leader, follower } = await twoNodes(t, false);
  const { id } = await active(leader);
  await follower.pools.ensure([id]);
  t.equal(follower.pools.of(id)?.state, 'active');
  await t.rejects(follower.pools.ensure([randomUUID()]), { message: /there is no pool/ });
});
