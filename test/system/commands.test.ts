/** The commands of package.json as their users call them. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { findRunning } from '../../src/store/embedded.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS, FULL } from '../support/limits.js';
import { commandList, type CommandEntry } from '../../sdk/reference/command-list.js';
import { commandsPage } from '../../sdk/reference/commands.js';
import { bareEnv, temporaryFolder, type Env } from '../support/platform.js';
import { processesOf } from '../support/processes.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const root = fileURLToPath(new URL('../../..', import.meta.url));

const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };

const ENTRY = 'src/agent-poker.mjs';
const commands = commandList(root);

function run(args: readonly string[], env: Env = {}): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], { cwd: root, env: bareEnv(env) }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** All commands read their arguments in one way (test/command/options.test.ts). Two are enough to show it. */
const some = commands.filter(({ called }) => FULL || / (admin|arena)$/.test(called));

/** Runs a few commands at a time. */
async function ofEach(
  look: (command: CommandEntry) => Promise<void>,
  of: readonly CommandEntry[] = commands,
): Promise<void> {
  const queue = [...of];
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await look(next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

await t.test('what a script starts has the process to itself: no shell stands between it and npm', async (t) => {
  for (const [name, script] of Object.entries(scripts)) t.notMatch(script, /(^|&& )node (dist|src\/agent)/, name);
  t.ok(commands.length > 20, `${commands.length} commands`);
});

await t.test('a command that can never come to a result says so and exits with 1', async (t) => {
  const folder = temporaryFolder(t);
  const never = (text: string) => {
    writeFileSync(`${folder}/entry.mjs`, text.replaceAll('./dist', `${root}dist`));
    return run([`${folder}/entry.mjs`]);
  };
  const options = "{ name: 'x', purpose: 'x', takes: 'x', options: {} }";
  for (const text of [
    "import { runToEnd } from './dist/src/command/result.js'; await runToEnd(() => new Promise(() => {}));",
    `import { command } from './dist/src/command/options.js'; command(${options}, []); await new Promise(() => {});`,
  ]) {
    const { code, stdout, stderr } = await never(text);
    t.same([code, stdout], [1, ''], text);
    t.match(stderr, /^It ended without a result: [^\n]*\n/m, text);
  }
  t.match(await never("import { runToEnd } from './dist/src/command/result.js'; await runToEnd(async () => 3);"), {
    code: 3,
    stderr: '',
  });
  for (const { called, path } of [...commands, { called: 'npm start', path: 'dist/src/main.js' }]) {
    const text = readFileSync(`${root}${path.replace(/^dist/, '.').replace(/js$/, 'ts')}`, 'utf8');
    t.match(text, /^(?:const [^=]*= )?(?:await runToEnd|command|bench|program)\b|\bcommand\(\{/m, called);
  }
});

/** The output of --help, by command. */
const told = new Map<string, string>();

await t.test('--help tells what a command is for, how long it takes, and its options', async (t) => {
  await ofEach(async ({ called, args }) => {
    const { code, stdout, stderr } = await run([...args, '--help']);
    t.same([code, stderr], [0, ''], called);
    told.set(called, stdout);
    const isScript = called.startsWith('npm') && !called.includes(' -- ');
    t.ok(stdout.startsWith(`${called}${isScript ? ' --' : ''} `), `${called}: ${stdout}`);
    t.match(stdout, /\n\n[A-Zk0-9][^]*\n\nTakes \S[^\n]*\.\n\n(?:[^]*\n)? {2}--help +this text\n/, called);
  });
});

await t.test('an option that a command does not know is refused in one line, before anything is done', async (t) => {
  await ofEach(async ({ called, args }) => {
    const word = called.endsWith(' admin') ? ['agents'] : [];
    const { code, stdout, stderr } = await run([...args, ...word, '--no-such-option']);
    t.same([code, stdout], [2, ''], called);
    t.match(stderr, /^Unknown option '--no-such-option'[^\n]*np[mx] [^\n]*\n$/, called);
  }, some);
  t.match(await run([ENTRY, 'nonsense']), { code: 2, stdout: '', stderr: /^There is no command nonsense[^\n]*\n$/ });
  t.match(await run([ENTRY]), { code: 0, stderr: '', stdout: /^ {2}arena {2,}/m });
});

await t.test('the page of commands has the text of each --help', (t) => {
  const inOrder = new Map(commands.map(({ called }) => [called, told.get(called)!]));
  t.equal(readFileSync(`${root}docs/reference/commands.md`, 'utf8'), commandsPage(inOrder), 'npm run generate');
  t.end();
});

/** The options in --help by name, and the value of each. */
const optionsIn = (help: string) =>
  [...help.matchAll(/^ {2}--(\S+)(?: (\S+))? {3,}/gm)].map(([, option = '', takes = '']) => ({ option, takes }));
const variable = (option: string) => `npm_config_${option.replaceAll('-', '_')}`;

await t.test('an option that npm kept for itself is refused in one line, with what to write', async (t) => {
  const known = new Map<string, string>();
  await ofEach(async ({ called, args }) => {
    const isAdmin = called.endsWith(' admin');
    const word = isAdmin ? ['create-invite'] : [];
    const help = isAdmin ? (await run([...args, ...word, '--help'])).stdout : told.get(called)!;
    const options = optionsIn(help).filter(({ option }) => option !== 'help');
    for (const { option, takes } of options) known.set(option, takes === '' ? '' : '=5');
    const [first] = options;
    if (first === undefined || !some.some((each) => each.called === called)) return;
    const [left, value] = first.takes === '' ? [[], ''] : [['5'], ' 5'];
    const refused = await run([...args, ...word, ...left], { [variable(first.option)]: 'true' });
    t.same([refused.code, refused.stdout], [2, ''], called);
    const instead = isAdmin ? 'create-invite [' : `--${first.option}${value} (`;
    t.ok(
      refused.stderr.startsWith(`npm kept --${first.option} for itself: write ${called} ${instead}`),
      refused.stderr,
    );
    t.equal(refused.stderr.trimEnd().split('\n').length, 1);
  });

  const folder = temporaryFolder(t);
  const served = fileURLToPath(new URL('../../bench/served.js', import.meta.url));
  writeFileSync(
    `${folder}/package.json`,
    JSON.stringify({ scripts: { served: `exec node ${served}`, show: 'env #' } }),
  );
  const npm = (...args: string[]) =>
    new Promise<{ stdout: string; stderr: string }>((resolve) =>
      execFile('npm', ['run', '--silent', ...args], { cwd: folder, env: bareEnv({}) }, (_error, stdout, stderr) =>
        resolve({ stdout, stderr }),
      ),
    );
  t.match(await npm('served', '--rounds=5', '--warm-up', '3'), {
    stdout: '',
    stderr: /^npm kept --warm-up and --rounds for itself: write npx agent-poker bench served --warm-up N --rounds 5 \(/,
  });
  // npm takes a name of its one-letter options alone for these options: it reports --hands in its own form. It takes
  // --only, too, but the doctor needs --bot beside it.
  const spelled = [...known].filter(([option]) => option !== 'only' && !/^[adfhilnpqsvwy]+$/.test(option));
  const { stdout } = await npm('show', ...spelled.map(([option, value]) => `--${option}${value}`));
  const lines = new Set(stdout.split('\n'));
  // npm turns a switch of its own, such as --json, into true and a word.
  const traces = (option: string, value: string) => [`=true`, value].map((kept) => `${variable(option)}${kept}`);
  const lost = spelled.filter(([option, value]) => !traces(option, value).some((line) => lines.has(line)));
  t.same(lost, [], 'npm takes no option of ours without a trace');
});

/** One of each kind; all with SUITE=full. */
const INTERRUPTED = [
  { name: 'a bench with a database of its own', args: ['dist/bench/commit.js'], begun: /commits of 1:/ },
  {
    name: 'a bench with a platform',
    args: ['dist/bench/hosted.js', '--seconds', '1', '--bots', '6'],
    begun: /round 1/,
  },
  { name: 'a bench that compares servers', args: ['dist/bench/served.js', '--quick'], begun: /is warmed up/ },
  {
    name: 'a bench of many tables',
    args: ['dist/bench/growth.js', '--tables', '20', '--part', 'tables'],
    begun: /1\/1\] 20 tables/,
  },
  {
    name: 'a bench of several nodes',
    args: ['dist/bench/nodes.js', '--quick', '--part', 'messages'],
    begun: /bots come to/,
  },
  { name: 'a profile', args: ['dist/bench/profile.js', '--seconds', '1'], begun: /bots come/ },
  { name: 'a campaign with bots', args: ['dist/test/fuzz/cli.js', '--frames', '50000'], begun: /of \d+ steps/ },
];

for (const { name, args, begun } of INTERRUPTED.filter((_, i) => FULL || i === 0 || i === INTERRUPTED.length - 1)) {
  await t.test(`${name} leaves nothing behind, also after Ctrl-C`, async (t) => {
    const folder = temporaryFolder(t);
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: bareEnv({ TMPDIR: folder }),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => killGroup(child.pid!));
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const gone = once(child, 'exit');
    await eventually(
      'it has begun',
      () => (begun.test(said) && readdirSync(folder).length > 0) || child.exitCode !== null,
    );
    t.not(readdirSync(folder).length, 0, `it uses the folder: ${said.slice(-500)}`);
    // Ctrl-C reaches the whole group from the terminal, and npm passes it on.
    process.kill(-child.pid!, 'SIGINT');
    child.kill('SIGINT');
    await gone;
    await eventually('nothing is left', () => readdirSync(folder).length + processesOf(folder).length === 0);
    t.pass('folder and processes are gone');
  });
}

await t.test('SIGTERM to npm start stops the server: port and database are free when npm is gone', async (t) => {
  const data = temporaryFolder(t);
  const env = bareEnv({ PORT: 0, HOUSE_BOTS: 0, DATA_DIR: data, LOG_LEVEL: 'warn' });
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  // Also processes that npm leaves behind.
  t.teardown(() => npm.pid !== undefined && killGroup(npm.pid));
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = once(npm, 'exit');
  const port = () => Number(/^ +REST +http:\/\/[^:]+:(\d+)/m.exec(said)?.[1] ?? 0);
  while (port() === 0) {
    const more = await Promise.race([once(npm.stdout, 'data'), gone.then(() => null)]);
    if (more === null) throw new Error(`npm start ended:\n${said}`);
  }
  t.not(await findRunning(data), null, 'it runs');
  npm.kill('SIGTERM');
  await gone;
  t.equal(await answers(port()), false, 'nobody listens');
  t.equal(await findRunning(data), null, 'nobody has the database');
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // No process of the group is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
