/** Hosted bots against a server that the test plays: what they tell of themselves, and their rebuys. */
import t, { type Test } from 'tap';
import { STYLES } from '../../src/bots/index.js';
import { decision } from '../../src/hosted/decision.js';
import { HostedBots, type Decide } from '../../src/hosted/bots.js';
import type { FromBots } from '../../src/hosted/orders.js';
import { examples } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { ScriptedServer } from '../support/scripted-server.js';

t.setTimeout(FILE_MS);

const AGENT = { agentId: 'agent', run: 1 };
const PLAN = { style: STYLES.rock, autoRebuy: true };

/** A hosted bot in the lobby, and what it tells: `next` waits for the next of these. */
async function hosted(t: Test, plan: typeof PLAN, decide: Decide = (task) => Promise.resolve(decision(task))) {
  const server = await ScriptedServer.open(t);
  const told: FromBots[] = [];
  const waiting: ((message: FromBots) => void)[] = [];
  const bots = new HostedBots({ wsUrl: server.wsUrl, paceMs: 0 }, decide, (message) => {
    const waiter = waiting.shift();
    if (waiter === undefined) told.push(message);
    else waiter(message);
  });
  t.teardown(() => bots.stop());
  bots.order({ t: 'play', bots: [{ ...AGENT, token: 'bt_token', ...plan }] });
  const talk = await server.connection();
  talk.say('connected');
  t.same(await talk.heard(), { type: 'join_lobby' });
  talk.say('lobby_joined');
  const next = () => Promise.resolve(told.shift() ?? new Promise<FromBots>((resolve) => waiting.push(resolve)));
  t.same(await next(), { t: 'connected', ...AGENT });
  return { server, bots, talk, next };
}

await t.test('the server is told of rebuys once a season, and of each new plan', async (t) => {
  const { bots, talk } = await hosted(t, PLAN);
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: true });
  talk.say('season_ended');
  t.same(await talk.heard(), { type: 'join_lobby' });
  talk.say('lobby_joined');
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: true });
  bots.order({ t: 'plan', agentId: 'agent', ...PLAN, autoRebuy: false });
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: false });
});

await t.test('out of chips without rebuys it says so and waits for a plan with rebuys', async (t) => {
  const { bots, talk, next } = await hosted(t, { ...PLAN, autoRebuy: false });
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: false });
  talk.say('error', { code: 'insufficient_season_chips' });
  t.same(await next(), { t: 'trouble', ...AGENT, reason: 'Out of chips, and auto_rebuy is off' });
  bots.order({ t: 'plan', agentId: 'agent', ...PLAN });
  t.match(await talk.heard(), { type: 'rebuy', amount: 0 });
  talk.say('error', { code: 'email_not_verified' });
  t.same(await next(), { t: 'trouble', ...AGENT, reason: 'No rebuy before the e-mail address is verified' });
  talk.say('rebuy_confirmed');
  t.same(await talk.heard(), { type: 'join_lobby' });
  talk.say('lobby_joined');
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: true }, 'the preference is said in the lobby');
});

await t.test('a season that begins ends the wait for chips', async (t) => {
  const { talk, next } = await hosted(t, { ...PLAN, autoRebuy: false });
  await talk.heard();
  for (const round of ['first', 'second']) {
    talk.say('error', { code: 'insufficient_season_chips' });
    t.match(await next(), { t: 'trouble' }, round);
    talk.say('season_ended');
    t.same(await talk.heard(), { type: 'join_lobby' });
    talk.say('lobby_joined');
    t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: false });
  }
});

await t.test('a decision that fails is a check or a fold, and is told', async (t) => {
  const { talk, next } = await hosted(t, PLAN, () => Promise.reject(new Error('no thread')));
  await talk.heard();
  let seq = 100;
  for (const type of ['table_joined', 'hand_start', 'table_state', 'your_turn'] as const) {
    talk.say(type, { table_seq: ++seq });
  }
  t.match(await talk.heard(), { type: 'action', action: 'fold' });
  t.same(await next(), { t: 'seated', ...AGENT });
  t.match(await next(), { t: 'trouble', reason: /no thread/ });
});

await t.test('one that leaves gives its seat up, and tells when it has', async (t) => {
  const { bots, talk, next } = await hosted(t, PLAN);
  await talk.heard();
  talk.say('table_joined', { table_seq: 100 });
  t.same(await next(), { t: 'seated', ...AGENT });
  bots.order({ t: 'leave', ...AGENT });
  t.same(await talk.heard(), { type: 'leave_table' });
  talk.say('player_left', { seat: examples.table_joined.seat, reason: 'left', table_seq: 101 });
  t.same(await next(), { t: 'left', ...AGENT });
  bots.order({ t: 'leave', ...AGENT });
  t.same(await next(), { t: 'left', ...AGENT }, 'one that is not here has left');
});

await t.test('a token that is over, and another socket, end it', async (t) => {
  for (const code of [4002, 4003]) {
    const { talk, next } = await hosted(t, PLAN);
    talk.close(code);
    t.same(await next(), { t: 'ended', ...AGENT, code });
  }
});
