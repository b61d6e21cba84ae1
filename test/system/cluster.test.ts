/**
 * Three nodes on one database. Players at any node meet, are taken over, watched and forwarded. Nodes drain and die.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { eventually, FILE_MS } from '../support/limits.js';
import { adminJson } from '../support/command.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { NODE, startNodes } from '../support/nodes.js';
import { TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const callOn = (player: Player) => {
  player.auto = ({ valid_actions: actions }) => ({
    action: actions.some(({ action }) => action === 'check') ? 'check' : 'call',
  });
};

/** An agent that joins at a node. */
async function joined(node: TestPlatform, name: string): Promise<Player> {
  const player = await Player.open(node, await node.register(name));
  callOn(player);
  player.send({ type: 'join_lobby' });
  return player;
}

await t.test('players of three nodes meet at one table, and each reads its hands', async (t) => {
  const nodes = await startNodes(t, 3);
  const players: Player[] = [];
  for (const [i, node] of nodes.entries()) players.push(await joined(node, `meets${i}`));
  await Promise.all(players.map((player) => player.next('table_joined')));
  t.equal(new Set(players.map(({ table }) => table)).size, 1, 'a small pool gathers at its host');
  for (const player of players) for (let hand = 0; hand < 3; hand++) await player.next('hand_result');
  for (const { frames } of players) t.equal(frames.filter(({ type }) => type === 'connected').length, 1);
  const [first, second] = players as [Player, Player, Player];

  await t.test('a takeover from another node', async (t) => {
    const again = await Player.open(nodes[2]!, first.account);
    callOn(again);
    t.match(await first.closed, { code: 4002 });
    await again.next('connected');
    await again.next('hand_result');
    t.equal(again.table, first.table);
    t.ok(again.seat !== null, 'it has its seat again');
    players[0] = again;
  });

  await t.test('REST of the table, of the seat and of all tables from each node', async (t) => {
    const table = second.table!;
    for (const node of nodes) {
      // Hands go on meanwhile, and the list of other nodes' tables may be a second old.
      t.match(await node.api('GET', `/api/tables/${table}`), { status: 200, body: { table_id: table } });
      t.match(await node.api('GET', '/api/tables'), { status: 200, body: [{ table_id: table, players: 3 }] });
      const { key } = second.account;
      t.match(await node.api('GET', '/api/me/active-game', { key }), { status: 200, body: { table_id: table } });
    }
  });

  await t.test('a resync of a relayed player is whole', async (t) => {
    second.send({ type: 'resync_request', table_id: second.table, last_table_seq: 0 });
    const answer = await second.next('resync_response');
    t.equal(answer.table_id, second.table);
  });

  await t.test('a key that ends at one node ends the session at another', async (t) => {
    const { key } = second.account;
    const { status } = await nodes[2]!.api('POST', '/api/me/regenerate-key', { key });
    t.equal(status, 200);
    t.match(await second.closed, { code: 4001 });
    t.match(await nodes[0]!.api('GET', '/api/me', { key }), { status: 401 }, 'the old key is good nowhere');
  });
  for (const player of players) await player.close();
  for (const { faults } of nodes) t.same(faults, []);
});

await t.test('a node that drains gives its tables to another, without a void hand', async (t) => {
  const [host, other] = (await startNodes(t, 2)) as [TestPlatform, TestPlatform];
  const players = [await joined(host, 'drains')];
  await eventually('it hosts the pool', async () => (await other.sql!`select from pool_hosts`).count > 0);
  players.push(await joined(other, 'drains_too'));
  await Promise.all(players.map((player) => player.next('hand_result')));
  const table = players[0]!.table;
  const stopped = host.stop();
  t.match(await players[0]!.closed, { code: 1012 });
  await stopped;
  t.match(await players[1]!.closed, { code: 1012 }, 'its relay led to the node that drained');
  const back = await Promise.all(players.map(({ account }) => Player.open(other, account)));
  for (const player of back) callOn(player);
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) t.equal(player.table, table, 'it plays on at its table');
  const [row] = await other.sql!<{ numbers: number[] }[]>`
    select array_agg(hand_number order by hand_number) as numbers from hands where table_id = ${table}`;
  t.same(
    row!.numbers,
    Array.from({ length: row!.numbers.length }, (_, i) => i + 1),
    'no hand is void',
  );
  for (const player of back) await player.close();
  t.same(other.faults, []);
});

