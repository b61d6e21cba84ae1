/** The arena as its user runs it, the example bots in it, and the bots of the house. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { createStrategy, KitPlayer } from '../../src/bots/index.js';
import { arenaTable, type ArenaReport } from '../../src/arena/report.js';
import { matchText } from '../../src/command/report.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';
import { processesOf } from '../support/processes.js';
import { recordFrame } from '../support/recorder.js';
import type { TableStateMessage } from '../../sdk/typescript/src/generated/messages.js';
import { examples } from '../support/frames.js';

t.setTimeout(FILE_MS);

const dist = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(dist, 'src/arena/cli.js');
const TYPESCRIPT_BOT = `"${process.execPath}" "${join(dist, 'examples/bot.js')}"`;
const arenaBot = (mode: 'idle' | 'around') =>
  `exec "${process.execPath}" "${join(dist, 'test/support/arena-bot.js')}" ${mode}`;
const PYTHON = '/usr/bin/python3';
const PYTHON_BOT = `${PYTHON} "${join(dist, '../examples/bot.py')}"`;

/** A temporary folder for one arena, which must be empty afterwards. */
function temporary(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'arena-test-'));
  // The database may run as another user.
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Run {
  child: ChildProcess;
  folder: string;
  /** The output so far. */
  out: () => string;
  err: () => string;
  code: Promise<number | null>;
}

function arena(t: Test, ...args: string[]): Run {
  const folder = temporary(t);
  const child = spawn(process.execPath, ['--enable-source-maps', CLI, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, INIT_CWD: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  return { child, folder, out: () => out, err: () => err, code };
}

/** Resolves when stderr fits. */
async function said(run: Run, pattern: RegExp): Promise<void> {
  while (!pattern.test(run.err())) {
    const more = await Promise.race([once(run.child.stderr!, 'data'), run.code]);
    if (!Array.isArray(more)) throw new Error(`the arena ended: ${run.err()}`);
  }
}

function nothingIsLeft(t: Test, { folder }: Run): void {
  t.same(
    readdirSync(folder).filter((name) => name !== 'arena-logs'),
    [],
    'no file is left but the logs of programs',
  );
  t.same(processesOf(folder), [], 'no process is left');
}

await t.test('three bots play sixty hands', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '60', '--seed', '1', '--json');
  t.equal(await run.code, 0, run.err());
  const report = JSON.parse(run.out()) as ArenaReport;
  t.match(report, { hands: 60, failure: null, seconds: Number, hands_per_second: Number });
  t.same(report.bots.map((line) => line.bot).sort(), ['gambler', 'rock', 'shark']);
  t.equal(
    report.bots.reduce((sum, line) => sum + line.chips, 0),
    0,
    'what one won another lost',
  );
  for (const line of report.bots) {
    t.match(line, { plays: line.bot, bb_per_100: Number, ack_ms: { p50: Number, p99: Number }, decision_ms: null });
    t.ok(line.hands <= 60 && line.hands > 0, `${line.bot} was dealt in ${line.hands} times`);
    t.ok(Math.abs(line.bb_per_100! - (line.chips / line.hands) * 5) < 1e-9, 'chips by hand, in big blinds of 20');
    const [low, high] = line.bb_per_100_ci95!;
    t.ok(low < line.bb_per_100! && line.bb_per_100! < high);
  }
  t.match(run.err(), /^6 of 60 hands\n12 of 60 hands\n[^]*60 of 60 hands\n$/, 'progress is told in lines');
  nothingIsLeft(t, run);
});

await t.test('more bots than a table has seats sit at several tables, and the report is a table', async (t) => {
  const run = arena(t, '--bots', '8', '--hands', '40', '--threads', '2');
  t.equal(await run.code, 0, run.err());
  const lines = run.out().split('\n');
  t.match(lines[0], /^bot +plays +hands +chips +rebuys +bb\/100 +95 % +ack p50 +ack p99$/);
  const names = lines.slice(1, 9).map((line) => line.split(' ')[0]);
  t.ok(names.includes('calling_station') && names.includes('shark_2') && names.includes('rock_2'), String(names));
  t.match(run.out(), /\n40 hands in \d+\.\d s: \d+ hands\/s\n$/);
  nothingIsLeft(t, run);
});

/** Plays a user's program against two built-in bots. */
async function playsWell(t: Test, command: string): Promise<void> {
  const run = arena(t, '--bots', '3', '--hands', '150', '--json', '--bot', command);
  t.equal(await run.code, 0, run.err());
  const report = JSON.parse(run.out()) as ArenaReport;
  const own = report.bots.find((line) => line.bot === 'bot_1')!;
  t.match(own, { plays: command, ack_ms: { p50: Number }, decision_ms: { p50: Number } });
  t.same(own.rejected, {}, 'without a rejection');
  t.ok(own.hands >= 30, `dealt in ${own.hands} times`);
  nothingIsLeft(t, run);
}

