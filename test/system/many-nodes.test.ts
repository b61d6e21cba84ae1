/** NODES=2 in one command: the end while nodes start, a node that dies, and the end of the parent process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { freshDatabase, stopCluster } from '../support/database.js';
import { ForkedPlatform, MAIN } from '../support/forked-platform.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { bareEnv, temporaryFolder } from '../support/platform.js';
import { Player } from '../support/player.js';
import { calling } from '../support/scene.js';
import { childrenOf, isAlive } from '../support/processes.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const NODES = 2;
const UNEXPECTED = /uncaught|the stop failed|takes too long|ERR_/;

/** The node processes below a process. */
const nodesOf = (pid: number): number[] => childrenOf(pid, MAIN);

await t.test('a stop while the nodes start ends all of them', async (t) => {
  const platform = await ForkedPlatform.prepare(t, { NODES, DATA_DIR: temporaryFolder(t) });
  const start = platform.launch();
  start.catch(() => undefined);
  await eventually('a node to begin', () => nodesOf(platform.pid).length > 0);
  const [node] = nodesOf(platform.pid);
  platform.terminate();
  t.match(await platform.ended, { code: 0, signal: null });
  await t.rejects(start, /before it served/);
  t.notMatch(platform.output, UNEXPECTED);
  t.notOk(isAlive(node!), 'the node is gone, too');
});

await t.test('a node that dies starts again, and a stop ends all', async (t) => {
  const platform = await ForkedPlatform.start(t, { NODES });
  const players: Player[] = [];
  for (const name of ['ann', 'bob']) {
    const player = await Player.open(platform, await platform.register(name));
    player.auto = calling;
    player.send({ type: 'join_lobby' });
    players.push(player);
  }
  for (const player of players) await player.next('hand_result');
  const [first] = nodesOf(platform.pid);
  process.kill(first!, 'SIGKILL');
  await platform.wrote('a node has ended and starts again');
  await eventually('both nodes', () => nodesOf(platform.pid).length === NODES);
  for (const player of players) {
    // A player of a dead node has no connection.
    if (!player.isClosed) await player.next('hand_result');
    await player.close();
  }
  await platform.stop();
  t.notMatch(platform.output, UNEXPECTED);
});

await t.test('the nodes of a killed parent drain and end', async (t) => {
  const { url } = await freshDatabase(t);
  const env = bareEnv({ PORT: 0, HOUSE_BOTS: 0, NODES, DATABASE_URL: url });
  const parent = spawn(process.execPath, [MAIN], { cwd: temporaryFolder(t), env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => parent.kill('SIGKILL'));
  let output = '';
  for (const stream of [parent.stdout, parent.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  await eventually('nodes and parent to serve', () => output.split('"listening"').length - 1 === NODES + 1);
  const nodes = nodesOf(parent.pid!);
  t.teardown(() => nodes.filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL')));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually('the nodes to end', () => !nodes.some(isAlive));
  t.equal(output.split('"stopped"').length - 1, NODES, 'each has ended in order');
  t.notMatch(output, UNEXPECTED);
});
