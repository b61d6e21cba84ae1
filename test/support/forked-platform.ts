import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { freshDatabase, type Scope } from './database.js';
import { eventually, PATIENCE_MS } from './limits.js';
import { bareEnv, placeOf, temporaryFolder, TestPlatform, type Env } from './platform.js';
import { RedisGate } from './redis-gate.js';
import { openRedis, redisUrl, type TestRedis } from './redis.js';

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** Whatever becomes of the test, its platform does not outlive it. */
const END_WITH_PARENT = new URL('../../src/arena/end-with-parent.js', import.meta.url).href;
/** The names and addresses of agents are others at each node. */
const AGENTS_OF_NODE = 10_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** On one database, with one Redis between them. */
export interface ManyNodes {
  leader: ForkedPlatform;
  others: ForkedPlatform[];
  redis: TestRedis;
}
export type TwoNodes = Pick<ManyNodes, 'leader' | 'redis'> & { front: ForkedPlatform };

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * A whole platform in a process of its own, on a database that outlives it: for tests that kill, freeze or restart it,
 * or look at the process around it.
 */
export class ForkedPlatform extends TestPlatform {
  /** The program that `launch` runs. */
  main = MAIN;
  #url = '';
  #wsUrl = '';
  /** Other nodes on the same database: what comes to `url` and `wsUrl` comes to all in turn, and all live and end as one. */
  beside: readonly ForkedPlatform[] = [];
  #turns = 0;
  #child: ChildProcess | null = null;
  /** Killed beside others that live. */
  #isLost = false;
  #ended: Promise<Ending> = Promise.resolve({ code: 0, signal: null });

  private constructor(
    env: Env,
    sql: Database | null,
    readonly cwd: string,
  ) {
    super(env, sql);
  }

  /**
   * Starts a platform with these settings on a fresh database, on `database` (which it reaches by the address
   * `through`, if given), or on the DATA_DIR named. It is killed when the test is over.
   */
  static override async start(
    t: Scope,
    env: Env = {},
    database?: DatabaseAddress,
    through = database,
  ): Promise<ForkedPlatform> {
    const nodes = process.env['TEST_NODES'];
    if (nodes !== undefined && !('DATA_DIR' in env)) {
      const { leader, others } =
        nodes === 'lent'
          ? await ForkedPlatform.startLent(t, env, database)
          : await ForkedPlatform.startNodes(t, [env, env, env], { database, through });
      leader.beside = others;
      return leader;
    }
    const platform = await ForkedPlatform.prepare(t, env, database, through);
    await platform.launch();
    return platform;
  }

  /** Two nodes, both with sockets and tables; one leads. */
  static async startTwo(t: Scope, env: Env = {}, database?: DatabaseAddress): Promise<TwoNodes> {
    const nodes = await ForkedPlatform.startNodes(t, [env, env], { database });
    return { ...nodes, front: nodes.others[0]! };
  }

  /** Three nodes, all with sockets and tables; the first leads. */
  static startThree(t: Scope, env: Env = {}): Promise<ManyNodes> {
    return ForkedPlatform.startNodes(t, [env, env, env]);
  }

  /** Another node beside this one, with its settings. */
  async joinedBy(t: Scope): Promise<ForkedPlatform> {
    const node = await ForkedPlatform.prepare(t, this.env, { url: String(this.env['DATABASE_URL']) });
    await node.launch();
    await node.ready();
    return node;
  }

  /** One node of each of these settings; the first leads. `through`: how they reach the database. */
  static async startNodes(
    t: Scope,
    envs: readonly Env[],
    { database, through = database, redis }: Partial<Record<'database' | 'through', DatabaseAddress | undefined>> & { redis?: TestRedis } = {}, // prettier-ignore
  ): Promise<ManyNodes> {
    const server = redis ?? (await openRedis(t));
    const address = database ?? (await freshDatabase(t));
    const REDIS_URL = await redisUrl(t, server);
    const nodes: ForkedPlatform[] = [];
    for (const [n, env] of envs.entries()) {
      const node = await ForkedPlatform.prepare(t, { REDIS_URL, ...env }, address, through);
      await node.launch();
      if (n > 0) await node.ready();
      node.agents = n * AGENTS_OF_NODE;
      nodes.push(node);
    }
    const [leader, ...others] = nodes;
    return { leader: leader!, others, redis: server };
  }

  /** Two nodes, all tables on the one that does not lead, whose way to Redis can be cut. */
  static async startLent(
    t: Scope,
    env: Env = {},
    database?: DatabaseAddress,
  ): Promise<TwoNodes & ManyNodes & { gate: RedisGate }> {
    const redis = await openRedis(t);
    const gate = await RedisGate.open(t, redis.path);
    const lending = { LOG_LEVEL: 'info', ...env, NODE_SHARDS: 0 };
    const envs = [lending, { ...lending, NODE_SHARDS: 1, REDIS_URL: gate.url }];
    const nodes = await ForkedPlatform.startNodes(t, envs, { database, redis });
    await nodes.leader.lentTo();
    return { ...nodes, front: nodes.others[0]!, gate };
  }