await t.test("a module that exports the kit's decide(hand) plays as it is", async (t) => {
  const path = join(t.testdir({ 'mine.mjs': 'export const decide = (hand) => hand.call();' }), 'mine.mjs');
  await playsWell(t, path);
});
await t.test('examples/bot.ts plays in the arena', (t) => playsWell(t, TYPESCRIPT_BOT));

const websockets = spawnSync(PYTHON, ['-c', 'import websockets']).status === 0;
await t.test(
  'examples/bot.py plays in the arena',
  { skip: websockets ? false : 'python3 with the package websockets is not installed' },
  (t) => playsWell(t, PYTHON_BOT),
);

await t.test('a program that leaves early is told of, and the others play on', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '100', '--json', '--bot', `HANDS=10 exec ${TYPESCRIPT_BOT}`);
  t.equal(await run.code, 0, run.err());
  t.match(run.err(), /bot_1 \(HANDS=10 .*\) ended with 0 after \d+ hands\n/);
  const report = JSON.parse(run.out()) as ArenaReport;
  const own = report.bots.find((line) => line.bot === 'bot_1')!;
  t.equal(report.hands, 100);
  t.ok(own.hands >= 5 && own.hands <= 12, `dealt in ${own.hands} times`);
  t.same(own.rejected, {});
});

await t.test('a program that stops playing is told of, with its last error, and has a log', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '100', '--json', '--bot', arenaBot('idle'));
  t.equal(await run.code, 1, 'nobody shall take that for a match');
  t.match(run.err(), /Not all played to the end: bot_1\n$/);
  const report = JSON.parse(run.out()) as ArenaReport;
  t.match(report, { hands: 100, failure: null });
  const own = report.bots.find((line) => line.bot === 'bot_1')!;
  t.match(own.sat_out, { since_hand: Number, last_error: /^error unknown_message: / });
  t.ok(own.sat_out!.since_hand <= 10, `since hand ${own.sat_out!.since_hand}`);
  t.ok(report.bots.every(({ bot, sat_out }) => bot === 'bot_1' || sat_out === null));
  const text = matchText(arenaTable(report));
  t.match(text, /\nbot_1 sat out since hand \d+; last error: error unknown_message: /);
  const log = readFileSync(join(run.folder, 'arena-logs/bot_1.log'), 'utf8');
  t.match(log, /I have had enough\n/, 'what it wrote');
  t.match(log, /\[arena \S+\] error unknown_message: /, 'and what the platform said');
  t.match(run.err(), `the output of bot_1 goes to ${join(run.folder, 'arena-logs/bot_1.log')}`);
  nothingIsLeft(t, run);
});

await t.test('a program that plays past the address it was given has played', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '100', '--json', '--bot', arenaBot('around'));
  t.equal(await run.code, 0, run.err());
  const report = JSON.parse(run.out()) as ArenaReport;
  const own = report.bots.find((line) => line.bot === 'bot_1')!;
  t.ok(own.hands > 50, `dealt in ${own.hands} times`);
  t.equal(own.sat_out, null);
});

await t.test('a folder that takes no logs ends the match in one line', async (t) => {
  const run = arena(t, '--bots', '2', '--hands', '100', '--logs', '/proc/x', '--bot', 'true');
  t.equal(await run.code, 1);
  t.match(
    run.err(),
    /the output of your bots cannot be written: ENOENT: .*'\/proc\/x'; --logs names another folder\n$/,
  );
  nothingIsLeft(t, run);
});

await t.test('a program that fails ends the match, and its last output is shown', async (t) => {
  const run = arena(
    t,
    '--bots',
    '2',
    '--hands',
    '100',
    '--bot',
    'echo "no idea what to do"; echo "$NAME $API_KEY"; exit 3',
  );
  t.equal(await run.code, 1);
  t.match(
    run.err(),
    /ended early: bot_1 \(.*\) ended with 3 after 0 hands:\nbot_1 \| no idea what to do\nbot_1 \| bot_1 \S+\n/,
  );
  nothingIsLeft(t, run);
});

await t.test('interrupted, it shows what was played and leaves nothing behind', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '2000', '--bot', TYPESCRIPT_BOT);
  await said(run, /of 2000 hands/);
  run.child.kill('SIGINT');
  t.equal(await run.code, 130);
  t.match(run.err(), /The match ended early: interrupted\n$/);
  t.match(run.out(), /hands\/s\n$/);
  nothingIsLeft(t, run);
});

