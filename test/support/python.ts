import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { bareEnv, type Env } from './platform.js';

/** The Python kit's folder. */
export const PYTHON_KIT = fileURLToPath(new URL('../../../sdk/python/', import.meta.url));

/** A Python, 3.10 or later, with these modules; null if none is installed. */
export async function pythonWith(...modules: readonly string[]): Promise<string | null> {
  const script = `import sys; sys.version_info >= (3, 10) or sys.exit(1); import ${modules.join(', ')}`;
  for (const program of ['python3', '/usr/bin/python3']) {
    const found = await promisify(execFile)(program, ['-c', script]).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return null;
}

/**
 * The Python packages that `packKit` and `installKit` need. The kit's dependencies come from the system: tests ask no
 * registry.
 */
export const PACKING = ['setuptools', 'wheel', 'pip', 'venv', 'websockets', 'httpx'] as const;
export const NO_PACKING = 'no python3 with pip, setuptools, wheel, websockets and httpx is here';

const pip = (python: string, folder: string, ...args: string[]) =>
  promisify(execFile)(python, ['-m', 'pip', '--disable-pip-version-check', ...args], { cwd: folder, env: bareEnv({}) });

/** Packs the kit in this folder; resolves to the wheel's name. */
export async function packKit(python: string, folder: string): Promise<string> {
  cpSync(PYTHON_KIT, join(folder, 'kit'), {
    recursive: true,
    filter: (path) => !/__pycache__|egg-info|\/build$/.test(path),
  });
  await pip(python, folder, 'wheel', '--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', folder, './kit');
  return readdirSync(folder).find((file) => file.endsWith('.whl'))!;
}

/** Installs the wheel in a new environment below this folder; resolves to the environment's Python. */
export async function installKit(python: string, folder: string, wheel: string): Promise<string> {
  await promisify(execFile)(python, ['-m', 'venv', '--system-site-packages', '--without-pip', 'empty'], {
    cwd: folder,
  });
  const own = join(folder, 'empty/bin/python');
  await pip(python, folder, '--python', own, 'install', '--no-index', '--no-deps', wheel);
  return own;
}

/** A running Python program. It ends with the test. */
export class PythonProgram {
  /** The output on stdout and stderr. */
  output = '';
  readonly #child;
  readonly #lines: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly ended: Promise<number | null>;

  constructor(t: Test, python: string, args: readonly string[], env: Env = {}) {
    this.#child = spawn(python, ['-B', ...args], { env: bareEnv(env), stdio: ['pipe', 'pipe', 'pipe'] });
    t.teardown(() => void this.#child.kill('SIGKILL'));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    const lines = createInterface(this.#child.stdout);
    lines.on('line', (line) => {
      this.output += `${line}\n`;
      this.#lines.push(line);
      this.#waiting.shift()?.();
    });
    this.ended = once(this.#child, 'close').then(([code]) => {
      for (const wake of this.#waiting.splice(0)) wake();
      return code as number | null;
    });
  }

  /** The next line of stdout, as JSON. Throws with all output if the program ends before. */
  async line(): Promise<Record<string, unknown>> {
    if (this.#lines.length === 0) await new Promise<void>((wake) => this.#waiting.push(wake));
    const line = this.#lines.shift();
    if (line === undefined) throw new Error(`it ended:\n${this.output}`);
    return JSON.parse(line) as Record<string, unknown>;
  }

  /** Writes a line to its stdin. */
  say(text: string): void {
    this.#child.stdin.write(`${text}\n`);
  }

  /** Signals it. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
