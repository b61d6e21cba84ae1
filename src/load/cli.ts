import { closeSync, openSync, readFileSync } from 'node:fs';
import { onInterrupt } from '../command/interrupt.js';
import { Misuse } from '../command/options.js';
import { giveReport } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { reportPage } from './html.js';
import { newKeysFile, readKeys, registerAgents } from './keys.js';
import { scrape } from './metrics.js';
import { readCommand, type LoadCommand, type MergeCommand } from './options.js';
import { isGood, mergeMeasured, loadReportOf, type LoadReport, type Measured, type Moment } from './report.js';
import { runLoad } from './run.js';
import { number, loadReportText } from './text.js';

/** Without a terminal a line now and then is enough. */
const LINE_EVERY_MS = 5000;

/** The line that tells how the run goes; on a terminal it is always the same one. */
class ProgressLine {
  #saidAt = -Infinity;
  #phase = '';

  /** The begin of a phase is told at once. */
  say(phase: string, text: string): void {
    const now = performance.now();
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
    else if (phase !== this.#phase || now - this.#saidAt >= LINE_EVERY_MS) {
      [this.#phase, this.#saidAt] = [phase, now];
      process.stderr.write(`${text}\n`);
    }
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

function momentText(wanted: number, { at, up, handsPerSecond, p50, p99, errors }: Moment, phase: string): string {
  const acks = p50 === null || p99 === null ? 'no acks' : `acks p50 ${number(p50)} ms, p99 ${number(p99)} ms`;
  return `${Math.round(at)} s ${phase}: ${up} of ${wanted} bots, ${number(handsPerSecond)} hands/s, ${acks}, ${errors} errors`;
}

/** The bots of this part: their number among all, and how many they are. */
function shareOf({ bots, part }: LoadCommand): { first: number; wanted: number } {
  const end = (n: number) => Math.floor((bots * n) / part.of);
  const first = end(part.number - 1);
  return { first, wanted: end(part.number) - first };
}

/** Keys from a file, or of agents that are registered for this run; fewer where `abort` comes before. */
async function keysFor(
  { url, keys, saveKeys, bots }: LoadCommand,
  { first, wanted }: { first: number; wanted: number },
  line: ProgressLine,
  abort: AbortSignal,
): Promise<string[]> {
  if (keys !== null) {
    const all = readKeys(keys);
    if (all.length < bots) throw new Misuse(`${keys} has ${all.length} keys for ${bots} bots`);
    return all.slice(first, first + wanted);
  }
  const save = saveKeys === null ? () => undefined : newKeysFile(saveKeys);
  let done = 0;
  return registerAgents({
    url: url.replace(/\/+$/, ''),
    name: `load_${Date.now().toString(36)}${process.pid.toString(36)}`,
    first,
    abort,
    count: wanted,
    onKey: (key) => {
      save(key);
      line.say('registering', `${++done} of ${wanted} agents registered`);
    },
    onWait: (ms) => line.say('waiting', `${done} of ${wanted} agents are registered; the server accepts the next in ${Math.ceil(ms / 1000)} s (--keys FILE needs no registration)`), // prettier-ignore
  });
}

async function play(asked: LoadCommand, line: ProgressLine, abort: AbortSignal): Promise<Measured> {
  const { url, target, part, pace, metrics, bots } = asked;
  const key = process.env['ADMIN_KEY'] ?? null;
  // Better now than when all is over.
  if (metrics !== null) await scrape(metrics, key);
  const share = shareOf(asked);
  if (share.wanted === 0) throw new Misuse(`--part ${part.number}/${part.of} of ${bots} bots has no bots`);
  const apiKeys = await keysFor(asked, share, line, abort);
  const options = {
    url,
    target,
    apiKeys,
    part,
    ...share,
    registered: asked.keys === null ? apiKeys.length : 0,
    pace: pace === null ? null : (pace * share.wanted) / bots,
    paceOfAll: pace,
    thinkMs: asked.thinkMs,
    leanPercent: asked.leanPercent,
    inOrder: asked.inOrder,
    processes: asked.processes,
    rampSeconds: asked.rampSeconds,
    warmUpSeconds: asked.warmUpSeconds,
    seconds: asked.seconds,
    metrics: metrics === null ? null : { url: metrics, key },
  };
  const moment = (each: Moment, phase: string) => line.say(phase, momentText(share.wanted, each, phase));
  return runLoad(options, { moment }, abort);
}

/** The reports of parts, put together. Throws Misuse. */
function merged({ files }: MergeCommand): Measured {
  try {
    return mergeMeasured(files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as LoadReport));
  } catch (error) {
    throw new Misuse(`cannot put these reports together: ${(error as Error).message}`);
  }
}

/** Throws Misuse where it could not be written in the end. */
function checkWritable(file: string | null): void {
  if (file === null) return;
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new Misuse(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function main(): Promise<number> {
  const asked = readCommand();
  checkWritable(asked.json);
  checkWritable(asked.html);
  const abort = new AbortController();
  onInterrupt(() => abort.abort());
  const line = new ProgressLine();
  const measured = 'files' in asked ? merged(asked) : await play(asked, line, abort.signal);
  line.clear();
  const report = loadReportOf(measured, asked.slos);
  giveReport({ text: () => loadReportText(report), data: () => report, page: () => reportPage(report) }, asked);
  return abort.signal.aborted ? 130 : isGood(report) ? 0 : 1;
}

await runToEnd(main, (error) => {
  const misused = error instanceof Misuse;
  const { message } = error as Error;
  process.stderr.write(misused ? `${message} (npx agent-poker load --help tells the options)\n` : `${message}\n`);
  return misused ? 2 : 1;
});
