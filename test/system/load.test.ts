/**
 * `npx agent-poker load` against a real platform. Its report agrees with the server's records, its exit code follows
 * its goals, and it leaves nothing behind, however it ends.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { LoadReport } from '../../src/load/report.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { bareEnv, temporaryFolder } from '../support/platform.js';
import { processesOf } from '../support/processes.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const CLI = fileURLToPath(new URL('../../src/load/cli.js', import.meta.url));
const ADMIN_KEY = 'the-admin-key-of-this-test';
const folder = temporaryFolder(t);
const file = (name: string) => join(folder, name);
const reportIn = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as LoadReport;

/** The command as the leader of a process group, as a shell starts it. */
class Run {
  said = '';
  out = '';
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(...args: string[]) {
    const child = spawn(process.execPath, ['--enable-source-maps', CLI, ...args], {
      cwd: folder,
      env: bareEnv({ TMPDIR: folder, ADMIN_KEY }),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.ended = once(child, 'close').then(([code]) => code as number | null);
    t.teardown(() => void child.kill('SIGKILL'));
  }

  /** Interrupts the whole group, as the terminal does. */
  interrupt(): void {
    process.kill(-this.#child.pid!, 'SIGINT');
  }
}

const short = ['--ramp', '1', '--warm-up', '0'];
const platform = await ForkedPlatform.start(t, { ADMIN_KEY, DISCONNECT_HOLD_MS: 10_000 });
const sql = platform.sql!;

/** `seated`: agents that ever sat down. On a busy machine some of them get no hand in this time. */
async function recorded(): Promise<{ hands: number; actions: number; seated: number }> {
  const text = await (
    await fetch(`${platform.url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
  ).text();
  const [row] = await sql<[{ hands: number; seated: number }]>`
    select (select count(*)::integer from hands) as hands,
      (select count(distinct agent_id)::integer from chip_ledger where type = 'buy_in') as seated`;
  return { ...row, actions: Number(/^poker_shard_actions_total\{.*\} (\d+)/m.exec(text)?.[1] ?? 0) };
}

await t.test('what it reports is what the server has on record', async (t) => {
  const { url } = platform;
  const files = ['--json', file('whole.json'), '--html', file('whole.html'), '--save-keys', file('keys')];
  const goals = 'errors<1,hands>0.1/s,bots>=18,server.cpu<1s,ack.p99.9<60s';
  const run = new Run('--url', url, '--bots', '18', ...short, '--for', '5', '--metrics', `${url}/metrics`, '--slo', goals, ...files); // prettier-ignore
  t.equal(await run.ended, 0, run.said + run.out);
  const report = reportIn('whole.json');
  await platform.empty();
  // Shards report their counts about once a second.
  const truth = await eventually('the shard has reported', async () => {
    const now = await recorded();
    return now.actions === report.whole.actions && now;
  });
  t.equal(Math.round(report.whole.hands * 1e6) / 1e6, truth.hands, 'every hand of the database, and no other');
  t.equal(report.whole.acks, truth.actions, 'every action was acknowledged');
  t.equal(truth.seated, 18);
  t.ok(report.totals.hands > 0 && report.totals.hands < report.whole.hands, 'measured is a part of it');
  t.match(report, { bots: { up: 18, seated: 18, registered: 18 }, errors: 0, reconnects: 0, interrupted: false });
  t.ok((report.server?.commits ?? 0) > 0 && (report.server?.cpuMsPerHand ?? 0) > 0, 'the server tells of itself');
  t.match(run.said, /\d+ of 18 bots, [\d.]+ hands\/s, /, 'it tells how it goes');
  t.match(run.out, /met +ack\.p99\.9<60s/);
  const page = readFileSync(file('whole.html'), 'utf8');
  t.match(page, /prefers-color-scheme: dark/);
  t.notMatch(page, /(?:src|href)=|@import|url\(/, 'the page loads nothing');
  t.ok(page.includes('met   ') && page.includes('<svg'), 'goals and charts');
  t.equal(statSync(file('keys')).mode & 0o777, 0o600, 'keys are for us alone');
});

await t.test('a goal that is missed, and one that was not measured, are exit code 1', async (t) => {
  const code = async (slo: string) => new Run(file('whole.json'), '--slo', slo).ended;
  t.equal(await code('errors<1'), 0);
  t.equal(await code('errors<1,hands>1000000/s'), 1);
  for (const [wrong, why] of [
    ['ack.p98<5ms', /knows ack\.mean .*, not ack\.p98/],
    ['errors<5ms', /wants no unit or % behind errors/],
    ['ack.p99=5ms', /wants a name/],
  ] as const) {
    const run = new Run(file('whole.json'), '--slo', wrong);
    t.equal(await run.ended, 2);
    t.match(run.said, new RegExp(`^--slo ${why.source}[^\n]*\n$`));
  }
});

await t.test('parts of a run share its bots, and together are all of it', async (t) => {
  const before = await recorded();
  const common = [
    '--url',
    platform.url,
    '--bots',
    '12',
    '--keys',
    file('keys'),
    '--pace',
    '20',
    ...short,
    '--for',
    '4',
  ];
  const parts = [1, 2].map((n) => new Run(...common, '--part', `${n}/2`, '--json', file(`part-${n}.json`)));
  for (const part of parts) t.equal(await part.ended, 0, part.said + part.out);
  const merged = new Run(file('part-1.json'), file('part-2.json'), '--json', file('both.json'));
  t.equal(await merged.ended, 0, merged.said);
  const both = reportIn('both.json');
  await platform.empty();
  const after = await recorded();
  t.equal(after.seated, 18, 'no agent but those of the file');
  t.equal(Math.round(both.whole.hands * 1e6) / 1e6, after.hands - before.hands, 'hands of both are all hands');
  t.match(both, { parts: { numbers: [1, 2], of: 2 }, bots: { wanted: 12, up: 12, registered: 0 }, mode: { pace: 20 } });
  t.ok(both.acksUncorrected !== null && both.acks.p99! >= both.acksUncorrected.p50!, 'due and sent are told apart');
  const twice = new Run(file('part-1.json'), file('part-1.json'));
  t.equal(await twice.ended, 2);
  t.match(twice.said, /part 1 is there twice/);
  const few = new Run('--url', platform.url, '--bots', '19', '--keys', file('keys'));
  t.equal(await few.ended, 2);
  t.match(few.said, /has 18 keys for 19 bots/);
});

await t.test('lean bots play the same hands over fewer frames, also by a schedule and beside others', async (t) => {
  const keys = ['--url', platform.url, '--bots', '12', '--keys', file('keys'), ...short, '--for', '3'];
  const before = await recorded();
  const lean = new Run(...keys, '--lean', '--pace', '20', '--json', file('lean.json'));
  t.equal(await lean.ended, 0, lean.said + lean.out);
  t.match(lean.out, /frames +lean, for all bots/);
  // The next bots with the same keys must not find the seats of the first ones.
  await platform.empty();
  const half = new Run(...keys, '--lean-percent', '50', '--json', file('half.json'));
  t.equal(await half.ended, 0, half.said + half.out);
  t.match(half.out, /frames +lean for 50 % of the bots/);
  await platform.empty();
  const played = ['lean.json', 'half.json'].map(reportIn);
  const hands = played.reduce((sum, { whole }) => sum + whole.hands, 0);
  t.equal(Math.round(hands * 1e6) / 1e6, (await recorded()).hands - before.hands, 'every hand of the database');
  for (const { errors, bots, whole, troubles } of played) {
    t.match({ errors, bots }, { errors: 0, bots: { up: 12, seated: 12 } }, JSON.stringify(troubles));
    t.equal(whole.acks, whole.actions);
  }
  const [all, some, none] = [...played, reportIn('both.json')].map(({ whole }) => whole.frames / whole.hands);
  t.ok(all! < some! / 2 && some! < none!, `${all} frames a hand, ${some} for half of them, ${none} for nobody`);
  t.match(reportIn('lean.json'), { mode: { pace: 20, leanPercent: 100 } });
  const two = new Run(file('lean.json'), file('half.json'));
  t.equal(await two.ended, 2);
  t.match(two.said, /different runs/);
});

await t.test('Ctrl-C ends it with what was measured so far, and leaves nothing', async (t) => {
  const run = new Run('--url', platform.url, '--bots', '6', '--keys', file('keys'), ...short, '--for', '900', '--json', file('cut.json')); // prettier-ignore
  await eventually('it measures', () => run.said.includes('measured'));
  run.interrupt();
  t.equal(await run.ended, 130);
  t.match(run.out, /interrupted: with the figures until then/);
  const report = reportIn('cut.json');
  t.match(report, { interrupted: true, bots: { up: 6 }, errors: 0 });
  t.ok(report.whole.hands > 0);
  await eventually('no process is left', () => processesOf(folder).filter((pid) => pid !== String(process.pid) && isRun(pid)).length === 0); // prettier-ignore
  await platform.empty();
  t.pass('no seat is left');
});

/** The platform of this test has the folder in its environment, too. */
function isRun(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/load/');
  } catch {
    return false;
  }
}

/**
 * An address that outlives the platform. A restarted platform has another port, since others may have taken the old
 * one.
 */
async function openRelay(): Promise<string> {
  const relay = createServer((client) => {
    const server = connect(platform.port, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      // `close` follows.
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  relay.listen(0, '127.0.0.1');
  t.teardown(() => relay.close());
  await once(relay, 'listening');
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
}

await t.test('bots come back to a server that died in between', async (t) => {
  const url = await openRelay();
  const run = new Run('--url', url, '--bots', '12', '--keys', file('keys'), ...short, '--for', '900', '--json', file('died.json')); // prettier-ignore
  const hands = async () => (await recorded()).hands;
  await eventually('it measures', () => run.said.includes('measured'));
  await platform.kill();
  await platform.launch();
  const before = await hands();
  const since = run.said.length;
  await eventually('all are back', () => run.said.slice(since).includes('12 of 12 bots'));
  await eventually('they play again', async () => (await hands()) > before, 200);
  run.interrupt();
  t.equal(await run.ended, 130);
  const { troubles, reconnects, bots, errors } = reportIn('died.json');
  t.match(troubles.closes, { 1006: 12 });
  t.ok(reconnects >= 12 && bots.up === 12, `${reconnects} came back`);
  t.ok(errors >= 12, 'that counts as errors');
});

await t.test('a server that is not there, or lets nobody register, is told in one line', async (t) => {
  const { url } = platform;
  await platform.stop();
  const gone = new Run('--url', url, '--bots', '2', ...short, '--for', '1', '--json', file('gone.json'));
  t.equal(await gone.ended, 1);
  t.match(gone.said, /^http:\S+ does not answer: ECONNREFUSED\n$/);
  const nobody = new Run('--url', url, '--bots', '2', '--keys', file('keys'), ...short, '--for', '1', '--json', file('gone.json')); // prettier-ignore
  t.equal(await nobody.ended, 1, 'nobody was connected');
  t.match(reportIn('gone.json'), { bots: { up: 0 }, whole: { actions: 0 }, acks: { p99: null } });
  t.ok(existsSync(file('gone.json')));
});
