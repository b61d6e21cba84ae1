import { once } from 'node:events';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { STYLES } from '../src/bots/index.js';
import type { Identity, Lease } from '../src/lobby/index.js';
import { stopCluster } from './support/database.js';
import { HostedHouse } from './support/hosted-house.js';
import { TestPlatform, type Account, type Env } from './support/platform.js';
import { Player } from './support/player.js';

/** Bots that we run for their owners, and the tokens by which bots in a browser come in. */

t.setTimeout(180_000);
t.teardown(stopCluster);

const detail = (status: number, text: string) => ({ status, body: { detail: text } });
const invalid = (field: string, type: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', ...field.split('.')], type }] },
});
const ok = (body: object) => ({ status: 200, body });

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

await t.test('a new token is for those who are in a browser', async (t) => {
  const house = await HostedHouse.open(t);
  const agentId = await house.agent();
  const refresh = () => house.ask('refreshBotToken', { agentId });
  const wrong = detail(409, 'The bot is not deployed in browser mode');
  t.match(await refresh(), wrong);
  const deployed = await house.ask('deployBot', { agentId, body: { mode: 'browser' } });
  const first = (deployed.body as { token: { bot_token: string } }).token.bot_token;
  const fresh = await refresh();
  t.match(fresh, ok({ bot_token: /^bt_/, season_id: house.seasons.poolId }));
  t.equal(await house.comes(first), 'expired');
  t.match(await house.comes((fresh.body as { bot_token: string }).bot_token), { agentId });
  await house.seasons.sql`update seasons set status = 'ended'`;
  t.match(await refresh(), detail(404, 'No active season'));
  await house.ask('deployBot', { agentId, body: { mode: 'hosted' } });
  t.match(await refresh(), wrong);
});

await t.test('with the season pass the same is had under /api', async (t) => {
  const house = await HostedHouse.open(t);
  const [poor, agentId] = [await house.agent(), await house.agent({ pro: true })];
  const traits = { vpip: 0.3, pfr: 0.2, three_bet: 0.1, aggression: 0.5, bluff: 0.5, call_down: 0.5 };
  const body = { template: 'bluffer', ...traits, balance: 0.5, tilt: 0.5, auto_rebuy: true };
  const calls: [id: string, body?: object][] = [
    ['getStrategyApi'],
    ['saveStrategyApi', body],
    ['getStrategyApi'],
    ['deployBotApi'],
    ['getBotStatusApi'],
    ['stopBotApi'],
  ];
  for (const [id, body] of calls) {
    const ask = (who: string) => house.ask(id, { agentId: who, ...(body && { body }) });
    t.match(await ask(poor), detail(403, 'Premium season pass required'), id);
    t.match(await ask(agentId), { status: 200 }, id);
  }
  await house.seasons.sql`update bots set last_error = 'Something'`;
  t.match(await house.ask('getBotStatusApi', { agentId }), ok({ state: 'stopped', last_error: 'Something' }));
  t.match(await house.ask('stopBotApi', { agentId }), ok({ state: 'stopped', last_error: 'Something' }));
  await house.ask('saveStrategyApi', { agentId, body: { template: 'bluffer' } });
  t.match(await house.ask('saveStrategyApi', { agentId, body: { template: 7 } }), { status: 422 });
  t.match(await house.ask('deployBotApi', { agentId }), ok({ mode: 'hosted', token: null }));
  await house.until(() => house.thread.plays > 0);
  t.match(house.thread.last, { style: STYLES.bluffer });
  house.inSeason = false;
  t.match(await house.ask('deployBotApi', { agentId }), detail(404, 'No active season'));
});

// ---- tokens

/** A browser bot with its token, and how long it may stay. */
async function inBrowser(t: Test) {
  const house = await HostedHouse.open(t, { SEASON_SECONDS: '7200', WIND_DOWN_SECONDS: '60' });
  const agentId = await house.agent();
  const token = async (id = 'deployBot', body: object | undefined = { mode: 'browser' }): Promise<string> => {
    const answer = (await house.ask(id, { agentId, ...(body && { body }) })).body as { token?: object };
    return ((answer.token ?? answer) as { bot_token: string }).bot_token;
  };
  const enter = async (text: string): Promise<Lease> => {
    const identity = (await house.comes(text)) as Identity;
    t.match(identity, { agentId, isHouse: false });
    return identity.lease!;
  };
  return { house, agentId, token, enter };
}

await t.test('a token ends when it expires, to the moment', async (t) => {
  const { house, token, enter } = await inBrowser(t);
  const text = await token();
  const lease = await enter(text);
  const ends: number[] = [];
  lease.onOver(() => ends.push(house.seasons.clock.now()));
  const forgotten = lease.onOver(() => t.fail('told though it asked no more'));
  forgotten();
  const due = house.seasons.clock.now() + 3_600_000;
  await house.seasons.clock.advance(3_599_999);
  t.same(ends, []);
  await house.seasons.clock.advance(1);
  t.same(ends, [due]);
  t.equal(lease.over, true);
  t.equal(await house.comes(text), 'expired');
  t.equal(await house.comes(`bt_${'x'.repeat(43)}`), null, 'another thing than a token that never was');
});

