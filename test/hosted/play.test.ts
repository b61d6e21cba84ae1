/** Hosted bots on the whole platform: they play by themselves, over restarts and beside the sockets of their owners. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { endSeason } from '../../src/admin/commands/seasons.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { INSPECTED, runInThread } from '../chaos/inspector.js';
import { FATES } from '../chaos/threads.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { TestPlatform, type Account, type Env } from '../support/platform.js';
import { Player } from '../support/player.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

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
    const platform = await ForkedPlatform.start(t, {
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
    await platform.launch();
    const second = async () => {
      const [row] = await platform.sql!<{ season_id: string }[]>`
        select season_id from seasons where status = 'active' and season_number = 2`;
      return row?.season_id;
    };
    const pool = await eventually('the second season', second);
    await hands(platform, 60, pool);
    await endSeason.prepare(['--in', '1', '--yes']).run(platform.sql!, () => Promise.resolve(false));
    const third = async () => (await platform.sql!`select from seasons where season_number = 3`).length === 1;
    await eventually('the third season', third);
    const [standings] = await platform.sql!<{ ranked: number }[]>`
    select count(*) as ranked from season_standings where season_id = ${pool}`;
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
  await eventually('the bot to run', async () => (await state()).state === 'running', 20);
  const back = await Player.open(platform, account);
  await back.next('connected');
  await eventually('the bot to stop', async () => (await state()).state === 'stopped', 20);
  t.match(await state(), { last_error: 'Another socket of the agent has taken over' });
  t.match(await platform.api('GET', '/api/me', { key }), { body: { runtime: 'self_hosted', runtime_generation: 3 } });
  t.equal(back.isClosed, false);
});

await t.test('a hand is cut off while a hosted bot thinks: the thread of all hosted bots plays on', async (t) => {
  // The bot acts 2 to 6 s after it was asked: when the table is open again, and before its next hand.
  const platform = await ForkedPlatform.start(t, { ...INSPECTED, HOSTED_PACE_MS: 4000, BETWEEN_HANDS_MS: 7000 });
  const { key } = await platform.register('hosted');
  await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } });
  const guest = await Player.open(platform, await platform.register('guest'), {
    prepare: (player) => {
      player.auto = ({ valid_actions: offers }) => ({
        action: offers.some(({ action }) => action === 'check') ? 'check' : 'call',
      });
    },
  });
  guest.send({ type: 'join_lobby' });
  const isBotsTurn = ({ hand_id, actor_seat: actor }: ServerMessageOf['table_state']) =>
    hand_id !== null && actor !== undefined && actor !== guest.seat;
  const { hand_id: cutOff } = await guest.next('table_state', isBotsTurn);
  await runInThread(platform, 'shard', 1, () => 0, FATES.exits);
  await guest.next('table_state', ({ hand_id }) => hand_id === null);
  await guest.next('player_action', ({ hand_id, seat }) => hand_id !== cutOff && seat !== guest.seat);
  t.notMatch(platform.output, /the thread of the hosted bots starts again/);
  t.same(platform.faults, []);
});
