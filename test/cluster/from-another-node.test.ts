/** Operators, spectators and pages at another node than the table's. They see no difference. */
import t from 'tap';
import { adminJson } from '../support/command.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { Cup } from '../support/cup.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { startNodes } from '../support/nodes.js';
import type { TestPlatform } from '../support/platform.js';
import { calling, join, playOn, Scene } from '../support/scene.js';
import { Spectator } from '../support/spectator.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const ADMIN_KEY = 'the-key-of-the-operator';
const [leader, other] = (await startNodes(t, 2, { ADMIN_KEY, BETWEEN_HANDS_MS: 50 })) as [TestPlatform, TestPlatform];
const operate = (path: string, body: object = {}) => other.api('POST', `/api/admin/${path}`, { key: ADMIN_KEY, body });

/** Two players that play on at a table of the leader. */
async function played() {
  const scene = new Scene(leader);
  const players = [await scene.player('ada'), await scene.player('bob')] as const;
  playOn(players, calling);
  await Promise.all(players.map((player) => join(player)));
  await Promise.all(players.map((player) => player.next('hand_result')));
  return { scene, players, table: players[0].table! };
}

await t.test('a spectator reads the hands, and its own resync', async (t) => {
  const { scene, table } = await played();
  const spectator = await Spectator.open(other, table);
  await spectator.until('a result', () => spectator.all('hand_result')[0]);
  t.equal(spectator.all('table_state')[0]?.hero, undefined);
  const reader = await new Scene(other).player('reader');
  reader.send({ type: 'resync_request', table_id: table, last_table_seq: null });
  const { role, replayed_events: events } = await reader.next('resync_response');
  t.equal(role, 'spectator');
  t.ok(events.some(({ type }) => type === 'hand_result'));
  spectator.ws.close();
  await reader.close();
  await scene.end();
});

await t.test('profiles and playing views name the table', async (t) => {
  const { scene, players, table } = await played();
  const [ada] = players;
  const { key } = ada.account;
  const { body } = await other.api('GET', '/api/me', { key });
  const { public_profile_slug: slug } = body as { public_profile_slug: string };
  t.match(await other.api('GET', `/api/agents/${slug}/table`), { body: { table_id: table, seat: ada.seat } });
  t.match(await other.api('GET', '/api/me/active-game', { key }), { body: { playing: true, table_id: table } });
  t.match(await other.api('GET', `/api/tables/${table}`), { status: 200, body: { table_id: table } });
  await scene.end();
});

await t.test('the page of a competition shows its tables, and a participant its own', async (t) => {
  const cup = await Cup.open(leader);
  await cup.step('start');
  const scene = new Scene(leader);
  const players = [await cup.player(scene, 'cup'), await cup.player(scene, 'cup')] as const;
  playOn(players, calling);
  await Promise.all(players.map((player) => join(player, null)));
  const { table } = players[0];
  const [row] = await other.sql!<{ slug: string }[]>`select slug from competitions where competition_id = ${cup.id}`;
  const shown = await eventually(
    'the table on the page',
    async () => {
      const { body } = await other.api('GET', `/api/public/competitions/${row!.slug}`);
      const [first] = (body as { tables: { table_id: string; state: { table_id: string } | null }[] }).tables;
      return first?.state && first;
    },
    1000,
  );
  t.match(shown, { table_id: table, state: { table_id: table, seats: Array } });
  const { key } = players[0].account;
  t.match(await other.api('GET', `/api/competitions/${cup.id}/participant-live`, { key }), {
    status: 200,
    body: { playing: true, table_id: table, seat: players[0].seat, table: { table_id: table } },
  });
  await scene.end();
});

await t.test('an operator closes a table, and ends the session of a banned agent', async (t) => {
  const { scene, players, table } = await played();
  const [ada, bob] = players;
  t.match(await operate(`tables/${table}/close`), { status: 200 });
  t.match(await ada.next('table_closed'), { table_id: table, reason: 'closed_by_operator' });
  t.match(await operate(`agents/${bob.account.agentId}/ban`, { reason: 'it was a test' }), { status: 200 });
  t.match(await bob.closed, { code: 4001 });
  for (const node of [leader, other]) {
    t.match(await node.api('GET', '/api/me', { key: bob.account.key }), { status: 401 });
  }
  await scene.end();
});

await t.test('commands beside the nodes close a table of a follower, and end a session at the leader', async (t) => {
  const address = await freshDatabase(t);
  // Eve is banned while it is her turn, too.
  const env = { BETWEEN_HANDS_MS: 50, ACTION_TIMEOUT_MS: 500 };
  const [leads, hosts] = (await startNodes(t, 2, env, address)) as [TestPlatform, TestPlatform];
  const admin = (...args: string[]) => adminJson(address.url, ...args);
  const [here, there] = [new Scene(leads), new Scene(hosts)];
  const players = [await there.player('ada'), await there.player('bob'), await here.player('eve')] as const;
  const [ada, bob, eve] = players;
  playOn(players, calling);
  await Promise.all([join(ada), join(bob)]);
  await join(eve);
  t.equal(eve.table, ada.table, 'the leader relays its one player to the node of the others');

  const { data } = await admin('nodes', 'list');
  const { nodes } = data as { nodes: { leads: boolean; tables: number }[] };
  t.equal(nodes.find(({ leads }) => leads)!.tables, 0);
  t.equal(nodes.find(({ leads }) => !leads)!.tables, 1);
  t.match(await admin('ban', eve.account.agentId, '--reason', 'it was a test'), { code: 0 });
  t.match(await eve.closed, { code: 4001 });
  t.match(await admin('tables', 'close', ada.table!), { code: 0, data: { table_id: ada.table } });
  t.match(await ada.next('table_closed'), { table_id: ada.table, reason: 'closed_by_operator' });
  await Promise.all([here.end(), there.end()]);
  t.same([...leads.faults, ...hosts.faults], []);
});

await t.test('a hosted bot of the leader is deployed, looked at and stopped', async (t) => {
  const { key } = await other.register('owner');
  t.match(await other.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } }), { status: 200 });
  const status = async (node: TestPlatform) => (await node.api('GET', '/api/bot/status', { key })).body;
  const isRunning = async () => ((await status(other)) as { state: string }).state === 'running';
  await eventually('the bot to run', isRunning, 200);
  t.match(await status(leader), { state: 'running', mode: 'hosted' });
  t.match(await other.api('POST', '/api/bot/stop', { key }), { status: 200 });
  t.match(await status(leader), { state: 'stopped' });
});

await t.test('nothing went wrong', async (t) => t.same([...leader.faults, ...other.faults], []));