await t.test('killed, it takes its platform and its folder along', async (t) => {
  const run = arena(t, '--bots', '3', '--hands', '2000');
  await said(run, /of 2000 hands/);
  run.child.kill('SIGKILL');
  await run.code;
  await eventually('nothing is left', () => readdirSync(run.folder).length + processesOf(run.folder).length === 0);
  nothingIsLeft(t, run);
});

await t.test('wrong options are explained', async (t) => {
  for (const [args, words] of [
    [['--bots', '1'], '--bots must be a whole number from 2 to 1000'],
    [['--hands', 'many'], '--hands must be a whole number from 1'],
    [['--bots', '2', '--bot', 'a', '--bot', 'b', '--bot', 'c'], 'fewer than the programs'],
    [['--speed', '9'], "Unknown option '--speed'"],
  ] as const) {
    const run = arena(t, ...args);
    t.equal(await run.code, 2);
    t.match(run.err(), words);
  }
  const help = arena(t, '--help');
  t.equal(await help.code, 0);
  t.match(help.out(), /--bot "CMD"/);
});

// ---- the house

/** A guest that plays on and on. Its frames are checked against the schemas. */
function guest(t: Test, platform: TestPlatform, { key }: Account) {
  let [hands, state]: [number, TableStateMessage | null] = [0, null];
  const waiting: { fits: () => boolean; resolve: () => void }[] = [];
  const tell = () => waiting.filter(({ fits }) => fits()).forEach(({ resolve }) => resolve());
  const record = (message: object) => recordFrame(JSON.stringify(message));
  const client = new KitPlayer({
    wsUrl: platform.wsUrl,
    apiKey: key,
    decide: createStrategy('rock', 1),
    on: {
      ...Object.fromEntries(Object.keys(examples).map((type) => [type, record])),
      table_state: (told) => {
        record(told);
        state = told;
        tell();
      },
      hand_result: (told) => {
        record(told);
        hands++;
        tell();
      },
    },
  });
  t.teardown(() => client.stop());
  client.start();
  return {
    client,
    get hands() {
      return hands;
    },
    /** The company at the table: names of house bots and of others. */
    company(): { house: string[]; guests: string[] } {
      const taken = (state?.seats ?? []).filter((seat) => seat.name !== null);
      const names = (house: boolean) =>
        taken.filter((s) => ('is_house' in s && s.is_house === true) === house).map((s) => s.name ?? '');
      return { house: names(true), guests: names(false) };
    },
    until(fits: () => boolean): Promise<void> {
      return fits() ? Promise.resolve() : new Promise((resolve) => waiting.push({ fits, resolve }));
    },
  };
}

await t.test('a lone newcomer plays with the bots of the house, which step back for others', async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, STARTING_CHIPS: 1_000_000 });
  await platform.healthWhen(({ game }) => game.active_tables === 1);
  const started = Date.now();
  const first = guest(t, platform, await platform.register('guest'));
  await first.until(() => first.hands > 0);
  t.comment(`a first hand after ${Date.now() - started} ms`);
  t.match(first.company().house[0], /^house_[123]$/);

  await first.until(() => first.hands >= 12);
  const board = (await platform.api('GET', '/api/season/leaderboard')).body as { bot_name: string }[];
  t.same(
    board.map((row) => row.bot_name),
    ['guest_1'],
    'they are on no leaderboard',
  );
  t.match((await platform.api('GET', '/api/season/current')).body, { total_registered: 1 });

  const others = [];
  for (let guests = 2; guests <= 6; guests++) {
    others.push(guest(t, platform, await platform.register('guest')));
    await first.until(() => {
      const company = first.company();
      const taken = company.guests.length + company.house.length;
      // There is always a seat left for the next guest.
      return company.guests.length === guests && (guests === 6 || taken < 6);
    });
  }
  t.same(first.company().house, [], 'six guests have the table to themselves');

  for (const other of others) other.client.leave();
  await first.until(() => first.company().house.length > 0 && first.company().guests.length === 1);
  const before = first.hands;
  await first.until(() => first.hands > before);
  t.pass('and when the others are gone the house keeps the last one company again');
  await platform.stop();
  t.same(platform.faults, []);
});

await t.test('an idle house keeps a table open, and a stop does not wait for its bots to think', async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 2 });
  await platform.healthWhen(({ game }) => game.active_tables === 1);
  await platform.stop();
  t.pass('stopped in order');
});

t.teardown(stopCluster);
