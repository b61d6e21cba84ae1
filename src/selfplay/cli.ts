import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { STRATEGY_NAMES } from '../bots/index.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, seed, text, whole } from '../command/options.js';
import { Progress, QUIET_MS } from '../command/progress.js';
import { matchPage, matchText } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { MAX_SEATS } from '../holdem/types.js';
import { playSelfplay } from './match.js';
import { entrantsOf, isStyle, type SelfplayEntrant } from './minds.js';
import { selfplayReportOf, selfplayTable } from './report.js';
import { BIG_BLIND } from './stretch.js';

const NOTES = `Bots: ${STRATEGY_NAMES.join(', ')},
and paths of JavaScript modules that export decide(hand), or createStrategy(seed) which returns one; each thread loads
them. hand and answer are those of the kit (docs/KITS.md), so that the same decide plays on the platform; a promise of an
answer is slower. A choice that is not allowed is counted, and played as a check or a fold.
Everybody begins every hand with the same stack. Each deal is played once from every seat, so that cards even out; the
interval holds the true rate 95 times in 100. Played in memory: no server, no clock, no network.`;

function readOptions() {
  const { values } = command({
    name: 'npx agent-poker selfplay',
    purpose: 'Bots against each other in memory, as fast as they think: for those who train. Exit code 1: one failed.',
    takes: 'a second for some 10,000 to 500,000 hands, as fast as the bots are',
    options: {
      bots: text(`2 to ${MAX_SEATS} bots with commas between them (default ${STRATEGY_NAMES.join()})`, 'A,B…'),
      hands: whole('hands to play, rounded up to whole deals', 20_000, { least: 1 }),
      stack: whole('big blinds that everybody begins each hand with', 100, { least: 1, most: 100_000 }),
      independent: flag('every hand a deal of its own: no duplicates'),
      seed: seed('repeats a match of bots that have no other dice', 1),
      threads: whole('threads', availableParallelism(), { least: 1, most: 256 }),
      json: flag('the report as JSON'),
      html: text('the report as a page', 'FILE'),
    },
    check: ({ bots }) => void entrantsIn(bots),
    notes: NOTES,
  });
  return { ...values, entrants: entrantsIn(values.bots) };
}

/** The folder that the command was given in; under npm the process has another one. */
const folder = process.env['INIT_CWD'] ?? process.cwd();

function entrantsIn(bots: string | undefined): SelfplayEntrant[] {
  const entrants = entrantsOf(bots ?? STRATEGY_NAMES.join(), (path) => resolve(folder, path));
  if (entrants.length < 2 || entrants.length > MAX_SEATS) {
    throw new Misuse(`--bots must name 2 to ${MAX_SEATS}, and names ${entrants.length}`);
  }
  const absent = entrants.find(({ source }) => !isStyle(source) && !existsSync(source));
  if (absent === undefined) return entrants;
  throw new Misuse(`--bots names neither a bot of the house nor a module: ${absent.source} is not there`);
}

async function main(): Promise<number> {
  const { entrants, hands, stack, independent, seed, threads, json, html } = readOptions();
  const duplicate = !independent;
  const deals = Math.ceil(hands / (duplicate ? entrants.length : 1));
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const progress = new Progress(hands, 'hands', QUIET_MS);
  const options = { entrants, deals, duplicate, seed, stack: stack * BIG_BLIND, threads };
  const result = await playSelfplay(options, (played) => progress.show(played), interrupted.signal);
  progress.clear();
  if (result.hands === 0) return 130;
  const report = selfplayReportOf(entrants, result, { seed, duplicate });
  const table = selfplayTable(report);
  if (html !== undefined) writeFileSync(resolve(folder, html), matchPage('Selfplay', table));
  process.stdout.write(`${json ? JSON.stringify(report, null, 2) : matchText(table)}\n`);
  return result.ended ? 130 : 0;
}

await runToEnd(main);
