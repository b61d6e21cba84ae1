/** The parts of the operator's room: the figures between two readings, the hour of them, and an audit that fails. */
import t from 'tap';
import { AuditRun } from '../../src/admin/audit/run.js';
import { History } from '../../src/admin/operator/history.js';
import { sampleOf, type Reading } from '../../src/admin/operator/reading.js';
import { Counters } from '../../src/shard/counters.js';
import type { ShardStats } from '../../src/shard/messages.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

function shard(change: Partial<ShardStats> = {}, commits: readonly number[] = []): ShardStats {
  const counters = new Counters();
  for (const seconds of commits) counters.spans.commit.observe(seconds);
  return { ...counters.read(), tables: 3, loopMeanMs: 1, loopP99Ms: 4, cpuMs: 0, ...change };
}

const reading = (at: number, change: Partial<Reading> = {}): Reading => ({
  at,
  processCpuMs: 0,
  memoryBytes: 200e6,
  main: { cpuMs: 0, loopMeanMs: 1, loopP99Ms: 2 },
  shards: [],
  messages: 0,
  tables: 0,
  sockets: 9,
  watchers: 0,
  lobby: 0,
  mails: 0,
  ...change,
});

void t.test('rates are what was counted between two readings, by the seconds between them', (t) => {
  const before = reading(1000, {
    processCpuMs: 500,
    messages: 10,
    shards: [
      { running: true, stats: shard({ hands: 10, actions: 100, committedHands: 8, cpuMs: 100 }, [0.1]) },
      { running: true, stats: shard({ hands: 7 }) },
    ],
  });
  const now = reading(6000, {
    processCpuMs: 5500,
    main: { cpuMs: 2500, loopMeanMs: 1.5, loopP99Ms: 12.34567 },
    messages: 60,
    shards: [
      { running: true, stats: shard({ hands: 60, actions: 700, committedHands: 50, cpuMs: 1100 }, [0.1, 0.02, 0.04]) },
      { running: false, stats: shard({ hands: 5, loopP99Ms: 40 }) },
    ],
  });
  const sample = sampleOf(now, before);
  t.match(sample, {
    at: 6000,
    hands_per_second: 11,
    actions_per_second: 120,
    messages_per_second: 10,
    commit_ms: 30,
    hands_waiting: 15,
    cpu: 1,
    main_cpu: 0.5,
    shards_cpu: 0.2,
    main_loop_p99_ms: 12.346,
    shards_loop_p99_ms: 40,
    memory_mb: 200,
  });
  t.match(sample.threads, [
    { name: 'main', sockets: 9, tables: null, hands_per_second: null },
    { name: 'shard-0', running: true, tables: 3, hands_per_second: 10, sockets: null },
    { name: 'shard-1', running: false, hands_per_second: 1 },
  ]);
  t.equal(sampleOf(now, now).commit_ms, null, 'nothing was stored');
  t.end();
});

void t.test('a shard counts nothing before its first report', (t) => {
  const before = reading(0, { shards: [{ running: false, stats: null }] });
  const now = reading(1000, { shards: [{ running: true, stats: shard({ hands: 1000 }) }] });
  const sample = sampleOf(now, before);
  t.match(sample, { hands_per_second: 0 });
  t.match(sample.threads[1], { name: 'shard-0', tables: 3, hands_per_second: 0 });
  t.match(sampleOf(before, before).threads[1], { name: 'shard-0', running: false, tables: 0, cpu: 0 });
  t.end();
});

void t.test('an hour is kept, and no more', (t) => {
  let at = 0;
  const history = new History(() => reading((at += 5000)));
  t.equal(history.latest.at, 5000, 'the first is taken when it is asked for');
  for (let n = 0; n < 1000; n++) history.take();
  const { at: times, every_seconds, hands_per_second } = history.columns();
  t.equal(times.length * every_seconds, 3600);
  t.equal(hands_per_second.length, times.length);
  t.equal(times.at(-1), at / 1000);
  t.equal(history.latest.at, at);
  t.end();
});

void t.test('an audit that cannot be made says so, and another one may begin', async (t) => {
  const errors: string[] = [];
  const log = { error: (_: object, message: string) => void errors.push(message) };
  const audit = new AuditRun({ address: { url: 'postgres://nobody@127.0.0.1:1/none' }, log });
  for (const nth of [1, 2]) {
    audit.start();
    t.match(audit.state, { state: 'running' });
    await eventually('its end', () => !audit.isRunning);
    t.match(audit.state, { state: 'failed', ok: null, ended_at: String });
    t.equal(errors.length, nth);
  }
  t.match(errors[0], 'the audit could not run');
  audit.start();
  await audit.stop();
  t.notOk(audit.isRunning, 'it ends with the server');
});
