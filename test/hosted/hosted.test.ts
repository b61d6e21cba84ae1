/** Bots that we run for their owners: strategies, deployments, and the runtime that keeps them playing whatever fails. */
import t, { type Test } from 'tap';
import { STYLES } from '../../src/bots/index.js';
import type { Identity } from '../../src/lobby/index.js';
import { stopCluster } from '../support/database.js';
import { HostedHouse } from '../support/hosted-house.js';
import { FILE_MS } from '../support/limits.js';
import { detail, inBrowser, ok } from '../support/hosted-rest.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const invalid = (field: string, type: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', ...field.split('.')], type }] },
});

// ---- REST, in a house without sockets or threads

await t.test('a strategy is a template and what differs from it', async (t) => {
  const house = await HostedHouse.open(t);
  const agentId = await house.agent();
  const get = () => house.ask('getStrategy', { agentId });
  const save = (body: object) => house.ask('saveStrategy', { agentId, body });
  t.match(await get(), ok({ strategy: { template: 'gto_lite' }, saved_at: null }), 'what would be played');

  const written = { template: 'shark', vpip: 0.27, bluff: 0.2, auto_rebuy: false };
  const all = { pfr: 0.2, three_bet: 0.1, aggression: 0.5, call_down: 0.5, balance: 0.5, tilt: 0.5 };
  t.match(
    await save({ ...written, ...all }),
    ok({ strategy: { ...written, ...all }, effective: { ...written, ...all } }),
  );
  t.match(await get(), ok({ strategy: { ...written, ...all } }));
  const saved = await save(written);
  const { shark } = STYLES;
  t.match(saved, ok({ strategy: written, saved_at: String }));
  t.match(saved.body, { effective: { template: 'shark', vpip: 0.27, pfr: shark.pfr, three_bet: shark.threeBet } });
  t.match(saved.body, { effective: { bluff: 0.2, call_down: shark.callDown, tilt: 0, auto_rebuy: false } });
  t.same(await get(), saved);
  t.match(await save({ template: 'gambler', vpip: 0.1 }), ok({ effective: { vpip: 0.1, pfr: 0.1 } }), 'no more raised than played'); // prettier-ignore

  t.match(await save({}), invalid('template', 'missing'));
  t.match(await save({ template: 'maniac' }), invalid('template', 'enum'));
  t.match(await save({ template: 'rock', vpip: 1.1 }), invalid('vpip', 'less_than_equal'));
  t.match(await save({ template: 'rock', tilt: -0.1 }), invalid('tilt', 'greater_than_equal'));
  t.match(await save({ template: 'rock', code: 'while(true);' }), invalid('code', 'extra_forbidden'));
  t.match(await save({ template: 'rock', vpip: 0.1, pfr: 0.2 }), invalid('pfr', 'value_error'));
  t.match(await get(), ok({ strategy: { template: 'gambler', vpip: 0.1 } }), 'what is refused changes nothing');
});

await t.test('an owner has so many hosted bots, and all owners together so many', async (t) => {
  const house = await HostedHouse.open(t, { HOSTED_IN_ALL: '4' });
  const { sql } = house.seasons;
  const deploy = async (agentId: string) => house.ask('deployBot', { agentId, body: { mode: 'hosted' } });
  const ofOwner = {
    status: 429,
    body: { detail: 'You have as many hosted bots as one owner may have; stop one first' },
  };
  const mailed = async (email: string) => {
    const agentId = await house.agent();
    await sql`update agents set email = ${email} where agent_id = ${agentId}`;
    return agentId;
  };
  const registered = async (ip: string) => {
    const agentId = await house.agent();
    await sql`update agents set registered_ip = ${ip} where agent_id = ${agentId}`;
    return agentId;
  };
  const boxes = ['ada@example.org', 'ada+1@example.org', 'Ada+two@example.org', 'ADA+3@EXAMPLE.org'];
  const mine = await Promise.all(boxes.map(mailed));
  const at = await Promise.all(mine.map(deploy));
  t.same(at.map(({ status }) => status).sort(), [200, 200, 200, 429], 'of four at once, three');
  t.match(
    at.find(({ status }) => status === 429),
    { ...ofOwner, headers: { 'retry-after': '60' } },
  );
  const third = mine.find((_, n) => at[n]!.status === 200)!;
  t.match(await deploy(third), { status: 200 }, 'one that plays may begin anew');
  const refused = mine[at.findIndex(({ status }) => status === 429)]!;
  t.match(
    await house.ask('deployBot', { agentId: refused, body: { mode: 'browser' } }),
    { status: 200 },
    'in a page it may',
  );

  t.match(await deploy(await registered('2001:db8:1:2::3')), { status: 200 });
  const all = {
    status: 503,
    body: { detail: 'As many hosted bots play as this server has room for; try again later' },
  };
  t.match(await deploy(await mailed('bob@example.org')), all);

  for (const agentId of mine) await house.ask('stopBot', { agentId });
  for (const network of ['ff', '0']) {
    t.match(await deploy(await registered(`2001:db8:1:${network}::3`)), { status: 200 });
  }
  const fourth = await registered('2001:db8:1:abcd::9');
  t.match(await deploy(fourth), ofOwner, 'an IPv6 /48 is one owner');
  const switched = house.hosted.switchRuntime(fourth, 'hosted', null);
  t.match(await switched.catch((error: unknown) => error), { status: 429 }, 'by the other way, too');
});

