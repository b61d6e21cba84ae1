/** The season pass: paid for once, whatever happens at the same time. */
import t from 'tap';
import { balanceOf, postCredits } from '../../src/credits/index.js';
import { insertSeasonEntry } from '../../src/seasons/entry-queries.js';
import { isPro } from '../../src/seasons/index.js';
import { insertSeason } from '../../src/seasons/queries.js';
import { transaction } from '../../src/store/database.js';
import { randomUUID } from 'node:crypto';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import type { Player } from '../support/player.js';
import { scenesOf } from '../support/scene.js';
import type { RestAnswer } from '../support/rest.js';
import { startParts } from '../support/parts.js';
import { SeasonHouse } from '../support/season-house.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.shared(t);
const scene = scenesOf(t, platform);

async function give(house: SeasonHouse, agent: string, ucents: number): Promise<void> {
  const legs = [
    { account: 'deposits', ucents: -ucents },
    { account: { agent }, ucents },
  ] as const;
  await postCredits(house.sql, { type: 'dev_deposit', once: null, reference: null, legs });
}

/** The platform's earnings with passes, in ucents. */
async function earned({ sql }: SeasonHouse): Promise<number> {
  const [row] = await sql<{ balance: number }[]>`select balance from credit_accounts where kind = 'passes'`;
  return row!.balance;
}

const detail = (status: number, text: string) => ({ status, body: { detail: text } });

await t.test('it costs three dollars of credit, once a season', async (t) => {
  const house = await SeasonHouse.build(t);
  const agentId = await house.agent();
  const buy = () => house.ask('buySeasonPass', { agentId });
  t.match(await buy(), detail(404, 'No active season'));
  await startParts(house.seasons);
  await give(house, agentId, 30_000 - 1);
  t.match(await buy(), detail(404, 'Not registered for this season'));
  t.equal(await isPro(house.sql, agentId), false);
  await house.ask('registerForSeason', { agentId });
  t.match(await buy(), detail(402, 'Insufficient balance for season pass'));
  t.equal(await isPro(house.sql, agentId), false);
  t.equal(await balanceOf(house.sql, agentId), 29_999, 'nothing is taken for nothing');

  await give(house, agentId, 1);
  const bought = await buy();
  t.match(bought, { status: 200, body: { season_id: house.poolId, agent_id: agentId, premium: true, score: 5000 } });
  t.equal(await balanceOf(house.sql, agentId), 0);
  t.equal(await isPro(house.sql, agentId), true);
  t.match(house.lobby.calls.at(-1), { call: 'updateEntry', agentId, isPro: true });
  t.same(await buy(), bought, 'who has it is not charged again');
  t.equal(await earned(house), 30_000);
  t.match(await house.sql`select type, reference from credit_transactions where type = 'season_pass'`, [
    { type: 'season_pass', reference: house.poolId },
  ]);
});

await t.test('its price is a setting', async (t) => {
  const house = await SeasonHouse.open(t, { SEASON_PASS_CENTS: '1' });
  const agentId = await house.agent();
  await house.seasons.play.enter(agentId);
  await give(house, agentId, 100);
  t.equal((await house.ask('buySeasonPass', { agentId })).status, 200);
  t.equal(await balanceOf(house.sql, agentId), 0);
});

await t.test('a hundred requests at once charge once', async (t) => {
  for (const ucents of [30_000, 1_000_000]) {
    const house = await SeasonHouse.open(t);
    const agentId = await house.agent();
    await house.seasons.play.enter(agentId);
    await give(house, agentId, ucents);
    const answers = await Promise.all(Array.from({ length: 100 }, () => house.ask('buySeasonPass', { agentId })));
    t.ok(answers.every(({ status, body }) => status === 200 && (body as { premium: boolean }).premium));
    t.equal(await balanceOf(house.sql, agentId), ucents - 30_000);
    t.equal(await earned(house), 30_000);
  }
});

await t.test('a season that ends under the request takes its pass along, or sells none', async (t) => {
  const house = await SeasonHouse.open(t);
  const [ann, bob] = [await house.agent(), await house.agent()];
  for (const agentId of [ann, bob]) {
    await house.seasons.play.enter(agentId);
    await give(house, agentId, 40_000);
  }
  const first = house.poolId;
  const next = randomUUID();
  const requests: Promise<RestAnswer>[] = [];
  await transaction(house.sql, async (tx) => {
    await tx`update seasons set status = 'ended' where season_id = ${first}`;
    await insertSeason(tx, next, new Date(), new Date(Date.now() + 3_600_000));
    await insertSeasonEntry(tx, next, bob, 5000);
    requests.push(...[ann, bob].map((agentId) => house.ask('buySeasonPass', { agentId })));
    await untilWaiting(house.sql, 2);
  });
  t.match(await requests[0], detail(404, 'Not registered for this season'));
  t.equal(await balanceOf(house.sql, ann), 40_000);
  t.match(await requests[1], { status: 200, body: { season_id: next, premium: true } });
  t.equal(await balanceOf(house.sql, bob), 10_000);
  t.same(await house.sql`select from entries where pool_id = ${first} and premium`, []);
  t.same(
    house.lobby.calls.filter(({ call }) => call === 'updateEntry'),
    [],
    'tables of a season that this server does not play yet hear nothing',
  );
});

await scene('a table sees at once that a player has become a pro', async (t, scene) => {
  const game = await scene.game(2);
  const [ada, bob] = game.players as [Player, Player];
  const proOf = (watcher: Player, { seat }: Player) => watcher.last('table_state').seats[seat!]!.is_pro;
  t.equal(proOf(bob, ada), false);
  const { key } = ada.account;
  await platform.api('POST', '/api/deposit/dev', { key, body: { amount: 3 } });
  t.match(await platform.api('POST', '/api/season/pass', { key }), { status: 200, body: { premium: true } });
  await game.finish();
  t.equal(proOf(bob, ada), true);
  t.equal(proOf(ada, ada), true);
  t.equal(proOf(ada, bob), false);
  t.match(await platform.api('GET', '/api/season/me', { key }), { body: { premium: true } });
  t.match(await platform.api('GET', '/api/balance', { key }), { body: { balance: 0 } });
});
