import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/ops/config.js';
import { createLogger } from '../../src/ops/log.js';
import { RecentLines } from '../../src/ops/recent-lines.js';
import { startPlatform, type Platform } from '../../src/platform/index.js';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { freshDatabase, type Scope } from './database.js';
import { recordAnswer, recordFile } from './recorder.js';
import { eventually, PATIENCE_MS } from './limits.js';
import { sharedScope } from './room-scope.js';
import { endProcessesOf } from './processes.js';

/** Settings by name; numbers are written as text. */
export type Env = Readonly<Record<string, string | number>>;

/** An agent as its tests know it. */
export interface Account {
  agentId: string;
  name: string;
  key: string;
  /** The highest table_seq that any socket of the agent has read, by table. It outlives sockets and restarts. */
  readonly seqs: Map<string, number>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of a file of another type. Tests read it by `t.match`, or through `field`. */
  body: unknown;
}

export interface Request {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The settings of every test platform: fast and quiet, with no bots but the test's own. */
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
  DEEP_CHECKS: 'on',
  // TEST_TRANSPORT=ws runs everything over the fallback transport.
  ...(process.env['TEST_TRANSPORT'] === undefined ? {} : { TRANSPORT: process.env['TEST_TRANSPORT'] }),
};

/** The settings of a production server on loopback. Its mail server does not exist, so that mails wait. */
export const PRODUCTION: Env = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Agent Poker <dealer@poker.example>',
  PUBLIC_URL: 'https://poker.example',
};

/** The environment of a child: only the variables that programs need to run. */
export function bareEnv(env: Env): Record<string, string> {
  const { PATH = '', HOME = tmpdir() } = process.env;
  return { PATH, HOME, ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])) };
}

/**
 * A folder that goes when the test is over. Processes in it end as well, such as a PostgreSQL after the kill of its
 * server.
 */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-test-'));
  // A database that root starts below it runs under another account, which must be able to enter.
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

/** The platform does not wait for hands of a test that is over. */
const DRAIN_MS = 100;

/** Prepares a platform of several nodes. Null: each platform of a test is one node. */
type Spread = (t: Scope, env: Env, database?: DatabaseAddress, through?: DatabaseAddress) => Promise<TestPlatform>;
let spread: Spread | null = null;

/** Sets how platforms are prepared from now on (spread-platform.ts). */
export const spreadBy = (prepare: Spread) => void (spread = prepare);

/**
 * Settings and connection of a platform on this database, on a fresh one, or on its own database in the given DATA_DIR.
 */
export async function placeOf(
  t: Scope,
  env: Env,
  database?: DatabaseAddress,
  through = database,
): Promise<[Env, Database | null]> {
  const address = 'DATA_DIR' in env ? null : (database ?? (await freshDatabase(t)));
  const sql = address === null ? null : connect(address, { max: 2, name: 'test' });
  const place: Env = address === null ? {} : { DATABASE_URL: (through ?? address).url };
  return [{ ...FAST, ...place, ...env }, sql];
}

let ofRoom: Promise<TestPlatform> | null = null;

/** A whole platform, and a test's agents there. */
export abstract class TestPlatform {
  port = 0;
  /** Everything the platform wrote, over all its lives. */
  output = '';
  /** The faults that clients found in their frames. */
  readonly faults: Error[] = [];
  /** The number of nodes that share its work. A test uses it for limits of each node. */
  readonly nodes: number = 1;
  /** Agents registered so far. */
  agents = 0;
  #probes = 0;

  /** `sql` is null with a data folder, because the database is the platform's own. */
  constructor(
    readonly env: Env,
    readonly sql: Database | null,
  ) {}

  /**
   * Starts a platform in this process with these settings, on a fresh database, on `database`, or on the DATA_DIR
   * named. It reaches the database by the address `through`, if given. It stops when the test is over.
   */
  static async start(t: Scope, env: Env = {}, database?: DatabaseAddress, through = database): Promise<TestPlatform> {
    const platform = await TestPlatform.#prepare(t, env, database, through);
    t.teardown(async () => {
      await platform.stop();
      await platform.sql?.end({ timeout: 1 });
    });
    await platform.launch();
    return platform;
  }