await t.test('a bot is deployed, looked at and stopped; the runtime of its agent goes along', async (t) => {
  const house = await HostedHouse.open(t);
  const agentId = await house.agent();
  const ask = (id: string, body?: object) => house.ask(id, { agentId, ...(body && { body }) });
  const deploy = (body: object) => ask('deployBot', body);
  const runtime = async () => (await house.seasons.sql`select runtime, runtime_generation from agents`)[0];
  const none = { state: 'stopped', mode: null, deployed_at: null, hands_played: 0, last_error: null };
  t.same((await ask('getBotStatus')).body, none);
  t.same((await ask('stopBot')).body, none, 'what does not run is stopped');
  t.match(await runtime(), { runtime: 'stopped', runtime_generation: 2 });

  t.match(await deploy({ mode: 'elsewhere' }), invalid('mode', 'enum'));
  t.match(await deploy({ mode: 'hosted', strategy: { vpip: 0.1 } }), invalid('strategy.template', 'missing'));
  const odd = { template: 'rock', vpip: 0.1, pfr: 0.2 };
  t.match(await deploy({ mode: 'hosted', strategy: odd }), invalid('strategy.pfr', 'value_error'));
  t.match(await runtime(), { runtime_generation: 2 }, 'what is refused deploys nothing');

  const browser = await deploy({ mode: 'browser', strategy: { template: 'rock' } });
  t.match(browser, ok({ state: 'starting', mode: 'browser', runtime_generation: 3, last_error: null }));
  const { token } = browser.body as { token: { bot_token: string; season_id: string; expires_at: string } };
  t.equal(token.season_id, house.seasons.poolId);
  t.equal(Date.parse(token.expires_at), house.seasons.clock.now() + 3_600_000);
  t.notMatch(
    JSON.stringify(await house.seasons.sql`select * from bot_tokens`),
    token.bot_token,
    'only its hash is kept',
  );
  t.match(await ask('getStrategy'), ok({ strategy: { template: 'rock' } }), 'the strategy is saved, too');
  t.match(await runtime(), { runtime: 'browser', runtime_generation: 3 });

  t.match(
    await deploy({ mode: 'hosted' }),
    ok({ state: 'starting', mode: 'hosted', runtime_generation: 4, token: null }),
  );
  await house.until(() => house.thread.plays === 1);
  t.match(house.thread.last, { agentId, style: STYLES.rock, autoRebuy: true });
  house.thread.tell({ t: 'connected' });
  t.match(await ask('getBotStatus'), ok({ state: 'running', mode: 'hosted', deployed_at: String }));
  await ask('saveStrategy', { template: 'gambler', auto_rebuy: false });
  t.match(house.thread.orders.at(-1), { t: 'plan', agentId, style: STYLES.gambler, autoRebuy: false });

  house.thread.tell({ t: 'trouble', reason: 'Out of chips' });
  await house.until(async () => (await house.seasons.sql`select from bots where last_error is not null`).length > 0);
  const stopped = { state: 'stopped', mode: null, deployed_at: String, last_error: 'Out of chips' };
  t.match(await ask('stopBot'), ok(stopped));
  t.match(await ask('getBotStatus'), ok(stopped));
  t.match(house.thread.orders.at(-1), { t: 'leave', agentId });
  t.match(await runtime(), { runtime: 'stopped', runtime_generation: 5 });
  t.match(await ask('stopBot'), ok({ state: 'stopped' }));
  t.match(await runtime(), { runtime_generation: 5 }, 'twice is once');

  house.inSeason = false;
  t.match(await deploy({ mode: 'hosted' }), detail(404, 'No active season'));
});

