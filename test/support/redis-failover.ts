import { Redis } from 'ioredis';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './database.js';
import { eventually } from './limits.js';
import { ended, folder, freePort, started } from './redis.js';

/** One of several servers that replace each other. It may be killed and started again at its port. */
export class RedisServer {
  private constructor(
    readonly port: number,
    /** A client of the server that lasts over restarts. */
    readonly client: Redis,
    private readonly options: readonly string[],
    public process: ChildProcess,
  ) {}

  static async start(t: Scope, dir: string, options: readonly string[] = []): Promise<RedisServer> {
    const port = await freePort();
    const own = join(dir, String(port));
    mkdirSync(own);
    const all = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', own, ...FAST, ...options];
    const process = await started(all);
    const client = new Redis(port, { retryStrategy: () => 50 });
    client.on('error', () => undefined);
    const server = new RedisServer(port, client, all, process);
    t.teardown(async () => {
      client.disconnect();
      await ended(server.process);
    });
    return server;
  }

  /** Kills the server; resolves when it is gone. */
  async kill(): Promise<void> {
    const gone = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await gone;
  }

  async again(): Promise<void> {
    this.process = await started(this.options);
  }

  /** A field of `INFO`. */
  async info(name: string): Promise<string | undefined> {
    const text = await this.client.info().catch(() => '');
    return new RegExp(`^${name}:(\\S*)`, 'm').exec(text)?.[1];
  }

  /** Resolves once it has all writes of its master up to now. */
  async follows(master: RedisServer): Promise<void> {
    await eventually('a replica', async () => (await this.info('master_link_status')) === 'up');
    const wanted = Number(await master.info('master_repl_offset'));
    await eventually('all that was written', async () => Number(await this.info('slave_repl_offset')) >= wanted);
  }
}

/** A replica gets its first copy at once. */
const FAST = ['--repl-diskless-sync-delay', '0'];

export interface Sentinels {
  /** The address in the form of REDIS_URL. */
  address: string;
  /** In the order of the address. */
  sentinels: ChildProcess[];
  /** One of them is the master's replica. */
  servers: RedisServer[];
  /** The master that all answering Sentinels name. */
  master(): Promise<RedisServer>;
}

/** The time after which a Sentinel takes a server for dead. */
const DEAD_MS = 1000;
const NAME = 'poker';

