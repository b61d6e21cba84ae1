/** The operators' actions on competitions, by `npx agent-poker admin`, beside a house that goes on. */
import t from 'tap';
import { adminJson } from '../support/command.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

void t.test('competitions are listed, called off and made final in the place of their organizer', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const off = await house.created(organizer, { name: 'Called off' });
  const played = await house.created(organizer, { name: 'Played' });
  await house.steps(off.competition_id, organizer, 'openEnrollment');
  await house.steps(played.competition_id, organizer, 'openEnrollment', 'startCompetition');
  const run = (...args: string[]) => adminJson(house.address.url, ...args);

  const listed = await run('competitions', 'list', '--limit', '1');
  t.match(listed, { code: 0, data: { matching: 2, competitions: { length: 1 } } });
  t.match(await run('competitions', 'cancel', played.slug), {
    code: 1,
    data: { error: 'competition Played is active: it cannot be cancelled' },
  });
  t.match(await run('competitions', 'finalize', off.slug), { code: 1, data: { error: /is enrolling/ } });
  t.match(await run('competitions', 'cancel', 'no-such-cup'), {
    code: 1,
    data: { error: /no competition no-such-cup/ },
  });
  t.equal(await house.stateOf(off.competition_id), 'enrolling', 'what was refused changed nothing');

  t.match(await run('competitions', 'cancel', off.slug), {
    code: 0,
    data: { changed: true, competition_id: off.competition_id, from: 'enrolling', to: 'cancelled' },
  });
  t.equal(house.pools.of(off.competition_id)?.state, 'enrolling', 'the server has not looked yet');
  await house.competitions.refresh();
  t.equal(house.pools.of(off.competition_id), undefined);
  t.match(house.lobby.calls.at(-1), { call: 'closePool', poolId: off.competition_id });
  const calls = house.lobby.calls.length;
  await house.competitions.refresh();
  t.equal(house.lobby.calls.length, calls, 'once');

  await house.steps(played.competition_id, organizer, 'endCompetition');
  await house.untilState(played.competition_id, 'results_pending');
  t.match(await run('competitions', 'finalize', played.competition_id.toUpperCase()), {
    code: 0,
    data: { changed: true, from: 'results_pending', to: 'finalized' },
  });
  await house.competitions.refresh();
  t.equal(house.pools.of(played.competition_id), undefined);
  t.match(await house.step(played.competition_id, organizer, 'finalizeCompetition'), { status: 409 });
  t.match((await house.history(played.competition_id)).at(-1), { actor: 'cli', action: 'competitions_finalize' });
  t.match(await run('competitions', 'list'), { data: { matching: 0, competitions: [] } });
  t.match(await run('competitions', 'list', '--all'), { data: { matching: 2 } });
});
