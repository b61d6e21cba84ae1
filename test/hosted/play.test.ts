/** Hosted bots on the whole platform, beside the sockets of their owners. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Env } from '../support/platform.js';
import { Player } from '../support/player.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const TRANSPORTS: readonly Env[] = [{ TRANSPORT: 'uws' }, { TRANSPORT: 'ws' }];

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
