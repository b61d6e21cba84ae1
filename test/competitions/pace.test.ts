/** A competition's own pace, and its end after so many hands. */
import t from 'tap';
import { announceToNobody } from '../../src/ops/notices.js';
import { CompetitionScheduler } from '../../src/competitions/life/scheduler.js';
import { Director } from '../../src/competitions/play/director.js';
import { poolRules } from '../../src/competitions/index.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { Cup } from '../support/cup.js';
import { leadership, silent, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { passive, Scene } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

void t.test('pace and limit are rules like others: bounded, told, open by default', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const open = { between_hands_ms: null, action_timeout_ms: null, time_bank: true, hand_limit: null };
  const { competition_id: id } = await house.created(organizer);
  t.match(await house.update(id, organizer, {}), { status: 200, body: open });
  const own = { between_hands_ms: 0, action_timeout_ms: 1500, time_bank: false, hand_limit: 200 };
  t.match(await house.update(id, organizer, own), { status: 200, body: own });
  const pool = house.pools.of(id)!;
  const season = {
    scope: null,
    table: { betweenHandsMs: 777, actionTimeoutMs: 999, timeBankMs: 5 },
    buyIn: {},
    audience: {},
  } as never;
  t.match(poolRules(pool, season, 0).table, { betweenHandsMs: 0, actionTimeoutMs: 1500, timeBankMs: null });
  t.match(poolRules({ ...pool, ...open }, season, 500).table, {
    betweenHandsMs: 777,
    actionTimeoutMs: 999,
    timeBankMs: 5,
  });
  t.match(await house.update(id, organizer, open), { status: 200, body: open }, 'null takes them away');
  for (const wrong of [
    { between_hands_ms: 10_001 },
    { action_timeout_ms: 999 },
    { hand_limit: 0 },
    { hand_limit: 1.5 },
  ]) {
    t.match(await house.update(id, organizer, wrong), { status: 422 }, JSON.stringify(wrong));
  }
});

void t.test('who may look reads pace and limit, and what a duplicate cannot compare', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const rules = { between_hands_ms: 100, action_timeout_ms: 2000, hand_limit: 50 };
  const { competition_id: id, slug } = await house.created(organizer, { ...rules, duplicate: true });
  await house.steps(id, organizer, 'openEnrollment');
  const link = await house.ask('createInviteLink', { agentId: organizer, params: { competition_id: id }, body: {} });
  const { token } = link.body as { token: string };
  for (let n = 0; n < 2; n++) await house.join(id, await house.agent());
  const read = async (operation: string, request: object = {}) => {
    const { status, body } = await house.ask(operation, {
      agentId: organizer,
      params: { competition_id: id },
      ...request,
    });
    t.equal(status, 200, operation);
    return body;
  };
  const duplicate_note = /^All 2 fit one table: nothing can be compared/;
  t.match(await read('getCompetition'), { ...rules, duplicate_note });
  t.match(await read('listCompetitions'), { competitions: [{ ...rules, duplicate_note }] });
  t.match(await read('getPublicCompetition', { params: { competition_slug: slug } }), { rules });
  t.match(await read('previewInvite', { headers: { 'x-competition-invite-token': token } }), {
    competition: { rules },
  });
  await house.steps(id, organizer, 'startCompetition');
  t.match(await read('getCompetitionLeaderboard'), { duplicate_note });
  t.match(await read('getCompetitionStandings'), { duplicate_note });
  await house.steps(id, organizer, 'endCompetition');
  await house.untilState(id, 'results_pending');
  t.match(await read('getCompetitionResults'), { duplicate_note });
});

void t.test('so many hands are played at the own pace, then it ends by itself', async (t) => {
  const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 10_000, ACTION_TIMEOUT_MS: 60_000 });
  const cup = await Cup.open(platform, { between_hands_ms: 0, action_timeout_ms: 30_000, hand_limit: 40 });
  const scene = new Scene(platform);
  const accounts = [await platform.register('ada'), await platform.register('bob')];
  for (const account of accounts) await cup.enroll(account);
  await cup.step('start');
  const players = await Promise.all(accounts.map((account) => cup.connect(scene, account, passive)));
  for (const player of players) player.send({ type: 'join_lobby' });
  await Promise.all(players.map((player) => player.next('table_closed')));
  await eventually('the results', async () => (await cup.state()) === 'results_pending');
  const { key } = accounts[0]!;
  const { body } = await platform.api('GET', `/api/competitions/${cup.id}/results`, { key });
  const { rows } = body as { rows: { hands_played: number }[] };
  t.ok(
    rows.every(({ hands_played: hands }) => hands >= 40),
    'at a pause of ten seconds nobody would have waited for it',
  );
});

