import { fork, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { freshDatabase, type Scope } from './database.js';
import { recordAnswer, recordFile } from './recorder.js';
import { eventually, PATIENCE_MS } from './limits.js';
import { endProcessesOf } from './processes.js';
import { RedisGate } from './redis-gate.js';
import { openRedis, redisUrl, type TestRedis } from './redis.js';

/** Settings by name; numbers are written as text. */
export type Env = Readonly<Record<string, string | number>>;

/** Who an agent is to its tests. */
export interface Account {
  agentId: string;
  name: string;
  key: string;
  /** Highest table_seq that any socket of the agent has read, by table: it outlives sockets and restarts. */
  readonly seqs: Map<string, number>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of a file of another type. Tests look into it by `t.match`, or through `field`. */
  body: unknown;
}

export interface Request {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** Whatever becomes of the test, its platform does not outlive it. */
const END_WITH_PARENT = new URL('../../src/arena/end-with-parent.js', import.meta.url).href;

/** What every test platform starts from: quick, quiet, and nobody there but the test's own bots. */
const FAST: Env = {
  PORT: 0,
  LOG_LEVEL: 'warn',
  HOUSE_BOTS: 0,
  THREADS: 1,
  BETWEEN_HANDS_MS: 0,
  LOBBY_GRACE_MS: 200,
  LEADERBOARD_REFRESH_MS: 0,
  TRUSTED_PROXY: 1,
  WS_MESSAGES_PER_SECOND: 1_000_000,
  SEATS_PER_MINUTE: 1000,
  // TEST_TRANSPORT=ws runs everything over the fallback transport.
  ...(process.env['TEST_TRANSPORT'] === undefined ? {} : { TRANSPORT: process.env['TEST_TRANSPORT'] }),
  // …and TEST_FRONTS=2 with the sockets on two threads of their own.
  ...(process.env['TEST_FRONTS'] === undefined ? {} : { FRONTS: process.env['TEST_FRONTS'] }),
};

/** The settings of a production server on loopback. Its mail server is nobody, so that mails wait. */
export const PRODUCTION: Env = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Agent Poker <dealer@poker.example>',
  PUBLIC_URL: 'https://poker.example',
};

/** The names and addresses of agents are others at each node. */
const AGENTS_OF_NODE = 10_000;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The environment of a child: nothing of ours but what programs need to run at all. */
export function bareEnv(env: Env): Record<string, string> {
  const { PATH = '', HOME = tmpdir() } = process.env;
  return { PATH, HOME, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])) };
}