  /** Resolves once it has had so many shards that play, over all its lives. */
  async lentTo(count = 1): Promise<void> {
    const lent = () => this.output.split('a shard plays').length - 1;
    await eventually('lent shards', () => lent() >= count);
  }

  /** As a balancer in front of the nodes would have it. */
  get #next(): ForkedPlatform {
    const nodes = [this, ...this.beside].filter((node) => !node.#isLost);
    return nodes[this.#turns++ % nodes.length]!;
  }

  override get url(): string {
    return this.#next.#url;
  }

  override get wsUrl(): string {
    return this.#next.#wsUrl;
  }

  /** Never launched itself: whoever comes to it comes to what listens on this port. */
  reachedBy(port: number): void {
    [this.port, this.#url, this.#wsUrl] = [port, `http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/ws`];
  }

  /** Resolves once it says that it is ready. */
  async ready(): Promise<void> {
    const path = '/health/ready';
    const ask = () => fetch(this.#url + path, { headers: this.prober(path) });
    // While a node becomes another it listens nowhere.
    await eventually('a node that is ready', () => ask().then(({ status }) => status === 200, () => false), 50); // prettier-ignore
  }

  /** The same without starting it. */
  static async prepare(
    t: Scope,
    env: Env = {},
    database?: DatabaseAddress,
    through = database,
  ): Promise<ForkedPlatform> {
    const platform = new ForkedPlatform(...(await placeOf(t, env, database, through)), temporaryFolder(t));
    t.teardown(async () => {
      await platform.kill();
      await platform.sql?.end({ timeout: 1 });
    });
    return platform;
  }

  /** Resolves when it serves; rejects with what it wrote when it ends before. `change` holds for this life alone. */
  override async launch(change: Env = {}): Promise<void> {
    const child = fork(this.main, [], {
      cwd: this.cwd,
      env: bareEnv({ ...this.env, ...change }),
      execArgv: ['--enable-source-maps', '--import', END_WITH_PARENT],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#isLost = false;
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`no start within ${PATIENCE_MS} ms:\n${this.output}`)),
        PATIENCE_MS,
      );
      child.once('message', (message: { event: string; url: string; wsUrl: string; port: number }) => {
        clearTimeout(late);
        ({ url: this.#url, wsUrl: this.#wsUrl, port: this.port } = message);
        resolve();
      });
      void this.#ended.then(({ code, signal }) => {
        clearTimeout(late);
        reject(new Error(`ended with ${signal ?? code} before it served:\n${this.output}`));
      });
    });
    for (const node of this.beside) await node.launch(change);
    for (const node of this.beside.length > 0 ? [this, ...this.beside] : []) await node.ready();
  }

  /** kill -9. Resolves when the process is gone. */
  async kill(): Promise<Ending> {
    this.terminate('SIGKILL');
    return this.ended;
  }

  /** kill -9 of this node alone: those beside it live on, and whoever comes to `url` and `wsUrl` comes to them. */
  async lose(): Promise<Ending> {
    this.#isLost = true;
    this.#child?.kill('SIGKILL');
    return this.#ended;
  }

  /** Tells it to stop; `ended` tells when it has. */
  terminate(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.#child?.kill(signal);
    for (const node of this.beside) node.terminate(signal);
  }

  /** Of several nodes: how the first that did not end well did. */
  get ended(): Promise<Ending> {
    return Promise.all([this.#ended, ...this.beside.map(({ ended }) => ended)]).then(
      (endings) => endings.find(({ code }) => code !== 0) ?? endings[0]!,
    );
  }

  /** Of the process that runs, or ran last; 0 before the first. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Stops it gracefully; rejects when it does not end well. */
  override async stop(): Promise<void> {
    this.terminate();
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<Ending>((_, reject) => {
      late = setTimeout(
        () => reject(new Error(`no end within ${PATIENCE_MS} ms:\n${this.output.slice(-4000)}`)),
        PATIENCE_MS,
      );
    });
    const { code, signal } = await Promise.race([this.ended, timeout]).finally(() => clearTimeout(late));
    if (code !== 0) throw new Error(`the graceful stop ended with ${signal ?? code}:\n${this.output.slice(-4000)}`);
  }

  protected override async whyNot(): Promise<string | null> {
    if (this.#child === null) return null;
    const ending = await Promise.race([this.#ended, sleep(500, null, { ref: false })]);
    return ending === null ? null : `it had ended with ${ending.signal ?? ending.code}`;
  }
}
