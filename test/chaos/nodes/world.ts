import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { retrying } from '../../../src/store/database.js';
import { Balancer, type Target } from '../../../src/cluster/balancer.js';
import { DatabaseGate } from '../../support/database-gate.js';
import { freshDatabase, type Scope } from '../../support/database.js';
import { eventually, PATIENCE_MS } from '../../support/limits.js';
import { MAIN, ForkedPlatform } from '../../support/forked-platform.js';
import { temporaryFolder, type Env } from '../../support/platform.js';
import { RedisGate } from '../../support/redis-gate.js';

const LONGEST_LOG = 20_000;
const LOST = /"reason":"([^"]*)","msg":"(?:shard lost|a shard of this node ends)/g;

/** A server process of the cluster, and its own ways to the database and to Redis, which can be cut. */
export class NodeProcess implements Target {
  #serves = false;

  private constructor(
    readonly name: string,
    readonly platform: ForkedPlatform,
    readonly database: DatabaseGate,
    readonly redis: RedisGate,
  ) {}

  static async prepare(
    t: Scope,
    name: string,
    world: { database: { url: string }; redisPath: string; env: Env; main: string },
  ) {
    const database = await DatabaseGate.open(t, world.database);
    const redis = await RedisGate.open(t, world.redisPath);
    const env = { ...world.env, REDIS_URL: redis.url };
    const platform = await ForkedPlatform.prepare(t, env, world.database, database.address);
    platform.main = world.main;
    return new NodeProcess(name, platform, database, redis);
  }

  get port(): number | null {
    return this.#serves ? this.platform.port : null;
  }

  get pid(): number {
    return this.platform.pid;
  }

  /** Whether its process runs. */
  get lives(): boolean {
    return this.#serves;
  }

  async launch(): Promise<void> {
    await this.platform.launch();
    this.#serves = true;
    void this.platform.ended.then(() => (this.#serves = false));
  }

  /** Resolves when it serves again, should it have ended. */
  async revive(): Promise<void> {
    const ready = async () => {
      // It may also end while it is waited for, as one does whose place another has taken.
      if (!this.#serves) await this.launch();
      return (await this.ready()) === 200;
    };
    await eventually(`${this.name} is ready`, ready, 100);
  }

  /** What it says to /health/ready; null where it says nothing in time. */
  async ready(): Promise<number | null> {
    const asked = { headers: { 'x-forwarded-for': '198.51.100.251' }, signal: AbortSignal.timeout(2000) };
    try {
      const answer = await fetch(`http://127.0.0.1:${this.platform.port}/health/ready`, asked);
      void answer.body?.cancel();
      return answer.status;
    } catch {
      return null;
    }
  }
}

/** A Redis whose process can be killed and started again under the same address. */
class OwnRedis {
  readonly path: string;
  #process: ChildProcess | null = null;

  constructor(private readonly folder: string) {
    this.path = join(folder, 'redis.sock');
  }

  async start(): Promise<void> {
    const args = ['--port', '0', '--unixsocket', this.path, '--save', '', '--dir', this.folder];
    const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#process = redis;
    let said = '';
    redis.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    while (!said.includes('ready to accept connections')) await once(redis.stdout, 'data');
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** As an operator does: it says goodbye to its clients, and its socket goes. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const redis = this.#process;
    this.#process = null;
    if (redis === null) return;
    const gone = once(redis, 'exit');
    redis.kill(signal);
    await gone;
  }
}

/** Several nodes with one PostgreSQL and one Redis, behind a load balancer by which the crowd comes. */
export class NodesWorld {
  /** How much each node had said by then. */
  #marks: number[] = [];
  /** …and when it was asked last why shards were lost. */
  #asked: number[] = [];

  private constructor(
    /** Never launched: the load balancer's address, and the database. */
    readonly entrance: ForkedPlatform,
    readonly nodes: readonly NodeProcess[],
    readonly redis: OwnRedis,
  ) {}

  /** `main` is another program than the product's. */
  static async open(t: Scope, count: number, env: Env, main = MAIN): Promise<NodesWorld> {
    const redis = new OwnRedis(temporaryFolder(t));
    await redis.start();
    t.teardown(() => redis.kill());
    const database = await freshDatabase(t);
    const entrance = await ForkedPlatform.prepare(t, env, database);
    const nodes: NodeProcess[] = [];
    for (let n = 1; n <= count; n++) {
      nodes.push(await NodeProcess.prepare(t, `node ${n}`, { database, redisPath: redis.path, env, main }));
    }
    const balancer = new Balancer(nodes);
    entrance.reachedBy(await balancer.listen('127.0.0.1', 0));
    t.teardown(() => balancer.close());
    const world = new NodesWorld(entrance, nodes, redis);
    for (const node of nodes) await node.revive();
    return world;
  }

  /** The node that leads, by what the database says; waits where none does just now. */
  async leader(): Promise<NodeProcess> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const [row] = await this.entrance.sql!<{ name: string }[]>`
        select name from leadership join nodes on node_id = holder where ended_at is null`;
      const leader = this.nodes.find(({ pid, lives }) => lives && row?.name.startsWith(`process ${pid} on `));
      if (leader !== undefined) return leader;
      if (performance.now() > deadline) throw new Error(`nobody leads:\n${this.describe()}`);
      await sleep(20);
    }
  }

  /** Nodes that others took for dead, so far. */
  endedByOthers(): Promise<number> {
    return retrying(async () => {
      const [row] = await this.entrance.sql!<{ count: number }[]>`
        select count(*)::int as count from nodes where ended_by <> node_id`;
      return row!.count;
    });
  }

  /** By table: the process whose it is. */
  tables(): Promise<Map<string, number>> {
    return retrying(async () => {
      const rows = await this.entrance.sql!<{ table_id: string; name: string }[]>`
        select table_id, name from tables join shards using (shard_no) join nodes on node_id = holder
        where closed_at is null`;
      return new Map(rows.map(({ table_id, name }) => [table_id, Number(/^process (\d+) /.exec(name)?.[1])]));
    });
  }

  /** Everybody is there and ready, as before anything happened. */
  async whole(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.revive()));
  }

  /** What nodes have said so far is not described any more. */
  mark(): void {
    this.#marks = this.nodes.map(({ platform }) => platform.output.length);
  }

  /** Why shards were lost since it was asked last, as their nodes and the leader say it. */
  whyLost(): string[] {
    const said = this.nodes.map(({ platform }, n) => platform.output.slice(this.#asked[n] ?? 0));
    this.#asked = said.map((text, n) => (this.#asked[n] ?? 0) + text.length);
    return said.flatMap((text) => [...text.matchAll(LOST)].map(([, why]) => why!));
  }

  /** For people who look for what went wrong: what nodes have said since the mark. */
  describe(): string {
    return this.nodes
      .map(({ name, platform }, n) => {
        const said = platform.output.slice(this.#marks[n] ?? 0);
        return `  ${name} (process ${platform.pid}):\n${said.slice(-LONGEST_LOG)}`;
      })
      .join('\n');
  }
}