/** A master, its replica, and three Sentinels with a quorum of two. */
export async function openSentinels(t: Scope): Promise<Sentinels> {
  const dir = folder(t);
  const first = await RedisServer.start(t, dir);
  const second = await RedisServer.start(t, dir, ['--replicaof', '127.0.0.1', String(first.port)]);
  const servers = [first, second];
  // Sentinels ask a master for its replicas at the start, and then seldom.
  await second.follows(first);
  await eventually('a replica', async () => (await first.info('slave0'))?.includes('state=online'));

  const ports: number[] = [];
  const sentinels: ChildProcess[] = [];
  for (let n = 0; n < 3; n++) {
    const port = await freePort();
    const file = join(dir, `sentinel-${n}.conf`);
    const of = (name: string, value: number) => `sentinel ${name} ${NAME} ${value}\n`;
    const monitor = `sentinel monitor ${NAME} 127.0.0.1 ${first.port} 2\n`;
    const times = of('down-after-milliseconds', DEAD_MS) + of('failover-timeout', 10 * DEAD_MS);
    writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${dir}\n${monitor}${times}`);
    const sentinel = await started([file, '--sentinel'], '+monitor');
    t.teardown(() => ended(sentinel));
    ports.push(port);
    sentinels.push(sentinel);
  }
  const asked = ports.map((port) => new Redis(port, { retryStrategy: () => 50, commandTimeout: DEAD_MS }));
  for (const client of asked) client.on('error', () => undefined);
  t.teardown(async () => asked.forEach((client) => client.disconnect()));
  for (const client of asked) {
    await eventually('Sentinels that know each other and the replica', async () => {
      const [, ...said] = (await client.call('SENTINEL', 'MASTER', NAME)) as string[];
      const of = (name: string) => said[said.indexOf(name) + 1];
      return of('num-other-sentinels') === '2' && of('num-slaves') === '1' && of('flags') === 'master';
    });
  }
  const named = async () => {
    const all = asked.map(
      (client) => client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME) as Promise<[string, string]>,
    );
    const answers = await Promise.allSettled(all);
    return new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [Number(answer.value[1])] : [])));
  };
  return {
    address: `redis-sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/${NAME}`,
    sentinels,
    servers,
    master: () =>
      eventually('a master that all name', async () => {
        const [port, another] = await named();
        return another === undefined ? servers.find((server) => server.port === port) : null;
      }),
  };
}

export interface Masters {
  /** The address in the form of REDIS_URL, with every server. */
  address: string;
  servers: RedisServer[];
  /** The replica of the master that had the key at first. */
  replica: RedisServer;
  slotOf(key: string): Promise<number>;
  /** The owner of the slot, as all living servers agree. */
  ownerOf(slot: number): Promise<RedisServer>;
}

/** The time after which a server of a Cluster takes another for dead. */
const NODE_TIMEOUT_MS = 2000;
/** A Cluster of three masters, with a replica of the one that has the slot of this key. */
export async function openMasters(t: Scope, key: string): Promise<Masters> {
  const dir = folder(t);
  const servers: RedisServer[] = [];
  const buses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const bus = await freePort();
    const options = ['--cluster-enabled', 'yes', '--cluster-port', String(bus)];
    // The replica may take over after any standstill of the machine.
    const patience = ['--cluster-node-timeout', String(NODE_TIMEOUT_MS), '--cluster-replica-validity-factor', '0'];
    servers.push(await RedisServer.start(t, dir, [...options, ...patience]));
    buses.push(bus);
  }
  const ask = (server: RedisServer, ...words: (string | number)[]) => server.client.call('CLUSTER', ...words);
  const ids = (await Promise.all(servers.map((server) => ask(server, 'MYID')))) as string[];
  const idOf = (server: RedisServer) => ids[servers.indexOf(server)]!;
  const third = Math.ceil(16_384 / 3);
  for (const [n, server] of servers.entries()) {
    await ask(server, 'SET-CONFIG-EPOCH', n + 1);
    if (n < 3) await ask(server, 'ADDSLOTSRANGE', n * third, Math.min((n + 1) * third, 16_384) - 1);
    for (const [m, { port }] of servers.entries()) if (m < n) await ask(server, 'MEET', '127.0.0.1', port, buses[m]!);
  }
  const everyKnows = (what: string, knows: (server: RedisServer) => Promise<boolean>) =>
    eventually(what, async () => (await Promise.all(servers.map(knows))).every(Boolean));
  await everyKnows('a Cluster', async (server) => {
    const info = String(await ask(server, 'INFO'));
    return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:4');
  });

  const slotOf = async (of: string) => Number(await ask(servers[0]!, 'KEYSLOT', of));
  /** The owner as one server sees it. */
  const ownerBy = async (server: RedisServer, slot: number) => {
    type Slots = [first: number, last: number, master: [host: string, port: number]][];
    const slots = (await ask(server, 'SLOTS')) as Slots;
    const [, , [, port]] = slots.find(([first, last]) => first <= slot && slot <= last) ?? [0, 0, ['', 0]];
    return port;
  };
  const ownerOf = (slot: number) =>
    eventually('a server that has the slot', async () => {
      const live = servers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
      const ports = await Promise.all(live.map((server) => ownerBy(server, slot)));
      return new Set(ports).size === 1 ? live.find(({ port }) => port === ports[0]) : null;
    });

  const replica = servers[3]!;
  const master = await ownerOf(await slotOf(key));
  await ask(replica, 'REPLICATE', idOf(master));
  await replica.follows(master);
  // A server votes for a replica only if it knows the replica's master.
  await everyKnows('whose replica it is', async (server) =>
    new RegExp(`^${idOf(replica)} .*slave ${idOf(master)} `, 'm').test(String(await ask(server, 'NODES'))),
  );
  return {
    address: `redis-cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`,
    servers,
    replica,
    slotOf,
    ownerOf,
  };
}