await t.test('a runtime is handed over by generation, and the bot with it', async (t) => {
  const { house, agentId } = await inBrowser(t);
  const hand = (runtime: 'hosted' | 'self_hosted' | 'stopped', expected: number | null = null) =>
    house.hosted.switchRuntime(agentId, runtime, expected);
  t.same(await hand('hosted', 1), { runtime: 'hosted', runtime_generation: 2 });
  await house.until(() => house.thread.plays === 1);
  await t.rejects(hand('self_hosted', 1), /Runtime generation does not match/);
  t.same(await hand('hosted'), { runtime: 'hosted', runtime_generation: 2 }, 'what is so already changes nothing');
  t.equal(house.thread.plays, 1);
  t.same(await hand('self_hosted'), { runtime: 'self_hosted', runtime_generation: 3 });
  t.match(house.thread.orders.at(-1), { t: 'drop', agentId }, 'its seat is the next one’s');
  t.match((await house.ask('getBotStatus', { agentId })).body, { state: 'stopped', mode: null });
});

// ---- keeping hosted bots going
async function hostedBot(t: Test) {
  const house = await HostedHouse.open(t);
  const agentId = await house.agent();
  await house.ask('deployBot', { agentId, body: { mode: 'hosted' } });
  await house.until(() => house.thread.plays === 1);
  const status = async () => (await house.ask('getBotStatus', { agentId })).body;
  const { thread, seasons } = house;
  return { house, agentId, status, thread, clock: seasons.clock };
}

await t.test('what fails is tried again with growing pauses, and is an error from the third time on', async (t) => {
  const { house, status, thread, clock } = await hostedBot(t);
  const pauses: number[] = [];
  for (let n = 1; n <= 9; n++) {
    thread.tell({ t: 'ended', code: 4009 });
    await house.until(
      async () => (await house.seasons.sql`select 1 from bots where last_error is not null`).length > 0,
    );
    const last_error = 'The socket was closed with 4009: seated in another competition';
    t.match(await status(), { state: n < 3 ? 'starting' : 'error', last_error });
    const before = clock.now();
    while (thread.plays === n) {
      await clock.advance(50);
      await house.seasons.sql`select`;
    }
    pauses.push(clock.now() - before);
  }
  // At least: the clock of the test goes on while the database works.
  t.ok(pauses[3]! >= 2000 && pauses[4]! >= 4000 && pauses[8]! >= 30_000, `${pauses}`);
  t.ok(pauses[8]! <= 70_000, `${pauses}`);
  thread.tell({ t: 'connected' });
  t.match(await status(), { state: 'running' });
  thread.tell({ t: 'seated' });
  thread.tell({ t: 'ended', code: 4001 });
  t.match(await status(), { state: 'starting' }, 'a seat is a new start');
  thread.say({ t: 'connected', agentId: thread.last.agentId, run: thread.last.run - 1 });
  t.match(await status(), { state: 'starting' }, 'an older attempt is no news');
  thread.tell({ t: 'trouble', reason: 'Out of chips' });
  await house.until(async () => ((await status()) as { last_error: string }).last_error === 'Out of chips');
});

await t.test('its token is renewed in time; one that ended nevertheless is replaced at once', async (t) => {
  const { house, status, thread, clock } = await hostedBot(t);
  thread.tell({ t: 'connected' });
  const { token } = thread.last;
  const lease = ((await house.comes(token)) as Identity).lease!;
  t.equal(house.hosted.isOwn(token), true, 'its sockets are not counted');
  t.equal(house.hosted.isOwn(`bt_${'x'.repeat(43)}`), false);
  const expiry = async () => {
    const [row] = await house.seasons.sql<{ expires_at: Date }[]>`select expires_at from bot_tokens`;
    return row!.expires_at.getTime();
  };
  // The timers of its start are over then. From now on one timer is missing while a renewal is under way.
  await clock.advance(60_000);
  const timers = clock.pending;
  const began = clock.now();
  for (let renewals = 0; renewals < 9; renewals++) {
    const before = await expiry();
    await house.until(async () => {
      if (clock.pending < timers) return false;
      if ((await expiry()) > before) return true;
      await clock.advance(60_000);
      return false;
    });
    const left = (await expiry()) - clock.now();
    t.ok(left > 3_540_000 && left <= 3_600_000, `for an hour from then on: ${left} ms are left`);
  }
  const tookMs = clock.now() - began;
  t.ok(Math.abs(tookMs - 9 * 1_200_000) <= 60_000 * 10, `each a third of that after the one before: ${tookMs} ms`);
  t.equal(lease.over, false);
  thread.tell({ t: 'ended', code: 4003 });
  await house.until(() => thread.plays === 2);
  t.match(await status(), { state: 'starting', last_error: null }, 'which is no failure');
  t.equal(lease.over, true, 'the old one is over');
  t.equal(house.hosted.isOwn(token), false);
});

