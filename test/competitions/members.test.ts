/** The members' REST calls besides the organizer's own. */
import t from 'tap';
import type { Database } from '../../src/store/database.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { Cup } from '../support/cup.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { Scene } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Takes all chips of an agent away. */
async function broke({ sql }: { sql: Database }, id: string, agentId: string): Promise<void> {
  await sql`
    with gone as (
      update entries e set chip_balance = 0 from entries before
      where e.pool_id = ${id} and e.agent_id = ${agentId} and before.pool_id = e.pool_id and before.agent_id = e.agent_id
      returning e.pool_id, e.agent_id, before.chip_balance as lost)
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    select pool_id, agent_id, 'reset', -lost, 0 from gone`;
}

void t.test('a rebuy by REST is the one of the rules, as the season has it', async (t) => {
  const house = await CompetitionHouse.open(t);
  const [organizer, ada, stranger] = [await house.agent(), await house.agent(), await house.agent()];
  const rules = { rebuys_enabled: true, max_rebuys: 2, rebuy_chips: 1000, rebuy_cooldown_seconds: 600 };
  const { competition_id: id } = await house.created(organizer, rules);
  await house.join(id, ada);
  const rebuy = (agentId: string) => house.step(id, agentId, 'rebuyInCompetition');
  const refused = async (agentId: string, status: number, detail: string) =>
    t.match(await rebuy(agentId), { status, body: { detail } });

  await refused(stranger, 404, 'Competition not found');
  await refused(organizer, 404, 'Participant not found');
  await refused(ada, 409, 'Cannot rebuy: the competition is draft');
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  await refused(ada, 400, 'Cannot rebuy - still have chips');
  await broke(house, id, ada);
  await house.sql`update agents set email_verified_at = null where agent_id = ${ada}`;
  await refused(ada, 403, 'email_not_verified: verify your email address first');
  await house.sql`update agents set email_verified_at = now() where agent_id = ${ada}`;

  const first = await Promise.all([rebuy(ada), rebuy(ada), rebuy(ada)]);
  t.same(first.map(({ status }) => status).sort(), [200, 400, 400], 'of any number at once one is granted');
  const granted = { chip_balance: 1000, rebuys: 1, cooldown_seconds: 600 };
  t.same(first.find(({ status }) => status === 200)?.body, granted);
  t.match(
    house.lobby.calls.filter(({ call }) => call === 'notify'),
    [{ agentId: ada, type: 'rebuy_confirmed', chip_balance: 1000, rebuys_used: 1 }],
    'its socket hears of it',
  );

  await broke(house, id, ada);
  const early = await rebuy(ada);
  t.match(early, { status: 429, body: { detail: /^Rebuy on cooldown\. Retry after \d+s\.$/ } });
  t.ok(Number(early.headers['retry-after']) > 500);
  await house.sql`update entries set last_rebuy_at = last_rebuy_at - interval '600 s' where pool_id = ${id}`;
  t.match(await rebuy(ada), { status: 200, body: { rebuys: 2 } });
  await broke(house, id, ada);
  await refused(ada, 400, 'No rebuys are left');

  await house.steps(id, organizer, 'pauseCompetition');
  await refused(ada, 400, 'No rebuys are left');
  await house.step(id, ada, 'withdrawFromCompetition');
  await refused(ada, 409, 'Cannot rebuy: the participant is withdrawn');
});

void t.test('where there are no rebuys none is granted', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.join(id, organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  await broke(house, id, organizer);
  const told = await house.step(id, organizer, 'rebuyInCompetition');
  t.match(told, { status: 400, body: { detail: 'This competition has no rebuys' } });
});

void t.test('a bot that waits on its socket hears of the rebuy that its owner asked for', async (t) => {
  const platform = await TestPlatform.shared(t);
  const cup = await Cup.open(platform, { rebuys_enabled: true, max_rebuys: 1, rebuy_score_penalty: 300 });
  const player = await cup.player(new Scene(platform), 'ada');
  await cup.step('start');
  const { key, agentId } = player.account;
  await broke({ sql: platform.sql! }, cup.id, agentId);
  const rebuy = () => platform.api('POST', `/api/competitions/${cup.id}/rebuy`, { key });
  const granted = { chip_balance: 1000, rebuys: 1, cooldown_seconds: 0 };
  t.match(await rebuy(), { status: 200, body: granted });
  t.match(await player.next('rebuy_confirmed'), { chip_balance: 1000, rebuys_used: 1, rebuys_remaining: 0 });
  t.match(await rebuy(), { status: 400, body: { detail: 'Cannot rebuy - still have chips' } });
  const { body } = await platform.api('GET', `/api/season-chip-ledger?competition_id=${cup.id}`, { key });
  const { entries } = body as { entries: { type: string; competition_id: string }[] };
  t.same(
    entries.map(({ type, competition_id: id }) => [type, id]),
    ['rebuy', 'reset', 'grant'].map((type) => [type, cup.id]),
  );
  await player.close();
});
