/**
 * The example bots, as their readers run them, against the real platform. The server rejects none of their actions, by
 * the count of a proxy between. EXAMPLE_HANDS=1000 node dist/test/run.js examples plays the long match.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { bareEnv, TestPlatform, type Env } from '../support/platform.js';
import { Proxy } from '../support/proxy.js';

const HANDS = Number(process.env['EXAMPLE_HANDS'] ?? (FULL ? 200 : 60));
t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Paths are relative to the checkout, in every working folder. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const TYPESCRIPT = [process.execPath, `${root}dist/examples/bot.js`];
const python = await findPython();

/** A Python that has the package `websockets`, or null. */
async function findPython(): Promise<string | null> {
  for (const program of ['python3', '/usr/bin/python3']) {
    const found = await promisify(execFile)(program, ['-c', 'import websockets']).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return null;
}

/** Runs a bot to its end; resolves to its output. */
async function runBot(t: Test, command: readonly string[], env: Env) {
  const child = spawn(command[0]!, command.slice(1), { env: bareEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const commands: (readonly [name: string, command: readonly string[] | null])[] = [
  ['ada_ts', TYPESCRIPT],
  ['bob_ts', TYPESCRIPT],
  ['cyd_py', python === null ? null : [python, `${root}examples/bot.py`]],
];

/** Company that stays to the end, so that the last example has opponents. */
async function company(platform: TestPlatform): Promise<Bot[]> {
  const bots = [];
  for (const seed of [1, 2]) {
    const bot = new Bot(platform, await platform.register('company'), seededRandom(seed));
    await bot.connect();
    bots.push(bot);
  }
  return bots;
}

async function match(t: Test, hands: number, during: (proxy: Proxy) => void): Promise<void> {
  const platform = await TestPlatform.start(t, { REBUY_COOLDOWNS: '0', WS_MESSAGES_PER_SECOND: 100_000 });
  const proxy = await Proxy.open(t, platform.wsUrl);
  await company(platform);
  during(proxy);
  await Promise.all(
    commands.map(async ([name, command]) => {
      if (command === null) return void t.pass(name, { skip: 'no python3 with the package websockets is here' });
      const env = { BASE_URL: platform.url, WS_URL: proxy.wsUrl, NAME: name, HANDS: hands };
      const { code, output } = await runBot(t, command, env);
      t.equal(code, 0, output);
      t.match(output, new RegExp(`^${name}: connected to `, 'm'));
      t.match(output, /: 20 hands, a stack of \d+ chips$/m, 'it tells how it does');
      const played = Number(/closed with 1000 after (\d+) hands/.exec(output)?.[1]);
      // The next hand may begin before the leave arrives.
      t.ok(played >= hands, `${name} played ${played} hands and said goodbye`);
    }),
  );
  const rejected = proxy.complaints.filter((text) => text.includes('"action_rejected"'));
  t.same(rejected, [], `${proxy.count('action_ack')} actions accepted, none rejected`);
  // Busts, returns to a held seat, and a leave at the time of a bust.
  const expected = /"code":"(insufficient_season_chips|already_seated|leave_pending|not_at_table)"/;
  t.same(
    proxy.complaints.filter((text) => !expected.test(text)),
    [],
    'and nothing else was wrong',
  );
  t.ok(proxy.count('hand_result') >= 2 * hands);
  t.same((await audit(platform.sql!)).problems, []);
}

await t.test(`the examples play ${HANDS} hands against each other without a rejection`, async (t) => {
  t.ok(existsSync(TYPESCRIPT[1]!));
  await match(t, HANDS, () => undefined);
});

await t.test('and 60 more over connections that are cut now and then', async (t) => {
  await match(t, 60, (proxy) => {
    let cuts = 0;
    const timer = setInterval(() => {
      if (cuts === 3 || proxy.count('hand_result') < 40 * (cuts + 1)) return;
      cuts++;
      proxy.cut();
    }, 5);
    t.teardown(() => clearInterval(timer));
  });
});

await t.test('what goes wrong is told in words', async (t) => {
  const platform = await TestPlatform.start(t);
  const { key, name: real } = await platform.register('real');
  const env = { BASE_URL: platform.url, WS_URL: platform.wsUrl, NAME: 'another', HANDS: 1 };
  for (const [name, command] of commands) {
    if (command === null) continue;
    await t.test(name, async (t) => {
      const refused = await runBot(t, command, { ...env, API_KEY: `${key}x` });
      t.match(refused.output, /error auth_failed: \S[^]*: closed with 4001 after 0 hands/, 'a wrong key');
      t.equal(refused.code, 0);

      const nobody = await runBot(t, command, { NAME: name, BASE_URL: 'http://127.0.0.1:1' });
      t.equal(nobody.code, 1);
      t.match(nobody.output, /^no server at http:\/\/127\.0\.0\.1:1: [^\n]*\n$/, 'nobody there, in one line');

      const taken = await runBot(t, command, { ...env, NAME: real });
      t.equal(taken.code, 1);
      t.match(taken.output, /^register: 409 [^\n]*\n$/, 'a name that is taken');
    });
  }
  await t.test('with a key it goes by the name of the agent', async (t) => {
    const players = commands.flatMap(([, command]) => (command === null ? [] : [command])).slice(-2);
    const outputs = await Promise.all(
      players.map(async (command) => {
        const account = await platform.register('named');
        const { output } = await runBot(t, command, { ...env, API_KEY: account.key });
        return { output, name: account.name };
      }),
    );
    for (const { output, name } of outputs) {
      t.match(output, new RegExp(`^${name}: connected to `));
      t.notMatch(output, 'another');
    }
  });
});

await t.test('a verifier that reads no hand says how it is run', (t) => {
  const verifiers: [program: string, script: string, usage: string][] = [
    [process.execPath, `${root}dist/examples/verify.js`, 'usage: node dist/examples/verify.js < hands.jsonl\n'],
    ['python3', `${root}examples/verify.py`, 'usage: python3 examples/verify.py < hands.jsonl\n'],
  ];
  for (const [program, script, usage] of verifiers) {
    for (const input of ['', '\n \n']) {
      const { status, stdout, stderr } = spawnSync(program, [script], { input, encoding: 'utf8' });
      t.same({ status, stdout, stderr }, { status: 2, stdout: '', stderr: usage });
    }
  }
  t.end();
});
