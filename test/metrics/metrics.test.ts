/** /metrics by the conventions of Prometheus, and what is shipped with it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { Metrics } from '../../src/metrics/metrics.js';
import { Counters } from '../../src/shard/counters.js';
import type { ShardStats } from '../../src/shard/messages.js';

const front = {
  sockets: 2,
  watchers: 0,
  watchSeconds: 0,
  lobby: 0,
  tables: 1,
  framesOut: 9,
  bytesOut: 900,
  messagesIn: 5,
  rateLimited: 0,
  invalid: 0,
  slowReaders: 0,
  shardsWithoutDatabase: 0,
  emailsWaiting: 0,
};

function statsOf(change: (counters: Counters) => void): ShardStats {
  const counters = new Counters();
  change(counters);
  return { tables: 1, ...counters.read(), loopMeanMs: 1, loopP99Ms: 2, cpuMs: 1500 };
}

async function filled(): Promise<string> {
  const metrics = new Metrics(() => front);
  metrics.shard(
    0,
    statsOf((counters) => counters.spans.action.observe(0.0002)),
  );
  metrics.answered('GET', 'getMe', 200, 0.003);
  metrics.withdrawals(() => ({ fee_cap: 1 }));
  metrics.payments(() => ({ lostDeposits: 1, lostWithdrawals: 2, oldestWithdrawal: 7, failures: 3, agree: false }));
  metrics.mails(new Map([['sign_in domain everybody', 3]]));
  metrics.nodes(() => ({ sockets: { out: 2, in: 1 }, sent: { frame: 40, message: 3, call: 1 } }));
  metrics.node(
    () => 'a',
    () => 'leader',
  );
  return metrics.text();
}

/** Names by their type. */
const typesOf = (text: string) =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));

const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

void t.test('names tell units and kinds as Prometheus wants them', async (t) => {
  const text = await filled();
  for (const [name, type] of typesOf(text)) {
    t.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    t.notMatch(name, /_(ms|millis|milliseconds|count|sum|bucket)(_|$)/, name);
    t.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
  }
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
void t.test('promtool finds nothing', { skip: promtool ? false : 'promtool is not installed' }, async (t) => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await filled() });
  t.equal(status, 0, `${String(stdout)}${String(stderr)}`);
  const rules = spawnSync('promtool', ['check', 'rules', 'docs/alerts.example.yml']);
  t.equal(rules.status, 0, String(rules.stdout) + String(rules.stderr));
});

void t.test('a thread that begins anew takes no counter and no histogram back', async (t) => {
  const metrics = new Metrics(() => front);
  const report = (hands: number, spans: readonly number[]) =>
    metrics.shard(
      3,
      statsOf((counters) => {
        counters.hands = hands;
        for (const seconds of spans) counters.spans.commit.observe(seconds);
      }),
    );
  report(10, [0.002, 0.004, 20]);
  report(12, [0.002, 0.004, 20, 0.002]);
  report(1, [0.002]);
  const text = await metrics.text();
  t.equal(valueOf(text, 'poker_shard_hands_total{shard="3"}'), 13);
  t.equal(valueOf(text, 'poker_commit_seconds_bucket{le="0.0025",shard="3"}'), 3);
  t.equal(valueOf(text, 'poker_commit_seconds_bucket{le="10",shard="3"}'), 4);
  t.equal(valueOf(text, 'poker_commit_seconds_bucket{le="+Inf",shard="3"}'), 5);
  t.equal(valueOf(text, 'poker_commit_seconds_count{shard="3"}'), 5);
  t.match(valueOf(text, 'poker_commit_seconds_sum{shard="3"}').toFixed(3), '20.010');
});

void t.test('a client cannot make series of its own by inventing methods', async (t) => {
  const metrics = new Metrics(() => front);
  for (let n = 0; n < 50; n++) metrics.answered(`M${n}`, 'none', 404, 0.001);
  const text = await metrics.text();
  t.equal(valueOf(text, 'poker_http_answers_total{method="other",route="none",status="404"}'), 50);
});

/** The labels of each metric, by its bare name. */
function labelsOf(text: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, series = '', inside = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const name = series.replace(/_(bucket|sum|count)$/, '');
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
  return labels;
}

void t.test('queries of the dashboard and of the alerts ask for labels that the metrics have', async (t) => {
  const labels = labelsOf(await filled());
  const dashboard = readFileSync('docs/grafana.json', 'utf8');
  const alerts = readFileSync('docs/alerts.example.yml', 'utf8');
  const queries = [
    ...[...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text!) as string),
    ...[...alerts.matchAll(/expr: (.*)/g)].map(([, query]) => query!),
  ];
  t.ok(queries.length >= 30, `${queries.length} queries`);
  for (const query of queries) {
    const names = (query.match(/\b(poker|nodejs|process)_\w+/g) ?? []).map((name) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    );
    // The scraper's own.
    const known = new Set(['job', ...names.flatMap((name) => [...(labels.get(name) ?? [])])]);
    const asked = [
      ...[...query.matchAll(/(\w+) ?(?:=~|!~|!=|=) ?"/g)].map(([, label]) => label!),
      ...[...query.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(',').map((label) => label.trim())),
    ];
    t.same(
      asked.filter((label) => !known.has(label)),
      [],
      query,
    );
  }
});

void t.test('the dashboard, the alerts and the pages name metrics that exist', async (t) => {
  const types = typesOf(await filled());
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  for (const file of ['docs/grafana.json', 'docs/alerts.example.yml', ...pages]) {
    const text = readFileSync(file, 'utf8');
    const named = new Set(text.match(/\b(poker|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g));
    if (!file.endsWith('.md')) t.ok(named.size >= 5, file);
    for (const name of named) {
      const [bare] = [name, name.replace(/_(bucket|sum|count)$/, '')].filter((form) => types.has(form));
      t.ok(bare, `${name} of ${file}`);
    }
  }
  const reference = readFileSync('docs/reference/metrics.md', 'utf8');
  for (const name of types.keys()) {
    if (name.startsWith('poker_')) t.match(reference, `\`${name}\``, `${name} is told of`);
  }
});