  static async #prepare(
    t: Scope,
    env: Env,
    database: DatabaseAddress | undefined,
    through: DatabaseAddress | undefined,
  ): Promise<TestPlatform> {
    if (spread === null || 'NODE_ADDRESS' in env || 'DATA_DIR' in env) {
      return new OwnPlatform(...(await placeOf(t, env, database, through)));
    }
    return spread(t, env, database, through);
  }

  /**
   * The platform with the default settings that all files of the room share. Names and competitions separate the tests.
   * A file leaves its tables empty.
   */
  static shared(t: Scope): Promise<TestPlatform> {
    const scope = sharedScope(t);
    if (scope === t) return TestPlatform.start(t);
    ofRoom ??= TestPlatform.start(scope);
    return ofRoom;
  }

  abstract get url(): string;
  abstract get wsUrl(): string;
  /** Resolves when it serves. `change` holds for this life alone. */
  abstract launch(change?: Env): Promise<void>;
  /** Stops it gracefully; rejects when it does not end well. */
  abstract stop(): Promise<void>;
  /** The reason why the platform does not answer, or null. */
  protected abstract whyNot(): Promise<string | null>;

  /** Resolves once it has written this text. A line of the log may arrive a little later than its cause. */
  async wrote(text: string): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !this.output.includes(text); await sleep(10)) {
      if (Date.now() > deadline) throw new Error(`it never wrote ${text}:\n${this.output}`);
    }
  }

  /** Headers for more health requests than one address may send. */
  protected prober(path: string): Record<string, string> {
    if (!path.startsWith('/health')) return {};
    return { 'x-forwarded-for': `198.51.100.${this.#probes++ % 250}` };
  }

  /** A REST call with an answer that is checked against its schema and noted. */
  async api(method: string, path: string, { key, body, headers = {} }: Request = {}): Promise<Answer> {
    const response = await this.#fetch(path, {
      method,
      headers: {
        ...this.prober(path),
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

  /** If nothing answers, the reason is in the platform's output. */
  async #fetch(path: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(this.url + path, request);
    } catch (error) {
      const reason = await this.whyNot();
      if (reason === null) throw error;
      throw new Error(`${reason}:\n${this.output.slice(-4000)}`, { cause: error });
    }
  }

  /** A new agent, from an address of its own. `name` gets a number behind it. */
  async register(name = 'bot'): Promise<Account> {
    const headers = { 'x-forwarded-for': `203.0.113.${this.agents % 250}` };
    const full = `${name}_${++this.agents}`;
    const body = { name: full, email: `${full}@example.com`, terms_accepted: true };
    const { status, body: answer } = await this.api('POST', '/api/register', { body, headers });
    if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(answer)}`);
    const { agent_id: agentId, api_key: key } = answer as { agent_id: string; api_key: string };
    return { agentId, name: full, key, seqs: new Map() };
  }

  /** GET /health, repeated after a 429. */
  async health(): Promise<Health> {
    const ask = async () => {
      const { status, body } = await this.api('GET', '/health');
      return status === 429 ? null : (body as Health);
    };
    return eventually('its health', ask, 1000);
  }

  /** Polls /health until it fits; rejects with the last answer. */
  async healthWhen(fits: (health: Health) => boolean): Promise<Health> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(10)) {
      const health = await this.health();
      if (fits(health)) return health;
      if (Date.now() > deadline) throw new Error(`/health stayed ${JSON.stringify(health)}`);
    }
  }

  /** Resolves when no table is open, and no agent waits or is connected. */
  async empty(): Promise<void> {
    await this.healthWhen(({ game }) => Object.values(game).every((count) => count === 0));
  }
}

/**
 * A platform in the test's process. Its graceful stop and its restart are real. A test that kills uses a
 * ForkedPlatform.
 */
export class OwnPlatform extends TestPlatform {
  #platform: Platform | null = null;
  #fatal: Error | null = null;

  /** `face` keeps the platform's output and faults. */
  constructor(
    env: Env,
    sql: Database | null,
    private readonly face?: TestPlatform,
  ) {
    super(env, sql);
  }

  override get url(): string {
    return this.#platform?.url ?? `http://127.0.0.1:${this.port}`;
  }

  override get wsUrl(): string {
    return this.#platform?.wsUrl ?? `ws://127.0.0.1:${this.port}/ws`;
  }

  override async launch(change: Env = {}): Promise<void> {
    const face = this.face ?? this;
    const config = readConfig(bareEnv({ DRAIN_MS: DRAIN_MS, ...this.env, ...change }));
    const recent = new RecentLines();
    const log = createLogger(config.LOG_LEVEL, recent, { write: (line) => void (face.output += line) });
    const fatal = (error: Error) => {
      this.#fatal = error;
      face.faults.push(error);
    };
    this.#fatal = null;
    this.#platform = await startPlatform(config, log, fatal, recent);
    this.port = this.#platform.port;
  }

  override async stop(): Promise<void> {
    const platform = this.#platform;
    this.#platform = null;
    await platform?.stop();
  }

  override async whyNot(): Promise<string | null> {
    if (this.#fatal !== null) return `it could not go on (${this.#fatal.message})`;
    return this.#platform === null ? 'it was stopped' : null;
  }
}
