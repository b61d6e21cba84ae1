import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Scope } from '../support/database.js';
import { PATIENCE_MS } from '../support/limits.js';
import { bareEnv, type Account } from '../support/platform.js';

type Told = Record<string, unknown> & { event: string };

/** Kinds of warnings that a bad line, or a server that was killed, may well bring about. */
const HARMLESS: readonly unknown[] = ['error'];

export interface Bot {
  /** The program and its arguments. */
  command: readonly string[];
  /** Over lean frames; else it takes part in the shuffle, and checks each deal. */
  lean: boolean;
}

/** A bot program that is proven: a child that tells a line of JSON for each thing that happens to it. */
export class Program {
  isOver = false;
  readonly #told: Told[] = [];
  readonly #strange: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  /** The end of what it wrote to stderr. */
  #errors = '';

  constructor(t: Scope, { command, lean }: Bot, url: string, port: number, { key }: Account) {
    const kind = lean ? { LEAN: 1 } : { NONCES: 1 };
    const env = { BASE_URL: url, WS_URL: `ws://127.0.0.1:${port}/ws`, API_KEY: key, ...kind };
    const child = spawn(command[0]!, command.slice(1), { env: bareEnv(env), stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    t.teardown(async () => void child.kill('SIGKILL'));
    createInterface({ input: child.stdout }).on('line', (line) => this.#read(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors = (this.#errors + text).slice(-2000)));
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => this.#strange.push(`it cannot be run: ${error.message}`));
      child.once('close', (code) => {
        this.isOver = true;
        resolve(code);
      });
    });
  }

  #read(line: string): void {
    try {
      this.#told.push(JSON.parse(line) as Told);
    } catch {
      this.#strange.push(`it wrote what is no JSON: ${line.slice(0, 200)}`);
    }
  }

  count(event: string): number {
    return this.#told.filter((told) => told.event === event).length;
  }

  /** The last things it told, for people who look for what went wrong. */
  tail(): string {
    return [...this.#told.slice(-5).map((told) => JSON.stringify(told)), this.#errors].join('\n');
  }

  /** Asks it to end; resolves with its summary. */
  async end(): Promise<unknown> {
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => {
      this.#strange.push(`it did not end within ${PATIENCE_MS} ms of SIGTERM`);
      this.#child.kill('SIGKILL');
    }, PATIENCE_MS);
    const code = await this.#ended;
    clearTimeout(late);
    if (code !== 0) this.#strange.push(`it ended with ${String(code)}: ${this.tail()}`);
    const last = this.#told.at(-1);
    if (last?.event !== 'end') this.#strange.push(`it ended without a summary: ${this.tail()}`);
    return last?.['summary'];
  }

  /** The warnings of its own kit, and other faults. */
  faults(): string[] {
    const isFault = ({ event, kind, faults }: Told) =>
      (event === 'warning' && !HARMLESS.includes(kind)) || (event === 'verified' && (faults as unknown[]).length > 0);
    return [...this.#strange, ...this.#told.filter(isFault).map((told) => JSON.stringify(told))];
  }
}
