import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../arena/children.js';
import type { Target } from './balancer.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** A node that ended is started again after this, as by an operator's supervisor. */
const AGAIN_MS = 1000;
/** Of a node's log: it has taken the lead. */
const LEADS = 'nobody leads any more: this node does';
const EVERYDAY: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);

export interface NodeOptions {
  name: string;
  env: NodeJS.ProcessEnv;
  /** Of its log only what somebody should look at; else all of it. */
  quiet: boolean;
  /** What the node has to say to people: a line of its log, or what becomes of it. */
  say(line: string): void;
}

/** A server process of the cluster. When it dies, however that is, another life begins. */
export class ClusterNode implements Target {
  port: number | null = null;
  #child: ChildProcess | null = null;
  #gone: Promise<unknown> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(private readonly options: NodeOptions) {}

  get name(): string {
    return this.options.name;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts it; resolves when it serves. Rejects when it ends before. */
  async start(): Promise<void> {
    const { env, say } = this.options;
    const child = fork(MAIN, [], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    const release = killAtExit(() => child.kill('SIGKILL'));
    this.#gone = once(child, 'exit').then(([code, signal]: unknown[]) => {
      release();
      this.#child = null;
      this.port = null;
      if (this.#stopping) return;
      say(`ended with ${String(signal ?? code)}, and is started again`);
      // A life that ends before it serves rejects here, and has said so just above.
      this.#again = setTimeout(() => void this.#startAgain(), AGAIN_MS);
    });
    // Of its standard output the log: the banner speaks of one server.
    createInterface({ input: child.stdout! }).on('line', (line) => this.#tell(line));
    createInterface({ input: child.stderr! }).on('line', say);
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: { event?: string; port?: number }) => {
        if (message.event !== 'ready') return;
        this.port = message.port ?? null;
        resolve();
      });
      void this.#gone.then(() => reject(new Error(`${this.name} ended before it served`)));
    });
  }

  async #startAgain(): Promise<void> {
    try {
      await this.start();
      this.options.say(`serves again at http://127.0.0.1:${this.port}, process ${this.pid}`);
    } catch {
      // It has said that it ended.
    }
  }

  #tell(line: string): void {
    const { quiet, say } = this.options;
    if (!line.startsWith('{')) return;
    if (!quiet) return say(line);
    const { level, msg } = JSON.parse(line) as { level: string; msg: string };
    if (msg === LEADS) say('leads from now on');
    else if (!EVERYDAY.has(level)) say(line);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#again);
    this.#child?.kill('SIGTERM');
    await this.#gone;
  }
}
