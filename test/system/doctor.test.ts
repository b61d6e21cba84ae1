/**
 * The doctor as its user runs it. A sound bot passes, and faulty ones are found and told the page to read. Reports are
 * written, and neither an end nor Ctrl-C leaves a process behind. The whole proof is npm run campaign -- doctor.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { eventually, FILE_MS, PATIENCE_MS } from '../support/limits.js';
import { bareEnv, temporaryFolder } from '../support/platform.js';
import { processesOf } from '../support/processes.js';

t.setTimeout(FILE_MS);

const dist = fileURLToPath(new URL('../..', import.meta.url));
const CLI = join(dist, 'src/doctor/cli.js');
const node = (script: string, ...args: string[]) => [process.execPath, join(dist, script), ...args].join(' ');
const SOUND = node('examples/bot.js');
const faulty = (defect: string) => node('test/doctor/proof/main.js', defect);
/** A slow bot of the suite must not fail. */
const SLOW_MACHINE = ['--patience', String(PATIENCE_MS / 1000), '--clock', '60', '--parallel', '2'];

interface Run {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

/** `folder` stands in the environment of all its processes. */
function doctor(folder: string, ...args: string[]): Run {
  const env = bareEnv({ INIT_CWD: folder });
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

interface Report {
  sound: boolean;
  cases: { name: string; verdict: string; frames?: { at: number; text: string }[] }[];
}

await t.test('a sound bot passes, and the reports say so', async (t) => {
  const folder = temporaryFolder(t);
  const only = ['--only', 'cut/a', '--html', 'report.html', '--json', 'report.json'];
  const run = doctor(folder, '--bot', SOUND, ...only, ...SLOW_MACHINE);
  t.equal(await run.ended, 0, run.output());
  t.match(run.output(), /Sound: 4 passed, 0 failed, 0 with advice; score 100 of 100/);
  t.match(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')), { sound: true, score: 100, failed: 0 });
  t.match(readFileSync(join(folder, 'report.html'), 'utf8'), '>cut/ack-lost<');
  await eventually('every process is gone', () => processesOf(folder).length === 0);
});

await t.test('a bot that gives rejected turns up is found, with frames and the place where it stands', async (t) => {
  const folder = temporaryFolder(t);
  const only = ['--only', 'action/rejected-in-later-hand', '--json', 'report.json'];
  const patience = ['--patience', '20', '--clock', '10'];
  const run = doctor(folder, '--bot', faulty('gives-rejected-turns-up'), ...only, ...patience);
  t.equal(await run.ended, 1, run.output());
  t.match(run.output(), /yours: .*clock ran out|yours: .*another action in the same turn/i);
  t.match(run.output(), 'docs/protocol.md, "Actions"');
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  t.equal(report.sound, false);
  t.ok(report.cases[0]?.frames?.some(({ text }) => text.includes('action_rejected')));
});

await t.test('a bot that comes back after a takeover is found; one that does not is not', async (t) => {
  const folder = temporaryFolder(t);
  const only = ['--only', '4002-taken-over', ...SLOW_MACHINE];
  const bad = doctor(folder, '--bot', faulty('returns-after-4002'), ...only);
  t.equal(await bad.ended, 1, bad.output());
  t.match(bad.output(), 'It connected again after 4002');
  const good = doctor(folder, '--bot', SOUND, ...only);
  t.equal(await good.ended, 0, good.output());
});

await t.test('a program that does not play at all is told so once, not in every case', async (t) => {
  const run = doctor(temporaryFolder(t), '--bot', 'exit 3', ...SLOW_MACHINE);
  t.equal(await run.ended, 1, run.output());
  t.match(run.output(), /The program ended \(3\)/);
  t.match(run.output(), /It does not play at all, so the other \d+ cases were left out/);
});

await t.test('Ctrl-C ends it with its bots', async (t) => {
  const folder = temporaryFolder(t);
  const run = doctor(folder, '--bot', faulty('never-joins'), '--only', 'action', ...SLOW_MACHINE);
  await eventually('bots run', () => processesOf(folder).length > 1);
  run.child.kill('SIGINT');
  t.equal(await run.ended, 130, run.output());
  await eventually('every process is gone', () => processesOf(folder).length === 0);
});
