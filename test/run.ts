/**
 * Runs the suite: every *.test.js below dist/test (or those whose path contains an argument), the longest first, a few
 * at a time, each in its own process, then the check that all of the protocol was seen. Prints failures as they come,
 * and once more together, shortened, before the last line: `N passed, N failed`, counted in assertions. Skipped tests
 * are named.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser, type Result } from 'tap-parser';
import { command } from '../src/command/options.js';
import { cpuOfEnded } from './support/cpu.js';
import { shareCluster, stopCluster } from './support/database.js';
import { Durations } from './support/durations.js';
import { ownTemporaryFolder, preferMemory } from './support/temporary.js';

interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: string[];
  /** What it measured: comments that begin with `figure:`. */
  figures: string[];
  /** A text for each failure. */
  report: string[];
  ms: number;
  /** What it used of processors, with all processes that it has waited for; not what the database did for it. */
  cpuMs: number;
}

/** Lines of one failure, and failures of one file, in what is printed again at the end. */
const [LINES, FAILURES] = [30, 12];
/** So many files start a database server of their own each, where they need one. */
const FEW = 4;

const here = fileURLToPath(new URL('./', import.meta.url));
const noDomains = new URL('./support/no-domains.js', import.meta.url).href;
const { words: wanted } = command({
  name: 'npm test',
  purpose: 'Runs the suite, or the files whose paths contain one of the words. Exit code 1: a test failed.',
  takes: '10 minutes on a fast machine, 25 to 40 on a slow one; with SUITE=full, which runs long proofs whole, hours',
  options: {},
  words: '[WORD…]',
});
const durations = Durations.read();
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
  .sort((a, b) => durations.of(b) - durations.of(a) || a.localeCompare(b));
if (files.length === 0) {
  console.error(`no test file has ${wanted.join(' or ')} in its path`);
  process.exit(2);
}
/** Two more than there are cores, as many wait more than they work. */
const LANES = Math.min(6, availableParallelism() + 2);
preferMemory();
const folder = ownTemporaryFolder('suite');
const seenDir = mkdtempSync(join(folder, 'seen-'));

