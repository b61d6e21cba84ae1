import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { isModulePath, playsModule } from '../bots/index.js';
import { killAtExit } from '../command/children.js';
import { Tail } from '../command/tail.js';

/** How long a program may take to end after SIGTERM. */
const STOP_MS = 2000;

/** Takes what a program writes. */
export interface OutputReader {
  read(stream: Readable | null): unknown;
}

/** Somebody's bot, run by the shell in a process group of its own: a command, or the path of a module that exports decide(hand). */
export class Program {
  readonly tail = new Tail();
  /** Resolves, when it has ended, to how: an exit code or a signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;

  constructor(
    readonly command: string,
    env: NodeJS.ProcessEnv,
    cwd: string,
    log?: OutputReader,
  ) {
    const run = isModulePath(command) ? playsModule(resolve(cwd, command)) : command;
    this.#child = spawn(run, { shell: true, detached: true, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.tail.read(this.#child.stdout).read(this.#child.stderr);
    log?.read(this.#child.stdout);
    log?.read(this.#child.stderr);
    this.ended = this.#end(killAtExit(() => this.#signal('SIGKILL')));
  }

  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    const late = setTimeout(() => this.#signal('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(late);
    // Processes that the program itself started and left behind.
    this.#signal('SIGKILL');
  }

  async #end(release: () => void): Promise<number | NodeJS.Signals> {
    // `close` comes after the last output was read.
    const [code, signal] = (await once(this.#child, 'close')) as [number | null, NodeJS.Signals | null];
    release();
    return code ?? signal ?? 1;
  }

  /** To the whole group: the shell and all that it started. */
  #signal(signal: NodeJS.Signals): void {
    const group = this.#child.pid;
    if (group === undefined) return;
    try {
      process.kill(-group, signal);
    } catch (error) {
      // Nobody of the group is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