await t.test('a token ends with whatever it depends on', async (t) => {
  const ways: [what: string, end: (of: Awaited<ReturnType<typeof inBrowser>>) => Promise<unknown>][] = [
    ['a stop', ({ house, agentId }) => house.ask('stopBot', { agentId })],
    ['a newer token', ({ token }) => token('refreshBotToken', undefined)],
    ['another deployment', ({ token }) => token()],
    ['a hosted bot', ({ house, agentId }) => house.ask('deployBot', { agentId, body: { mode: 'hosted' } })],
    ['another runtime', ({ house, agentId }) => house.hosted.switchRuntime(agentId, 'self_hosted', null)],
    ['the season', ({ house }) => house.seasons.passUntil(() => house.seasons.seasons.season.current?.number === 2)],
  ];
  for (const [what, end] of ways) {
    const of = await inBrowser(t);
    const text = await of.token();
    let over = 0;
    const lease = await of.enter(text);
    lease.onOver(() => over++);
    // The season takes longer than a token lives.
    if (what === 'the season') await of.house.seasons.sql`update bot_tokens set expires_at = now() + interval '1 day'`;
    await end(of);
    t.equal(over, 1, `${what} ends the sockets`);
    t.equal(await of.house.comes(text), 'expired', `${what} ends the token`);
  }
});

await t.test('a token is worth no more than the key behind it', async (t) => {
  const { house, agentId, token, enter } = await inBrowser(t);
  const text = await token();
  await enter(text);
  await house.seasons.sql`update agents set key_hash = sha256('another'::bytea) where agent_id = ${agentId}`;
  t.equal(await house.comes(text), 'expired');
  const next = await token();
  await house.seasons.sql`update agents set banned_at = now() where agent_id = ${agentId}`;
  t.equal(await house.comes(next), null, 'who is banned is nobody');
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
  for (let hours = 0; hours < 3; hours += 1 / 3) {
    await clock.advance(1_200_000);
    await house.until(async () => {
      const [row] = await house.seasons.sql<{ expires_at: Date }[]>`select expires_at from bot_tokens`;
      return row!.expires_at.getTime() === clock.now() + 3_600_000;
    });
  }
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

// ---- real sockets

const TRANSPORTS: readonly Env[] = [{ TRANSPORT: 'uws' }, { TRANSPORT: 'ws' }, { TRANSPORT: 'uws', FRONTS: 2 }];

interface Deployed {
  token: { bot_token: string };
}

for (const transport of TRANSPORTS) {
  await t.test(`sockets by token: ${JSON.stringify(transport)}`, async (t) => {
    const platform = await TestPlatform.start(t, { ...transport, WS_CONNECTS_PER_MINUTE: 1000 });
    const account = await platform.register('page');
    const { key } = account;
    const deploy = async () =>
      ((await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'browser' } })).body as Deployed).token
        .bot_token;
    const byProtocol = (token: string) =>
      Player.open(platform, account, { protocols: ['agent-poker', `token.${token}`] });
    const status = async () => (await platform.api('GET', '/api/bot/status', { key })).body;

    const token = await deploy();
    const page = await byProtocol(token);
    t.match(await page.next('connected'), { agent_id: account.agentId });
    t.equal(page.ws.protocol, 'agent-poker', 'the secret is not repeated');
    t.match(await status(), { state: 'running', mode: 'browser' });
    page.send({ type: 'join_lobby' });
    await page.next('lobby_joined');
    t.match(await platform.api('GET', '/api/me', { key: token }), { status: 401 }, 'REST takes no token');

    const header = await Player.open(platform, { ...account, key: token });
    await header.next('connected');
    t.match(await page.closed, { code: 4002 }, 'one session an agent');
    const again = await platform.api('POST', '/api/bot/refresh-token', { key });
    t.match(await header.closed, { code: 4003, reason: 'token expired' }, 'its token is another’s now');
    const late = await byProtocol(token);
    t.match(await late.next('error'), { code: 'auth_failed' });
    t.match(await late.closed, { code: 4003 });

    const fresh = await byProtocol((again.body as { bot_token: string }).bot_token);
    await fresh.next('connected');
    await platform.api('POST', '/api/bot/stop', { key });
    t.match(await fresh.closed, { code: 4003 });

    const short = await deploy();
    await platform.sql!`update bot_tokens set expires_at = now() + interval '300 ms' where revoked_at is null`;
    const soon = await byProtocol(short);
    await soon.next('connected');
    t.match(await soon.closed, { code: 4003 }, 'and by itself');
    const [row] = await platform.sql!<{ late: boolean }[]>`
      select now() < expires_at as late from bot_tokens order by issued_at desc limit 1`;
    t.same(row, { late: false }, 'not before its time');

    for (const offered of [`token.${key}`, `token.bt_${'x'.repeat(43)}`, 'token.', 'other']) {
      const refused = await Player.open(platform, account, { protocols: ['agent-poker', offered] });
      t.match(await refused.next('error'), { code: 'auth_failed' }, offered.slice(0, 9));
      t.match(await refused.closed, { code: 4001 }, offered.slice(0, 9));
    }
    const other = new WebSocket(platform.wsUrl, ['chat', 'v2'], { headers: { authorization: `Bearer ${key}` } });
    await once(other, 'open');
    t.equal(other.protocol, 'chat', 'who offers others gets the first, as ever');
    other.close();
    const competition = new WebSocket(`${platform.wsUrl}?competition_id=${account.agentId}`, {
      headers: { authorization: `Bearer ${await deploy()}` },
    });
    const [code] = (await once(competition, 'close')) as [number];
    t.equal(code, 4001, 'a token is for the season');
    t.same(platform.faults, []);
  });
}

