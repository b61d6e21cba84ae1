/**
 * The packed package in an empty folder: every command of `agent-poker` works there, with the embedded database. The
 * package's dependencies lie in node_modules as `npm install` leaves them, without a registry: as links to the
 * dependencies that are not for developers.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { Scope } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { bareEnv, temporaryFolder } from '../support/platform.js';
import { PYTHON_KIT, pythonWith } from '../support/python.js';
import { recordedHands } from '../support/recorded-hands.js';

t.setTimeout(FILE_MS);

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = temporaryFolder(t);
const home = join(folder, 'home');
const env = bareEnv({
  npm_config_update_notifier: 'false',
  npm_config_offline: 'true',
  DATA_DIR: join(folder, 'data'),
});
const run = promisify(execFile);

interface LockedPackage {
  dev?: boolean;
  optional?: boolean;
}

interface PackedArchive {
  files: { path: string }[];
}

/** All files of the package. */
let packed: string[] = [];

/** Unpacks the package into node_modules of an empty folder, and links the packages that it needs. */
async function install(): Promise<void> {
  const packing = ['pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [told] = JSON.parse((await run('npm', packing, { cwd: root, env })).stdout) as [PackedArchive];
  packed = told.files.map(({ path }) => path);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const own = join(home, 'node_modules/agent-poker');
  mkdirSync(own, { recursive: true });
  await run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', own]);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const present = new Set(readdirSync(join(root, 'node_modules')));
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = path.replace(/^node_modules\//, '');
    if (path === '' || dev === true || name.includes('node_modules/') || !present.has(name.split('/')[0]!)) continue;
    mkdirSync(dirname(join(home, path)), { recursive: true });
    symlinkSync(join(root, path), join(home, path));
  }
  mkdirSync(join(home, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../agent-poker/src/agent-poker.mjs', join(home, 'node_modules/.bin/agent-poker'));
}

await install();

/** The commands that have run. */
const called = new Set<string>();

/** The stdout of a command; rejects if the command fails. */
async function poker(name: string, ...args: string[]): Promise<string> {
  called.add(name);
  return (await run('npx', ['agent-poker', name, ...args], { cwd: home, env, maxBuffer: 64 << 20 })).stdout;
}

await t.test('it has what is built, and what starts it', (t) => {
  const others = packed.filter((path) => !/^(dist|sql)\//.test(path)).sort();
  const starts = ['src/agent-poker.mjs', 'src/ops/fresh.mjs', 'src/ops/node-version.mjs'];
  t.same(others, ['README.md', 'package.json', ...starts]);
  const sources = packed.filter((path) => /\.(ts|tsx|map)$|\.test\.js$/.test(path) && !path.endsWith('.d.ts'));
  t.same(sources, [], 'no sources, no maps, no tests');
  t.ok(packed.includes('dist/src/main.js'));
  t.end();
});

/** Runs a server of the package until the test ends; resolves to its address. */
async function serve(scope: Scope, command: 'start' | 'cluster', extra: Record<string, string>): Promise<string> {
  called.add(command);
  const entry = join(home, 'node_modules/.bin/agent-poker');
  const server = spawn(process.execPath, [entry, command], {
    cwd: home,
    env: { ...env, ...bareEnv({ PORT: 0, HOUSE_BOTS: 3, LOG_LEVEL: 'info', ...extra }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(server, 'exit');
  scope.teardown(async () => {
    server.kill('SIGTERM');
    await gone;
  });
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = gone.then(() => {
    throw new Error(`${command} ended:\n${said}`);
  });
  for (;;) {
    // Each of three nodes logs its address, and then the process that started them.
    const listening = [...said.matchAll(/"url":"(http:[^"]+)"[^\n]*"listening"/g)];
    if (listening.length === (command === 'start' ? 1 : 4)) return listening.at(-1)![1]!;
    await Promise.race([once(server.stdout, 'data'), ended]);
  }
}

await t.test('start, and the commands beside a server', async (t) => {
  const url = await serve(t, 'start', {});
  t.match(await poker('load', '--url', url, '--bots', '6', '--for', '1', '--ramp', '0', '--warm-up', '0'), /hands/);
  t.match(await poker('admin', 'agents', '--json'), /"agents"|"name"/);
  t.match(await poker('admin', 'nodes', 'list'), /leads/);
  t.match(await poker('backup', join(folder, 'backup.gz')), /rows of \d+ tables are in/);
});

await t.test('audit and restore, where no server runs', async (t) => {
  t.match(await poker('audit'), /Every chip is accounted for/);
  const restored = { ...env, DATA_DIR: join(folder, 'restored') };
  called.add('restore');
  const { stdout } = await run('npx', ['agent-poker', 'restore', join(folder, 'backup.gz')], {
    cwd: home,
    env: restored,
  });
  t.match(stdout, /rows of \d+ tables are restored/);
});

await t.test('cluster: three nodes on one port', async (t) => {
  const url = await serve(t, 'cluster', { DATA_DIR: join(folder, 'nodes') });
  t.equal((await fetch(`${url}/health/ready`)).status, 200);
});

await t.test('matches, an examination, vectors and a bench', async (t) => {
  t.match(await poker('arena', '--hands', '12'), /hands in/);
  t.match(await poker('selfplay', '--hands', '300'), /hands of \d+ deals/);
  const asked = ['--old', 'shark', '--new', 'rock', '--field', 'gambler', '--hands', '200', '--json'];
  const compared = await poker('compare', ...asked).catch((error: { stdout: string }) => error.stdout);
  t.match(JSON.parse(compared), { by: 'same_deals', old: 'shark', new: 'rock' });
  const bot = `node ${join(home, 'node_modules/agent-poker/dist/examples/kit-bot.js')}`;
  t.match(await poker('doctor', '--bot', bot, '--only', 'plays'), /passed/);
  const hands = join(folder, 'hands.json');
  writeFileSync(hands, JSON.stringify({ hands: recordedHands(20, 1) }));
  t.match(await poker('rethink', '--bot', bot, '--hands', hands), /decisions in 20 hands/);
  t.match(await poker('vectors', join(root, 'test/fixtures/pluribus-sample.jsonl')), /, 0 differences/);
  await t.rejects(poker('bench', 'engine'), { code: 2, stderr: /this bench runs in a checkout/ });
  t.match(await poker('bench', 'styles', '--hands', '500').catch((error: { stdout: string }) => error.stdout), /shark/);
});

const python = await pythonWith('websockets', 'httpx');
await t.test(
  'doctor --bot "python3 my.py"',
  { skip: python === null ? 'no python3 with websockets and httpx is here' : false },
  async (t) => {
    const bot = 'from agent_poker import play_bot\nplay_bot(decide=lambda hand: hand.call())\n';
    writeFileSync(join(home, 'my.py'), bot);
    const { stdout } = await run('npx', ['agent-poker', 'doctor', '--bot', `${python} my.py`, '--only', 'plays'], {
      cwd: home,
      env: { ...env, PYTHONPATH: join(PYTHON_KIT, 'src') },
    });
    t.match(stdout, /passed/);
  },
);

await t.test('each command of --help has run', async (t) => {
  const { stdout } = await run('npx', ['agent-poker', '--help'], { cwd: home, env });
  const told = [...stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);
  t.same([...called].sort(), told.sort());
});
