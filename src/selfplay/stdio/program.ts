import { spawn, type ChildProcess } from 'node:child_process';
import { LineBot, type LineLimits } from './bot.js';

/** A bot that is a command, run by the shell in a process group of its own. Its stderr passes through. */
export interface LineProgram {
  bot: LineBot;
  /** The process group. */
  group: number;
}

export function startLineProgram(name: string, command: string, cwd: string, limits: LineLimits): LineProgram {
  const child = spawn(command, { shell: true, detached: true, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.pid === undefined) throw new Error(`no shell could be started for ${command}`);
  const group = child.pid;
  const bot = new LineBot(name, child.stdout, child.stdin, limits);
  // A broken pipe is told by the end of the process, which comes with its exit code.
  child.stdin.on('error', () => undefined);
  child.on('close', (code, signal) => bot.end(`ended ${howEnded(code, signal)}`));
  return { bot, group };
}

const howEnded = (code: number | null, signal: ChildProcess['signalCode']): string =>
  signal === null ? `with exit code ${code}` : `by ${signal}`;

/** Signals a process group; a group that is gone is none of the errors. Returns whether there is one. */
export function endGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