/** The states of some bots, by REST. */
async function states(
  platform: TestPlatform,
  accounts: readonly Account[],
): Promise<{ state: string; hands_played: number }[]> {
  return Promise.all(
    accounts.map(async ({ key }) => {
      const { body } = await platform.api('GET', '/api/bot/status', { key });
      return body as { state: string; hands_played: number };
    }),
  );
}

/** Resolves once so many hands have been stored. */
async function hands(platform: TestPlatform, count: number, pool: string | null = null): Promise<void> {
  for (;;) {
    const [row] = await platform.sql!<{ hands: number }[]>`
      select count(*) as hands from hands where ${pool}::uuid is null or pool_id = ${pool}::uuid`;
    if (row!.hands >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

await t.test(
  'hosted bots play by themselves: over restarts, into the next season, until they are stopped',
  async (t) => {
    const platform = await TestPlatform.start(t, {
      ...{ HOSTED_PACE_MS: 0, SEASON_SECONDS: 3600, WS_CONNECTS_PER_MINUTE: 1, WIND_DOWN_SECONDS: 1 },
      ...{ REBUY_COOLDOWNS: '0', STARTING_CHIPS: 2000, BETWEEN_HANDS_MS: 1, TRUSTED_PROXY: 0 },
    });
    const templates = ['shark', 'rock', 'gambler', 'bluffer', 'calling_station'];
    const accounts = [];
    for (const template of templates) {
      const account = await platform.register('hosted');
      const body = { mode: 'hosted', strategy: { template } };
      t.match(await platform.api('POST', '/api/bot/deploy', { key: account.key, body }), { status: 200 });
      accounts.push(account);
    }
    await hands(platform, 60);
    t.ok(
      (await states(platform, accounts)).every(({ state }) => state === 'running'),
      'they do not count as one address',
    );

    await platform.kill();
    await platform.launch();
    const [before] = await platform.sql!<{ hands: number }[]>`select count(*) as hands from hands`;
    await hands(platform, before!.hands + 60);

    await platform.stop();
    // The season is over soon after the start.
    await platform.sql!`update seasons set end_date = now() + interval '2 seconds'`;
    await platform.launch({ SEASON_SECONDS: 6, WIND_DOWN_SECONDS: 1 });
    let pool: string | undefined;
    while (pool === undefined) {
      const [row] = await platform.sql!<{ season_id: string }[]>`
      select season_id from seasons where status = 'active' and season_number = 2`;
      pool = row?.season_id;
    }
    await hands(platform, 60, pool);
    const third = async () => (await platform.sql!`select from seasons where season_number = 3`).length === 1;
    while (!(await third())) await new Promise((resolve) => setTimeout(resolve, 50));
    const [standings] = await platform.sql!<{ ranked: number }[]>`
    select count(*) as ranked from season_standings where season_id = ${pool!}`;
    t.equal(standings!.ranked, templates.length, 'a whole season, attended by nobody');
    await platform.healthWhen(({ game }) => game.active_tables > 0);

    for (const { key } of accounts) t.match(await platform.api('POST', '/api/bot/stop', { key }), { status: 200 });
    await platform.empty();
    t.ok(
      (await states(platform, accounts)).every(({ state, hands_played }) => state === 'stopped' && hands_played > 60),
    );
    const [seated] = await platform.sql!<{ seated: number }[]>`
    select count(*) as seated from entries where table_id is not null`;
    t.equal(seated!.seated, 0, 'they left their tables');
    t.same(platform.faults, []);
  },
);

await t.test('the owner takes over from the hosted bot, and it from the owner', async (t) => {
  const platform = await TestPlatform.start(t, { HOSTED_PACE_MS: 0 });
  const account = await platform.register('hosted');
  const { key } = account;
  const own = await Player.open(platform, account);
  await own.next('connected');
  await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } });
  t.match(await own.closed, { code: 4002 });
  const state = async () => (await platform.api('GET', '/api/bot/status', { key })).body as { state: string };
  while ((await state()).state !== 'running') await new Promise((resolve) => setTimeout(resolve, 20));
  const back = await Player.open(platform, account);
  await back.next('connected');
  while ((await state()).state !== 'stopped') await new Promise((resolve) => setTimeout(resolve, 20));
  t.match(await state(), { last_error: 'Another socket of the agent has taken over' });
  t.match(await platform.api('GET', '/api/me', { key }), { body: { runtime: 'self_hosted', runtime_generation: 3 } });
  t.equal(back.isClosed, false);
});