await t.test('a node that is killed: its table deals again at another, and the lead goes on', async (t) => {
  const address = await freshDatabase(t);
  const host = await ForkedPlatform.start(t, { ...NODE }, address);
  const other = await TestPlatform.start(t, { ...NODE }, address);
  const players = [await joined(host, 'dies'), await joined(host, 'dies')];
  await Promise.all(players.map((player) => player.next('hand_result')));
  const table = players[0]!.table;
  await host.kill();
  const leads = async () => {
    const [row] = await other.sql!<{ lives: boolean }[]>`
      select ended_at is null as lives from leadership join nodes on node_id = holder`;
    return row?.lives === true ? true : null;
  };
  await eventually('another node leads', leads);
  const back = await Promise.all(players.map(({ account }) => Player.open(other, account)));
  for (const player of back) callOn(player);
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) t.equal(player.table, table, 'it plays on at its table');
  for (const player of back) await player.close();
  t.same(other.faults, []);
});

await t.test('a node that others have ended plays no hand to its end', async (t) => {
  const [host, other] = (await startNodes(t, 2, { ACTION_TIMEOUT_MS: 1000, DRAIN_MS: 20_000 })) as [
    TestPlatform,
    TestPlatform,
  ];
  const players = [await joined(host, 'ended'), await joined(host, 'ended')];
  for (const player of players) player.auto = null;
  await eventually('a turn', () => players.some(({ turn }) => turn !== null));
  await other.sql!`
    update nodes set ended_at = clock_timestamp(), ended_by = l.node_id
    from nodes l where l.node_id <> nodes.node_id and nodes.node_id = (select holder from leadership)`;
  await eventually('it knows', () => host.faults.length > 0);
  const read = players.map(({ frames }) => frames.length);
  await host.stop();
  for (const [i, player] of players.entries()) {
    t.match(await player.closed, { code: 1012 });
    t.notOk(player.frames.slice(read[i]).some((frame) => frame.type === 'player_action'));
  }
  const back = await Promise.all(players.map(({ account }) => Player.open(other, account)));
  for (const player of back) callOn(player);
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) await player.close();
  t.same(other.faults, []);
});

type Operator = (other: TestPlatform, nodeId: string, databaseUrl: string) => Promise<void>;
const ADMIN_KEY = 'the-key-of-the-operator';
const drains: [by: string, Operator][] = [
  [
    'an operator at another node',
    async (other, nodeId) => {
      const answer = await other.api('POST', `/api/admin/nodes/${nodeId}/drain`, { key: ADMIN_KEY, body: {} });
      t.equal(answer.status, 200);
    },
  ],
  [
    'a command beside the nodes',
    async (_, nodeId, databaseUrl) => {
      const { code } = await adminJson(databaseUrl, 'drain', nodeId);
      t.equal(code, 0);
    },
  ],
];

for (const [by, drain] of drains) {
  await t.test(`${by} drains a node`, async (t) => {
    const address = await freshDatabase(t);
    const settings = { ...NODE, ADMIN_KEY };
    const host = await ForkedPlatform.start(t, settings, address);
    const other = await TestPlatform.start(t, settings, address);
    const players = [await joined(host, 'leaves'), await joined(host, 'leaves')];
    await Promise.all(players.map((player) => player.next('hand_result')));
    const [row] = await other.sql!<{ holder: string }[]>`select holder from leadership`;
    await drain(other, row!.holder, address.url);
    t.match(await host.ended, { code: 0 });
    for (const player of players) t.match(await player.closed, { code: 1012 });
    const back = await Promise.all(players.map(({ account }) => Player.open(other, account)));
    for (const player of back) callOn(player);
    await Promise.all(back.map((player) => player.next('hand_result')));
    for (const player of back) t.equal(player.table, players[0]!.table, 'the table plays on');
    for (const player of back) await player.close();
    t.same(other.faults, []);
  });
}