/** Runs one test file and counts its assertions; a crash, a time-out or an unfinished plan counts as one failure. */
function runFile(file: string): Promise<FileResult> {
  return new Promise((resolve) => {
    const started = performance.now();
    const result: FileResult = { file, passed: 0, failed: 0, skipped: [], figures: [], report: [], ms: 0, cpuMs: 0 };
    const { report } = result;
    const limitSeconds = durations.limit(file);
    const child = spawn(process.execPath, ['--enable-source-maps', '--import', noDomains, join(here, file)], {
      // A slow machine is no failure: only the limit on the whole file counts.
      env: { ...process.env, SEEN_DIR: seenDir, TAP_TIMEOUT: String(limitSeconds) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const onAssert = (assert: Result & { fullname?: string }) => {
      if (assert.skip) result.skipped.push(`${file}: ${assert.name}`);
      else if (assert.ok) result.passed++;
      else {
        result.failed++;
        report.push(`not ok - ${assert.fullname ?? assert.name}\n${told(assert.diag)}`);
      }
    };
    const parser = new Parser((final) => {
      if (!final.ok && result.failed === 0) {
        result.failed++;
        report.push(`${file}: ${final.bailout ? `bail out: ${String(final.bailout)}` : 'plan not met'}`);
      }
    });
    const onComment = (comment: string) => {
      const [, figure] = /^#\s*figure: (.*)/.exec(comment) ?? [];
      if (figure !== undefined) result.figures.push(figure);
    };
    // What a failure says may hold characters that its own format does not allow: then it comes as text.
    const onExtra = (text: string) => {
      if (report.length > 0 && text.trim() !== '') report.push(text.trimEnd());
    };
    watch(parser, { onAssert, onComment, onExtra });
    child.stdout.pipe(parser);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    // The file itself tells what hangs; this is for one that cannot.
    const limit = setTimeout(() => child.kill('SIGKILL'), (limitSeconds + 60) * 1000);
    // Files that end at the same moment are counted as one of them.
    child.on('exit', () => {
      const ended = cpuOfEnded();
      result.cpuMs = ended - counted;
      counted = ended;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      result.ms = performance.now() - started;
      if (code !== 0 && result.failed === 0) {
        result.failed++;
        report.push(`${file} ended with ${signal ?? code}`);
      }
      if (result.failed === 0) durations.note(file, result.ms);
      const mark = result.failed === 0 ? 'ok    ' : 'FAILED';
      const took = `${seconds(result.ms)}, cpu ${seconds(result.cpuMs)}`;
      console.log(`${mark} ${file.padEnd(36)} ${result.passed} passed in ${took}`);
      for (const figure of result.figures) console.log(`       ${figure}`);
      if (result.failed > 0) console.log([...report, errors.slice(-8000)].join('\n').replace(/^/gm, '    '));
      resolve(result);
    });
  });
}

/** Leaf assertions only: a subtest is counted through its children, unless it has none (skipped, or empty). */
function watch(parser: Parser, listeners: Listeners): void {
  const children = new Set<string>();
  parser.on('child', (child: Parser) => {
    children.add(child.name);
    watch(child, listeners);
  });
  parser.on('comment', listeners.onComment);
  parser.on('extra', listeners.onExtra);
  parser.on('assert', (assert: Result) => {
    if (!assert.ok || assert.skip || !children.has(assert.name)) listeners.onAssert(assert);
  });
}

interface Listeners {
  onAssert(assert: Result): void;
  onComment(comment: string): void;
  onExtra(text: string): void;
}

/** What a failed assertion says: what differs, and where it stands. */
function told(diag: Result['diag']): string {
  const { diff, at, ...rest } = (diag ?? {}) as Record<string, unknown>;
  // Where an error was thrown stands in its stack; a failed comparison has `at`, and its source is in the repository.
  const { stack, ...others } = rest;
  delete others['source'];
  const where = at ?? stack;
  const more = [...(where === undefined ? [] : [{ at: where }]), ...(Object.keys(others).length > 0 ? [others] : [])];
  return [...(typeof diff === 'string' ? [diff.trimEnd()] : []), ...more.map((part) => JSON.stringify(part))].join(
    '\n',
  );
}

/** The failures again, each in few lines: who reads the end of a long output learns what to look for. */
function printFailures(results: readonly FileResult[]): void {
  for (const { file, report } of results.filter(({ failed }) => failed > 0)) {
    console.log(`FAILED ${file}`);
    for (const text of report.slice(0, FAILURES)) {
      const lines = text.split('\n');
      console.log([...lines.slice(0, LINES), ...(lines.length > LINES ? ['…'] : [])].join('\n').replace(/^/gm, '    '));
    }
    if (report.length > FAILURES) console.log(`    and ${report.length - FAILURES} more`);
  }
}

async function runAll(): Promise<FileResult[]> {
  const queue = [...files];
  const results: FileResult[] = [];
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) results.push(await runFile(file));
  };
  await Promise.all(Array.from({ length: LANES }, worker));
  return results;
}

/** The last test of a full run: was every message, field, code and status of the protocol seen at least once? */
function protocolSeen(): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(here, 'support/coverage.js')], {
      env: { ...process.env, SEEN_DIR: seenDir },
      stdio: 'inherit',
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const began = performance.now();
if (files.length > FEW) await shareCluster();
let counted = cpuOfEnded();
const results = await runAll();
await stopCluster();
const seen = wanted.length === 0 ? await protocolSeen() : true;
durations.write();
printFailures(results);
for (const name of results.flatMap((result) => result.skipped)) console.log(`skipped: ${name}`);
const sum = (pick: (result: FileResult) => number) => results.reduce((total, result) => total + pick(result), 0);
const passed = sum((result) => result.passed) + (seen && wanted.length === 0 ? 1 : 0);
const failed = sum((result) => result.failed) + (seen ? 0 : 1);
const skipped = sum((result) => result.skipped.length);
const minutes = (ms: number) => `${(ms / 60_000).toFixed(1)} minutes`;
console.log(`${results.length} files in ${minutes(performance.now() - began)}, cpu ${minutes(cpuOfEnded())}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
