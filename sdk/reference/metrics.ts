import { Metrics } from '../../src/metrics/metrics.js';
import { Counters } from '../../src/shard/counters.js';
import { code, page, table } from './markdown.js';

/** docs/reference/metrics.md: every metric of the platform. */

const ABOUT = `\`/metrics\` is Prometheus text. \`METRICS_PORT\` opens it on loopback. \`ADMIN_KEY\` opens it on the public port for
\`Authorization: Bearer ADMIN_KEY\`. Without either there is no \`/metrics\`. The page also has the usual \`process_*\` and \`nodejs_*\` metrics.`;

interface Family {
  name: string;
  type: string;
  help: string;
  values: readonly { labels: Readonly<Record<string, unknown>> }[];
}

export async function metricsPage(): Promise<string> {
  const families = (await everything().registry.getMetricsAsJSON()) as unknown as Family[];
  const rows = families
    .filter(({ name }) => name.startsWith('poker_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help, values }) => [code(name), type, labelsOf(values), help]);
  return page('Metrics', ABOUT.replaceAll('\n', ' '), [table(['metric', 'type', 'labels', 'meaning'], rows)]);
}

const labelsOf = (values: Family['values']) => {
  const names = new Set(values.flatMap(({ labels }) => Object.keys(labels)));
  names.delete('le');
  return [...names].sort().map(code).join(', ');
};

/** All metrics, each with a value, so that its labels show. */
function everything(): Metrics {
  const metrics = new Metrics(() => ({
    sockets: 0,
    watchers: 0,
    watchSeconds: 0,
    lobby: 0,
    tables: 0,
    framesOut: 0,
    bytesOut: 0,
    messagesIn: 0,
    rateLimited: 0,
    invalid: 0,
    slowReaders: 0,
    shardsWithoutDatabase: 0,
    emailsWaiting: 0,
  }));
  metrics.shard(0, { tables: 0, ...new Counters().read(), loopMeanMs: 0, loopP99Ms: 0, cpuMs: 0 });
  metrics.answered('GET', 'none', 200, 0);
  metrics.withdrawals(() => ({ reason: 0 }));
  metrics.payments(() => ({ lostDeposits: 0, lostWithdrawals: 0, oldestWithdrawal: 0, failures: 0, agree: true }));
  metrics.mails(new Map([['sign_in domain everybody', 0]]));
  metrics.nodes(() => ({ sockets: { out: 0, in: 0 }, sent: { frame: 0, message: 0, call: 0 } }));
  metrics.node(
    () => 'node',
    () => 'leader',
  );
  return metrics;
}
