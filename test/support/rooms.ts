import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Parser, type Result } from 'tap-parser';
import { AFTER_FILE } from './room-scope.js';

/** The result of one test file. Assertions are counted, not tests. */
export interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: string[];
  /** Its figures: comments that begin with `figure:`. */
  figures: string[];
  /** One text for each failure. */
  report: string[];
  ms: number;
  /** Processor time of its process and of all processes that the file waited for, without the database's. */
  cpuMs: number;
}

export interface RoomOptions {
  /** Environment of the process. */
  env: Readonly<Record<string, string>>;
  /** The limit of a file in seconds. */
  limit(file: string): number;
  /** Called for each file as soon as it is over. */
  onFile(result: FileResult): void;
}

const ROOM = fileURLToPath(new URL('./room.js', import.meta.url));
const NO_DOMAINS = new URL('./no-domains.js', import.meta.url).href;
/** The most characters of a failed process's output. */
const TEXT = 8000;
/** tap's own limit, in seconds. It is above all of ours, because the runner knows the limit of each file. */
const TAP_TIMEOUT = 100_000;
/** The time for work that the last file has left running. */
const END_SECONDS = 60;

/**
 * Runs these files in one process. A file that ends the process or hangs fails, and those behind it run in another
 * process.
 */
export async function runRoom(files: readonly string[], options: RoomOptions): Promise<void> {
  for (let rest = files; rest.length > 0;) rest = rest.slice(await new RoomProcess(rest, options).done);
}

class RoomProcess {
  /** Resolves to the number of files that are over. */
  readonly done: Promise<number>;
  #index = -1;
  #began = 0;
  #errors = '';
  #current: FileResult | null = null;
  #late: NodeJS.Timeout | undefined;
  #hung = false;
  #failures = 0;

  constructor(
    private readonly files: readonly string[],
    private readonly options: RoomOptions,
  ) {
    const child = spawn(process.execPath, ['--enable-source-maps', '--import', NO_DOMAINS, ROOM], {
      // Not as arguments: tap would make too long names of fixtures of them.
      env: { ...process.env, ...options.env, ROOM_FILES: JSON.stringify(files), TAP_TIMEOUT: String(TAP_TIMEOUT) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => {
      this.#hung = true;
      child.kill('SIGKILL');
    };
    const watchClock = (seconds: number) => {
      clearTimeout(this.#late);
      this.#late = setTimeout(kill, seconds * 1000);
    };
    const parser = new Parser();
    this.#watch(parser, watchClock);
    child.stdout.pipe(parser);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
    const parsed = new Promise<void>((resolve) => parser.once('complete', () => resolve()));
    const closed = new Promise<string>((resolve) => {
      child.once('close', (code, signal) => resolve(String(signal ?? code)));
    });
    this.done = Promise.all([closed, parsed]).then(([ending]) => {
      clearTimeout(this.#late);
      return this.#end(ending);
    });
  }

  /** Leaf assertions only: a subtest is counted through its children, unless it has none (skipped, or empty). */
  #watch(parser: Parser, watchClock: ((seconds: number) => void) | null): void {
    const children = new Set<string>();
    parser.on('child', (child: Parser) => {
      children.add(child.name);
      this.#watch(child, null);
    });
    parser.on('comment', (comment: string) => {
      const [, mark, text = ''] = /^#\s*(file|took|figure): (.*)/.exec(comment) ?? [];
      if (mark === 'figure') this.#current?.figures.push(text);
      if (watchClock === null) return;
      if (mark === 'file') {
        this.#begin(text);
        watchClock(this.options.limit(text));
      } else if (mark === 'took') {
        this.#finish(Number(text));
        watchClock(END_SECONDS);
      }
    });
    // A failure with characters that TAP does not allow comes as text.
    parser.on('extra', (text: string) => {
      const report = this.#current?.report ?? [];
      if (report.length > 0 && text.trim() !== '') report.push(text.trimEnd());
    });
    parser.on('assert', (assert: Result & { fullname?: string }) => {
      if (assert.ok && (assert.name === AFTER_FILE || (!assert.skip && children.has(assert.name)))) return;
      this.#count(assert);
    });
  }

  #count(assert: Result & { fullname?: string }): void {
    const result = this.#current;
    if (result === null) return;
    if (assert.skip) result.skipped.push(`${result.file}: ${assert.name}`);
    else if (assert.ok) result.passed++;
    else {
      result.failed++;
      result.report.push(`not ok - ${assert.fullname ?? assert.name}\n${told(assert.diag)}`);
    }
  }

  #begin(file: string): void {
    this.#index = this.files.indexOf(file);
    this.#began = performance.now();
    this.#errors = '';
    this.#current = { file, passed: 0, failed: 0, skipped: [], figures: [], report: [], ms: 0, cpuMs: 0 };
  }

  #finish(cpuMs: number): void {
    const result = this.#current;
    if (result === null) return;
    this.#current = null;
    this.#failures += result.failed;
    const ms = performance.now() - this.#began;
    if (result.failed > 0 && this.#errors !== '') result.report.push(this.#errors.slice(-TEXT));
    this.options.onFile({ ...result, ms, cpuMs });
  }

  /** The process has ended. A file that was not over failed. Returns how many files are over. */
  #end(ending: string): number {
    if (this.#index === -1) this.#begin(this.files[0]!);
    const file = this.files[this.#index]!;
    const isLast = this.#index === this.files.length - 1;
    // A failed test makes the code of the process 1.
    const isWell = !this.#hung && (ending === '0' || this.#failures > 0);
    if (this.#current === null && isLast && isWell) return this.files.length;
    const why = this.#hung ? 'hung, or left something running, and was ended' : `ended the process with ${ending}`;
    if (this.#current === null) this.#begin(file);
    this.#current!.failed++;
    this.#current!.report.push(`${file} ${why}\n${this.#errors.slice(-TEXT)}`);
    this.#finish(0);
    return this.#index + 1;
  }
}

/** The text of a failed assertion: the difference and its place. */
function told(diag: Result['diag']): string {
  const { diff, at, ...rest } = (diag ?? {}) as Record<string, unknown>;
  // The stack has the place of an error. A failed comparison has `at`, and its source is in the repository.
  const { stack, ...others } = rest;
  delete others['source'];
  const where = at ?? stack;
  const more = [...(where === undefined ? [] : [{ at: where }]), ...(Object.keys(others).length > 0 ? [others] : [])];
  return [...(typeof diff === 'string' ? [diff.trimEnd()] : []), ...more.map((part) => JSON.stringify(part))].join(
    '\n',
  );
}
