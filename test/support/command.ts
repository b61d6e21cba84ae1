import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bareEnv, type Env } from './platform.js';

/** What a command printed before it ended. */
export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program of src/ (such as admin/cli.js) to its end; `typed` is what its standard input says before it ends. */
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
  // It may end before it reads what is typed.
  child.stdin.on('error', () => undefined).end(typed);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
}

/** `npm run admin -- … --json` on a database, whose answer says also why not. */
export async function adminJson(url: string, ...args: string[]): Promise<{ code: number | null; data: unknown }> {
  const { code, out } = await runCommand('admin/cli.js', [...args, '--json'], { DATABASE_URL: url });
  return { code, data: out === '' ? null : JSON.parse(out) };
}
