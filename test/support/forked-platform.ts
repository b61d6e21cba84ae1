import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import type { Scope } from './database.js';
import { PATIENCE_MS } from './limits.js';
import { bareEnv, placeOf, temporaryFolder, TestPlatform, type Env } from './platform.js';

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
/** The platform never outlives its test. */
const END_WITH_PARENT = new URL('../../src/arena/end-with-parent.js', import.meta.url).href;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * A whole platform in a process of its own, on a database that outlives it. It is for tests that kill, freeze or
 * restart it, or look at its process.
 */
export class ForkedPlatform extends TestPlatform {
  /** The program that `launch` runs. */
  main = MAIN;
  #url = '';
  #wsUrl = '';
  #child: ChildProcess | null = null;
  #ended: Promise<Ending> = Promise.resolve({ code: 0, signal: null });

  private constructor(
    env: Env,
    sql: Database | null,
    readonly cwd: string,
  ) {
    super(env, sql);
  }

  /**
   * Starts a platform with these settings on a fresh database, on `database`, or on the DATA_DIR named. It reaches the
   * database by the address `through`, if given. It is killed when the test is over.
   */
  static override async start(
    t: Scope,
    env: Env = {},
    database?: DatabaseAddress,
    through = database,
  ): Promise<ForkedPlatform> {
    const platform = await ForkedPlatform.prepare(t, env, database, through);
    await platform.launch();
    return platform;
  }

  override get url(): string {
    return this.#url;
  }

  override get wsUrl(): string {
    return this.#wsUrl;
  }

  /** Prepares such a platform without starting it. */
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

  /** Resolves when it serves. Rejects with its output if it ends before. `change` holds for this life alone. */
  override async launch(change: Env = {}): Promise<void> {
    const child = fork(this.main, [], {
      cwd: this.cwd,
      env: bareEnv({ ...this.env, ...change }),
      execArgv: ['--enable-source-maps', '--import', END_WITH_PARENT],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
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
  }

  /** kill -9. Resolves when the process is gone. */
  async kill(): Promise<Ending> {
    this.terminate('SIGKILL');
    return this.ended;
  }

  /** Tells it to stop. `ended` resolves when it has stopped. */
  terminate(signal: NodeJS.Signals = 'SIGTERM'): void {
    this.#child?.kill(signal);
  }

  /** The end of the process that runs, or ran last. */
  get ended(): Promise<Ending> {
    return this.#ended;
  }

  /** The process that runs, or ran last; 0 before the first. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Stops it gracefully; rejects after a bad end. */
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