void t.test('who is silent is folded by the competition’s own clock', async (t) => {
  const platform = await TestPlatform.start(t, { ACTION_TIMEOUT_MS: 3_600_000 });
  const cup = await Cup.open(platform, { action_timeout_ms: 1000 });
  const scene = new Scene(platform);
  const accounts = [await platform.register('ada'), await platform.register('bob')];
  for (const account of accounts) await cup.enroll(account);
  await cup.step('start');
  const players = await Promise.all(accounts.map((account) => cup.connect(scene, account)));
  for (const player of players) player.send({ type: 'join_lobby' });
  // By the server's clock it would come in an hour.
  t.match(await players[0]!.next('player_action'), { reason: 'timeout' });
});

void t.test('no organizer sets a shorter pause than the server allows, and none is played with', async (t) => {
  const house = await CompetitionHouse.open(t, { env: { COMPETITION_MIN_BETWEEN_HANDS_MS: '1000' } });
  const organizer = await house.agent();
  const refused = { status: 422, body: { detail: [{ loc: ['body', 'between_hands_ms'], msg: /at least 1000/ }] } };
  t.match(await house.create(organizer, { between_hands_ms: 999 }), refused);
  const { competition_id: id } = await house.created(organizer, { between_hands_ms: 1000 });
  t.match(await house.update(id, organizer, { between_hands_ms: 0 }), refused);
  t.match(await house.update(id, organizer, { name: 'Other' }), { status: 200 });
  const season = { table: { betweenHandsMs: 100 }, buyIn: {}, audience: {} } as never;
  const pool = { ...house.pools.of(id)!, between_hands_ms: 0 };
  t.equal(poolRules(pool, season, 1000).table.betweenHandsMs, 1000, 'one from before the limit');
  t.equal(poolRules({ ...pool, between_hands_ms: null }, season, 1000).table.betweenHandsMs, 1000);
});

/** Two participants who have played one hand. */
async function oneHand(house: CompetitionHouse, id: string): Promise<void> {
  await house.sql`
    insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
    values (${id}, gen_random_uuid(), gen_random_uuid(), 1, now(), now(), 30, '')`;
  await house.sql`update entries set hands_played = 1 where pool_id = ${id}`;
}

/** A competition with two participants that has begun. */
async function begun(house: CompetitionHouse, settings: object = {}): Promise<string> {
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer, settings);
  await house.steps(id, organizer, 'openEnrollment');
  for (let n = 0; n < 2; n++) await house.join(id, await house.agent());
  await house.steps(id, organizer, 'startCompetition');
  return id;
}

void t.test('a competition ends with the last hand that the server stores of any', async (t) => {
  const house = await CompetitionHouse.open(t, { env: { COMPETITION_MAX_HANDS: '1' } });
  const id = await begun(house, { hand_limit: 200 });
  await house.pass(1);
  t.equal(await house.stateOf(id), 'active');
  await oneHand(house, id);
  await house.pass(1);
  await house.untilState(id, 'results_pending');
});

void t.test('hands are counted once in a while, however often something happens', async (t) => {
  const house = await CompetitionHouse.open(t);
  const id = await begun(house, { hand_limit: 1 });
  // In place of the house's own, which wakes when it likes.
  await house.stop();
  const { sql, lobby, clock } = house;
  const director = new Director({ sql, pools: house.pools, lobby });
  const options = { sql, leadership, director, clock, log: silent, announce: announceToNobody };
  const time = new CompetitionScheduler({ mostHands: 9, ...options });
  await time.start();
  await oneHand(house, id);
  await time.wake();
  await time.wake();
  t.equal(await house.stateOf(id), 'active', 'they were counted a moment ago');
  await house.pass(1);
  await house.untilState(id, 'results_pending');
  time.stop();
});
