import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { killAtExit } from './children.js';
import { Tail } from './tail.js';

/** How long a process may take to end after SIGTERM. */
const STOP_MS = 30_000;
/** A child that is silent for so long has stopped: no order takes that long. */
const ANSWER_MS = 300_000;

export interface ChildOptions {
  args?: readonly string[];
  /** Instead of the environment of this process. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  execArgv?: readonly string[];
}

/** A forked script that is asked things over its channel, one at a time. It never outlives this process. */
export class Child<Question extends object, Answer extends object> {
  readonly #child: ChildProcess;
  readonly #tail = new Tail();
  /** Resolves when the process is gone, to how it ended. */
  readonly #gone: Promise<string>;

  /** `name` is for error texts. */
  constructor(
    private readonly name: string,
    script: string,
    { args = [], env = process.env, cwd = process.cwd(), execArgv = [] }: ChildOptions = {},
  ) {
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe', 'ipc'];
    this.#child = fork(script, args, { env, cwd, execArgv: [...execArgv], stdio });
    this.#tail.read(this.#child.stdout).read(this.#child.stderr);
    const release = killAtExit(() => this.#child.kill('SIGKILL'));
    this.#gone = once(this.#child, 'exit').then(([code, signal]: unknown[]) => {
      release();
      return String(signal ?? code);
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.name} could not be started`);
    return this.#child.pid;
  }

  /** The next message of the process; rejects with its last output when it ends before, or says nothing for ever. */
  async next(): Promise<Answer> {
    const late = AbortSignal.timeout(ANSWER_MS);
    const said = once(this.#child, 'message', { signal: late }) as Promise<[Answer]>;
    // It may be given up after the process has ended.
    said.catch(() => undefined);
    const how = await Promise.race([said, this.#gone]).catch(() => `silence for ${ANSWER_MS} ms`);
    if (typeof how !== 'string') return how[0];
    throw new Error(`${this.name} ended with ${how}:\n${this.#tail.prefixed(this.name)}`);
  }

  ask(question: Question): Promise<Answer> {
    const answer = this.next();
    this.#child.send(question);
    return answer;
  }

  /** Ends it and waits until it is gone. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    await this.#gone;
    clearTimeout(late);
  }
}
