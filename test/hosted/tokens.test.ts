/** The tokens by which bots in a browser come in: who has one, and when each ends. */
import t from 'tap';
import { READING_MS } from '../../src/hosted/lease.js';
import { STYLES } from '../../src/bots/index.js';
import { stopCluster } from '../support/database.js';
import { HostedHouse } from '../support/hosted-house.js';
import { FILE_MS } from '../support/limits.js';
import { detail, inBrowser, ok } from '../support/hosted-rest.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

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
  await house.seasons.clock.advance(1 + READING_MS);
  await house.until(() => ends.length > 0);
  t.same(ends, [due + READING_MS]);
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
