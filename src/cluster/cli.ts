import { onInterrupt } from '../command/interrupt.js';
import { command, Misuse, whole } from '../command/options.js';
import { runToEnd } from '../command/result.js';
import { ConfigError } from '../ops/config.js';
import { startCluster, type Cluster } from './cluster.js';

const NOTES = `The database is the embedded PostgreSQL in DATA_DIR, the same as that of npm start (one of both at a time), and Redis is
the redis-server of this machine; DATABASE_URL and REDIS_URL name others. All settings of npm start hold for every node
but HOST and PORT: each has NODE_SHARDS shard threads. A node that ends, such as by kill -9, is started again after a
second. Of the nodes' logs it shows what somebody should look at; with LOG_LEVEL all of that level.`;

function banner({ url, nodes }: Cluster): string {
  const lines = nodes.map(({ name, port, pid }, n) => {
    return `    ${name}   http://127.0.0.1:${port}   process ${pid}${n === 0 ? '   leads' : ''}`;
  });
  return `
  Agent Poker is open on ${nodes.length === 1 ? 'a node' : `${nodes.length} nodes`}, behind a load balancer:

    pages    ${url}/
    REST     ${url}/api
    bots     ${url.replace('http', 'ws')}/ws

${lines.join('\n')}

  Play with the example bot, in another shell:
    BASE_URL=${url} node dist/examples/bot.js     (without API_KEY it registers by itself)
  Take the one away that leads; another leads, bots play on, and it comes back:
    kill -9 ${nodes[0]!.pid}

  Ctrl-C stops all of it. Hands may end first, for up to 20 s.
`;
}

async function main(): Promise<number> {
  const { values } = command({
    name: 'npm run cluster',
    purpose:
      'Several nodes on this machine, with one database and one Redis, behind a load balancer: to see how they share the\n' +
      'work, and what happens when one dies. Exit code 1: the cluster could not start, or could not go on.',
    takes: 'some seconds to start, then runs until it is stopped',
    options: {
      nodes: whole('server processes', 3, { least: 1, most: 9 }),
      port: whole('of the load balancer; 0 takes a free one', 8080, { most: 65_535 }),
    },
    notes: NOTES,
  });
  let end: (how: { code: number; reason: string | null }) => void = () => undefined;
  const ended = new Promise<{ code: number; reason: string | null }>((resolve) => (end = resolve));
  onInterrupt(() => end({ code: 0, reason: null }));
  const starting = startCluster({
    ...values,
    env: process.env,
    say: (name, line) => console.log(`${name} | ${line}`),
    fatal: (reason) => end({ code: 1, reason }),
  });
  // A Ctrl-C while it starts is heeded once everything that was begun can be ended.
  const cluster = await starting;
  console.log(banner(cluster));
  const { code, reason } = await ended;
  if (reason !== null) process.stderr.write(`${reason}\n`);
  await cluster.stop();
  return code;
}

await runToEnd(main, (error) => {
  const known = error instanceof Misuse || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : `The cluster did not start: ${String(error)}`}\n`);
  return 1;
});
