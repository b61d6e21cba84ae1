import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runAdmin } from '../../src/admin/run.js';
import { bareEnv, type Env } from './platform.js';

/** The output of a command. */
export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program of src/ (such as admin/cli.js) to its end. `typed` is its whole standard input. */
export function runCommand(
  program: string,
  args: readonly string[],
  env: Env,
  { typed = '', cwd = '/' } = {},
): Promise<CommandResult> {
  const path = fileURLToPath(new URL(`../../src/${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { env: bareEnv(env), cwd });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text));
  // The program may end before it reads its input.
  child.stdin.on('error', () => undefined).end(typed);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
}

/** Runs `npx agent-poker admin ARGS` in this process. `typed` is its whole standard input. */
export async function runAdminCommand(
  args: readonly string[],
  env: Env,
  { typed = '', cwd = '/' } = {},
): Promise<CommandResult> {
  const printed = { out: '', err: '' };
  const code = await runAdmin(args, {
    env: bareEnv(env),
    cwd,
    stdin: Readable.from(typed === '' ? [] : [typed]),
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
  });
  return { code, ...printed };
}

/** `npx agent-poker admin … --json` on a database. The answer also has the reason of a refusal. */
export async function adminJson(url: string, ...args: string[]): Promise<{ code: number | null; data: unknown }> {
  const { code, out } = await runAdminCommand([...args, '--json'], { DATABASE_URL: url });
  return { code, data: out === '' ? null : JSON.parse(out) };
}
