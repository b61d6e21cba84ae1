/** `npm run cluster`: several nodes behind a load balancer with one command; a node dies and comes back, bots play on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { bareEnv, temporaryFolder, type Env } from '../support/platform.js';
import { processesOf } from '../support/processes.js';
import { withoutRedis } from '../support/redis.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const CLI = fileURLToPath(new URL('../../src/cluster/cli.js', import.meta.url));

function begin(args: readonly string[], env: Env) {
  const child = spawn(process.execPath, ['--enable-source-maps', CLI, ...args], { env: bareEnv(env) });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said.text += text));
  }
  return { child, said, ended: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]> };
}

await t.test('without a redis-server it says what to install, and starts nothing', async (t) => {
  const { said, ended } = begin([], { PATH: '/nowhere', DATA_DIR: temporaryFolder(t) });
  t.same(await ended, [1, null]);
  t.match(
    said.text,
    /^A cluster needs Redis, and no redis-server is found: .*apt-get install redis-server.*REDIS_URL\.\n$/,
  );
});

await t.test('two nodes serve as one; one is killed, and bots play on', { skip: withoutRedis }, async (t) => {
  const folder = temporaryFolder(t);
  const quick = {
    // Who has lost its chips comes back with others, as often as that happens.
    STARTING_CHIPS: 10_000,
    REBUY_COOLDOWNS: 0,
    BETWEEN_HANDS_MS: 0,
    LOBBY_GRACE_MS: 200,
    HOUSE_BOTS: 0,
    SEATS_PER_MINUTE: 1000,
    THREADS: 1,
    WS_MESSAGES_PER_SECOND: 1_000_000,
  };
  const { child, said, ended } = begin(['--nodes', '2', '--port', '0'], { ...quick, DATA_DIR: folder });
  t.teardown(async () => void child.kill('SIGKILL'));
  await eventually('the banner', () => /Ctrl-C stops all of it/.test(said.text));
  const url = /pages +(http:\S+)\/\n/.exec(said.text)![1]!;
  const nodes = [...said.text.matchAll(/node-\d +(http:\S+) +process (\d+)/g)].map(([, at, pid]) => ({
    at: at!,
    pid: Number(pid),
  }));
  t.equal(nodes.length, 2);
  for (const { at } of nodes) t.equal((await fetch(`${at}/health/ready`)).status, 200, 'each node is ready');

  // A platform that is not its own: what the clients need to know of it.
  const entrance = await ForkedPlatform.prepare(t, {});
  entrance.reachedBy(Number(new URL(url).port));
  const bots = await Promise.all(
    [1, 2, 3, 4].map(async (seed) => new Bot(entrance, await entrance.register('bot'), seededRandom(seed))),
  );
  let stopped = false;
  t.teardown(async () => {
    stopped = true;
    for (const { player } of bots) player.ws.terminate();
  });
  const playing = bots.map(async (bot) => {
    while (!stopped) {
      try {
        await bot.connect();
        await bot.player.closed;
      } catch {
        // Nobody there, or not yet: a bot tries again.
      }
      await sleep(50);
    }
  });
  const hands = () => new Set(bots.flatMap(({ results }) => [...results.keys()])).size;
  await eventually('20 hands', () => hands() >= 20);

  for (const { pid } of nodes) {
    const before = hands();
    process.kill(pid, 'SIGKILL');
    await eventually('it is told, and started again', () =>
      said.text.includes('ended with SIGKILL, and is started again'),
    );
    await eventually('20 hands more', () => hands() >= before + 20).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${bots.map(({ player }) => player.describe()).join('\n')}\n${said.text}`);
    });
    said.text = '';
    await eventually(
      'both are ready',
      async () => {
        const answers = await Promise.all([fetch(`${url}/health/ready`), fetch(`${url}/health/ready`)]).catch(() => []);
        return answers.length === 2 && answers.every(({ status }) => status === 200);
      },
      250,
    );
  }

  child.kill('SIGINT');
  stopped = true;
  t.same(await ended, [0, null], 'Ctrl-C ends it');
  await Promise.all(playing);
  t.same(entrance.faults, [], 'every frame was as it should be');
  await eventually('nothing is left', () => processesOf(folder).length === 0);
});