await t.test('an agent of an ended node waits until its table is claimed, and finds its seat', async (t) => {
  const address = await freshDatabase(t);
  const holds = await ForkedPlatform.start(t, { ...NODE }, address);
  const [edge, claims] = [await TestPlatform.start(t, NODE, address), await TestPlatform.start(t, NODE, address)];
  const players = [await joined(holds, 'orphan'), await joined(holds, 'orphan')];
  await Promise.all(players.map((player) => player.next('hand_result')));
  const sql = edge.sql!;
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const locked = claims.sql!.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('agent-poker shards'))`;
    await holds.kill();
    await eventually('the killed node is ended', async () => {
      const [row] = await sql<
        { ended: number }[]
      >`select count(*)::integer as ended from nodes where ended_at is not null`;
      return row!.ended > 0;
    });
    await released;
  });
  await untilWaiting(sql, 1, '%agent-poker shards%');
  const back = await Promise.all(players.map(({ account }) => Player.open(edge, account)));
  for (const player of back) callOn(player);
  // Time in which a node could take them. It must not.
  await sleep(500);
  const [homes] = await sql<{ living: number }[]>`
    select count(*)::integer as living from homes join nodes using (node_id)
    where ended_at is null and agent_id = any(${players.map(({ account }) => account.agentId)}::uuid[])`;
  t.equal(homes!.living, 0, 'no node has them before the claim');
  release();
  await locked;
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) {
    t.equal(player.table, players[0]!.table, 'it plays on at its table');
    await player.close();
  }
  for (const { faults } of [edge, claims]) t.same(faults, []);
});

/** Settings of a process with a clock that is an hour behind. */
const BEHIND = {
  NODE_OPTIONS:
    '--import=data:text/javascript,globalThis.wall=Date.now;Date.now=()=>wall()-36e5;' +
    "Object.defineProperty(performance,'timeOrigin',{value:performance.timeOrigin-36e5})",
};

await t.test('ids and dates of hands go on rising at a node whose clock is behind', async (t) => {
  const address = await freshDatabase(t);
  const host = await ForkedPlatform.start(t, { ...NODE }, address);
  const adopter = await ForkedPlatform.start(t, { ...NODE, ...BEHIND }, address);
  const players = [await joined(host, 'dated'), await joined(host, 'dated')];
  await Promise.all(players.map((player) => player.next('hand_result')));
  await host.kill();
  const back = await Promise.all(players.map(({ account }) => Player.open(adopter, account)));
  for (const player of back) callOn(player);
  await Promise.all(back.map((player) => player.next('hand_result')));
  t.match(adopter.output, /the clocks differ/, 'its own clock is behind indeed');
  const read = back[0]!.last('hand_result').hand_id;
  const hands = await eventually('the hand to be stored', async () => {
    const rows = await adopter.sql!<{ id: string; started: Date; ended: Date }[]>`
      select hand_id as id, started_at as started, ended_at as ended from hands
      where table_id = ${players[0]!.table} order by hand_number`;
    return rows.some(({ id }) => id === read) && rows;
  });
  const rises = (values: readonly (string | number)[]) =>
    values.every((value, i) => i === 0 || values[i - 1]! <= value);
  t.equal(new Set(hands.map(({ id }) => id)).size, hands.length);
  t.ok(rises(hands.map(({ id }) => id)), 'ids');
  t.ok(rises(hands.map(({ started }) => started.getTime())), 'begins');
  t.ok(rises(hands.map(({ ended }) => ended.getTime())), 'ends');
  for (const player of back) await player.close();
  t.same(adopter.faults, []);
});

await t.test('a node without the secret, or alone, is refused', async (t) => {
  const address = await freshDatabase(t);
  await TestPlatform.start(t, { ...NODE }, address);
  await t.rejects(TestPlatform.start(t, {}, address), /Another server works on this database/);
  await t.rejects(TestPlatform.start(t, { NODE_ADDRESS: '127.0.0.1:0' }, address), /NODE_ADDRESS needs CLUSTER_SECRET/);
});