/** A folder that goes when the test is over, and with it what runs in it: a PostgreSQL whose server was killed. */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-test-'));
  // A database of root's that lies below it is run by another account, and would lie outside of it otherwise.
  chmodSync(folder, 0o711);
  t.teardown(async () => {
    endProcessesOf(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export interface Health {
  status: 'ok' | 'degraded';
  services: Record<string, string>;
  game: { active_tables: number; active_connections: number; lobby_queue: number };
}

/** On one database, with one Redis between them. */
export interface ManyNodes {
  leader: TestPlatform;
  others: TestPlatform[];
  redis: TestRedis;
}
export type TwoNodes = Pick<ManyNodes, 'leader' | 'redis'> & { front: TestPlatform };

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A whole platform in a process of its own, on a database that outlives it. */
export class TestPlatform {
  port = 0;
  /** Everything the platform wrote to stdout and stderr, over all its lives. */
  output = '';
  /** What clients found wrong with what they read. */
  readonly faults: Error[] = [];
  readonly env: Env;
  /** The program that `launch` runs. */
  main = MAIN;
  /** Null with a data folder: then the database is the platform's own. */
  readonly sql: Database | null;
  #url = '';
  #wsUrl = '';
  /** Other nodes on the same database: what comes to `url` and `wsUrl` comes to all in turn, and all live and end as one. */
  beside: readonly TestPlatform[] = [];
  #turns = 0;
  #child: ChildProcess | null = null;
  /** Killed beside others that live. */
  #isLost = false;
  #ended: Promise<Ending> = Promise.resolve({ code: 0, signal: null });
  #agents = 0;
  #probes = 0;

  private constructor(
    env: Env,
    sql: Database | null,
    readonly cwd: string,
  ) {
    this.env = { ...FAST, ...env };
    this.sql = sql;
  }

  /**
   * Starts a platform with these settings on a fresh database, on `database` (which it reaches by the address
   * `through`, if given), or on the DATA_DIR named. It is killed when the test is over.
   */
  static async start(t: Scope, env: Env = {}, database?: DatabaseAddress, through = database): Promise<TestPlatform> {
    const nodes = process.env['TEST_NODES'];
    if (nodes !== undefined && !('DATA_DIR' in env)) {
      const { leader, others } =
        nodes === 'lent'
          ? await TestPlatform.startLent(t, env, database)
          : await TestPlatform.startNodes(t, [env, env, env], { database, through });
      leader.beside = others;
      return leader;
    }
    const platform = await TestPlatform.prepare(t, env, database, through);
    await platform.launch();
    return platform;
  }

  /** Two nodes, both with sockets and tables; one leads. */
  static async startTwo(t: Scope, env: Env = {}, database?: DatabaseAddress): Promise<TwoNodes> {
    const nodes = await TestPlatform.startNodes(t, [env, env], { database });
    return { ...nodes, front: nodes.others[0]! };
  }

  /** Three nodes, all with sockets and tables; the first leads. */
  static startThree(t: Scope, env: Env = {}): Promise<ManyNodes> {
    return TestPlatform.startNodes(t, [env, env, env]);
  }

  /** Another node beside this one, with its settings. */
  async joinedBy(t: Scope): Promise<TestPlatform> {
    const node = await TestPlatform.prepare(t, this.env, { url: String(this.env['DATABASE_URL']) });
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
    const nodes: TestPlatform[] = [];
    for (const [n, env] of envs.entries()) {
      const node = await TestPlatform.prepare(t, { REDIS_URL, ...env }, address, through);
      await node.launch();
      if (n > 0) await node.ready();
      node.#agents = n * AGENTS_OF_NODE;
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
    const nodes = await TestPlatform.startNodes(t, envs, { database, redis });
    await nodes.leader.lentTo();
    return { ...nodes, front: nodes.others[0]!, gate };
  }

  /** Resolves once it has had so many shards that play, over all its lives. */
  async lentTo(count = 1): Promise<void> {
    const lent = () => this.output.split('a shard plays').length - 1;
    await eventually('lent shards', () => lent() >= count);
  }

  /** As a balancer in front of the nodes would have it. */
  get #next(): TestPlatform {
    const nodes = [this, ...this.beside].filter((node) => !node.#isLost);
    return nodes[this.#turns++ % nodes.length]!;
  }

  get url(): string {
    return this.#next.#url;
  }

  get wsUrl(): string {
    return this.#next.#wsUrl;
  }

  /** Never launched itself: whoever comes to it comes to what listens on this port. */
  reachedBy(port: number): void {
    [this.port, this.#url, this.#wsUrl] = [port, `http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/ws`];
  }

  /** Resolves once it says that it is ready. */
  async ready(): Promise<void> {
    const path = '/health/ready';
    const ask = () => fetch(this.#url + path, { headers: this.#prober(path) });
    // While a node becomes another it listens nowhere.
    await eventually('a node that is ready', () => ask().then(({ status }) => status === 200, () => false), 50); // prettier-ignore
  }

  /** The same without starting it. */
  static async prepare(t: Scope, env: Env = {}, database?: DatabaseAddress, through = database): Promise<TestPlatform> {
    const own = 'DATA_DIR' in env;
    const address = own ? null : (database ?? (await freshDatabase(t)));
    const sql = address === null ? null : connect(address, { max: 2, name: 'test' });
    const place: Env = address === null ? {} : { DATABASE_URL: (through ?? address).url };
    const platform = new TestPlatform({ ...place, ...env }, sql, temporaryFolder(t));
    t.teardown(async () => {
      await platform.kill();
      await sql?.end({ timeout: 1 });
    });
    return platform;
  }

  /** Resolves when it serves; rejects with what it wrote when it ends before. `change` holds for this life alone. */
  async launch(change: Env = {}): Promise<void> {
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
  async stop(): Promise<void> {
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

  /** Resolves once it has written this: what it logs may arrive a little later than what it does. */
  async wrote(text: string): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !this.output.includes(text); await sleep(10)) {
      if (Date.now() > deadline) throw new Error(`it never wrote ${text}:\n${this.output}`);
    }
  }

  /** Tests ask after health more often than one address may. */
  #prober(path: string): Record<string, string> {
    if (!path.startsWith('/health')) return {};
    return { 'x-forwarded-for': `198.51.100.${this.#probes++ % 250}` };
  }

  /** A REST call whose answer is checked against its schema and noted. */
  async api(method: string, path: string, { key, body, headers = {} }: Request = {}): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      headers: {
        ...this.#prober(path),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const { status, headers: told } = response;
    const type = told.get('content-type') ?? '';
    const isJson = type.startsWith('application/json');
    if (!isJson || told.has('content-disposition')) recordFile(method, path, status, type);
    const answer = { status, headers: told, body: isJson ? (JSON.parse(text) as unknown) : text };
    if (isJson) recordAnswer({ method, path }, status, answer.body);
    return answer;
  }

  /** Where nobody answers since the process has ended, the reason is in what it wrote. */
  async #fetch(path: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(this.url + path, request);
    } catch (error) {
      if (this.#child === null) throw error;
      const ending = await Promise.race([this.#ended, sleep(500, null, { ref: false })]);
      if (ending === null) throw error;
      const { code, signal } = ending;
      throw new Error(`it had ended with ${signal ?? code}:\n${this.output.slice(-4000)}`, { cause: error });
    }
  }

  /** A new agent, from an address of its own. `name` gets a number behind it. */
  async register(name = 'bot'): Promise<Account> {
    const headers = { 'x-forwarded-for': `203.0.113.${this.#agents % 250}` };
    const full = `${name}_${++this.#agents}`;
    const body = { name: full, email: `${full}@example.com`, terms_accepted: true };
    const { status, body: answer } = await this.api('POST', '/api/register', { body, headers });
    if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(answer)}`);
    const { agent_id: agentId, api_key: key } = answer as { agent_id: string; api_key: string };
    return { agentId, name: full, key, seqs: new Map() };
  }

  /** GET /health; where it was asked too often, it is asked again. */
  async health(): Promise<Health> {
    const ask = async () => {
      const { status, body } = await this.api('GET', '/health');
      return status === 429 ? null : (body as Health);
    };
    return eventually('its health', ask, 1000);
  }

  /** Asks /health until it fits; rejects with the last answer. */
  async healthWhen(fits: (health: Health) => boolean): Promise<Health> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(10)) {
      const health = await this.health();
      if (fits(health)) return health;
      if (Date.now() > deadline) throw new Error(`/health stayed ${JSON.stringify(health)}`);
    }
  }

  /** Resolves when no table is open, nobody waits and nobody is connected. */
  async empty(): Promise<void> {
    await this.healthWhen(({ game }) => Object.values(game).every((count) => count === 0));
  }
}
