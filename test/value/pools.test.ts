/** A pool's record names the value function before its first hand. Competitions of duplicates have none to show. */
import t from 'tap';
import { hasValueFunction } from '../../src/value/pool.js';
import { VALUE_FUNCTION_SHA256 } from '../../src/value/value-function.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SeasonHouse } from '../support/season-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('a season tells it', async (t) => {
  const house = await SeasonHouse.open(t);
  const told = { season_id: house.poolId, value_function_sha256: VALUE_FUNCTION_SHA256 };
  t.match(await house.ask('getSeason', { params: { season_id: house.poolId } }), { status: 200, body: told });
  t.match(await house.ask('listSeasons'), { status: 200, body: [told] });
  t.ok(await hasValueFunction(house.sql, house.poolId));
});

await t.test('a competition tells it, one of duplicates does not', async (t) => {
  const house = await CompetitionHouse.open(t);
  const agentId = await house.agent();
  for (const duplicate of [false, true]) {
    const { competition_id } = await house.created(agentId, { duplicate });
    await house.steps(competition_id, agentId, 'openEnrollment');
    for (let n = 0; n < 2; n++) await house.join(competition_id, await house.agent());
    await house.steps(competition_id, agentId, 'startCompetition');
    const { status, body } = await house.ask('getCompetition', { agentId, params: { competition_id } });
    t.equal(status, 200);
    t.match(body, { duplicate, value_function_sha256: duplicate ? null : VALUE_FUNCTION_SHA256 });
    t.equal(await hasValueFunction(house.sql, competition_id), !duplicate, 'whether luck is measured');
  }
});