await t.test('a stopped bot leaves first; its token lets nobody in meanwhile', async (t) => {
  const { house, agentId, thread } = await hostedBot(t);
  thread.tell({ t: 'connected' });
  const { token } = thread.last;
  const lease = ((await house.comes(token)) as Identity).lease!;
  await house.ask('stopBot', { agentId });
  t.match(thread.orders.at(-1), { t: 'leave', agentId });
  t.equal(await house.comes(token), 'expired');
  t.equal(lease.over, false, 'the socket is there still');
  thread.tell({ t: 'left' });
  await house.until(() => lease.over);
  await house.seasons.clock.advance(600_000);
  t.equal(thread.plays, 1);
});

await t.test('one that cannot get away is let go of after five minutes', async (t) => {
  const { house, agentId, thread, clock } = await hostedBot(t);
  const lease = ((await house.comes(thread.last.token)) as Identity).lease!;
  await house.ask('stopBot', { agentId });
  await clock.advance(299_000);
  t.equal(lease.over, false);
  await clock.advance(2000);
  t.match(thread.orders.at(-1), { t: 'drop', agentId });
  t.equal(lease.over, true);
});

await t.test('one that is deployed again while it leaves stays', async (t) => {
  const { house, agentId, thread } = await hostedBot(t);
  await house.ask('stopBot', { agentId });
  await house.ask('deployBot', { agentId, body: { mode: 'hosted' } });
  await house.until(() => thread.plays === 2);
  const { token } = thread.last;
  thread.say({ t: 'left', agentId, run: thread.last.run - 1 });
  const lease = ((await house.comes(token)) as Identity).lease!;
  await house.seasons.clock.advance(400_000);
  t.equal(lease.over, false);
});

await t.test('the owner’s own socket is the newer one: the bot goes, and does not come back', async (t) => {
  const { house, agentId, status, thread } = await hostedBot(t);
  thread.tell({ t: 'connected' });
  thread.tell({ t: 'ended', code: 4002 });
  const gone = { state: 'stopped', mode: null, last_error: 'Another socket of the agent has taken over' };
  await house.until(async () => ((await status()) as { last_error: string | null }).last_error !== null);
  t.match(await status(), gone);
  const [agent] = await house.seasons.sql`select runtime, runtime_generation from agents where agent_id = ${agentId}`;
  t.match(agent, { runtime: 'self_hosted', runtime_generation: 3 });
  await house.seasons.clock.advance(600_000);
  t.equal(thread.plays, 1);
});

await t.test('a thread that dies is replaced, and all who played are sent anew', async (t) => {
  const { house, status, thread, clock } = await hostedBot(t);
  thread.tell({ t: 'connected' });
  thread.die();
  t.match(await status(), { state: 'starting' });
  await clock.advance(1000);
  await house.until(() => thread.plays === 2);
  t.equal(thread.opened, 2);
});

await t.test('a bot whose agent is banned waits, and comes back with it', async (t) => {
  const { house, status, thread, clock } = await hostedBot(t);
  const passUntil = async (done: () => boolean) => {
    while (!done()) {
      await clock.advance(1000);
      await house.seasons.sql`select`;
    }
  };
  await house.seasons.sql`update agents set banned_at = now()`;
  thread.tell({ t: 'connected' });
  thread.tell({ t: 'ended', code: 4001 });
  const last_error = 'The agent may not play now';
  await house.until(async () => {
    await clock.advance(1000);
    return ((await status()) as { last_error: string }).last_error === last_error;
  });
  t.equal(thread.plays, 1);
  await house.seasons.sql`update agents set banned_at = null`;
  await passUntil(() => thread.plays === 2);
  t.match(await status(), { last_error });
});
