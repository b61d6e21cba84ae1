import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { STRATEGY_NAMES } from '../bots/index.js';
import { callersFolder, givenPath } from '../command/folders.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, seed, text, texts, whole } from '../command/options.js';
import { Progress, QUIET_MS } from '../command/progress.js';
import { giveReport, matchPage, matchText } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { MAX_SEATS } from '../holdem/types.js';
import { playEnvironment } from './env.js';
import { LINE_LIMITS, LINE_TABLES, playSelfplay } from './match.js';
import { entrantsOf, isStyle, type SelfplayEntrant } from './minds.js';
import { selfplayReportOf, selfplayTable } from './report.js';
import { BotEnded } from './stdio/bot.js';
import { BIG_BLIND } from '../memory/memory-table.js';

const NOTES = `Bots of --bots: ${STRATEGY_NAMES.join(', ')},
and paths of JavaScript modules that export decide(hand), or createStrategy(seed) which returns one; each thread loads
them. hand and answer are those of the kit (docs/guides/kits.md), so that the same decide plays on the platform; a promise of an
answer is slower. A choice that is not allowed is counted, and played as a check or a fold.
A --bot may also be a command in any language, which speaks JSON lines on stdin and stdout (docs/guides/training.md); each
thread starts it once. "-" is the program that started this one. Exit code 2: such a bot ended.
Everybody begins every hand with the same stack. Each deal is played once from every seat, so that cards even out; the
interval holds the true rate 95 times in 100. Played in memory: no server, no clock, no network.`;

function readOptions() {
  const { values } = command({
    name: 'npx agent-poker selfplay',
    purpose: 'Bots against each other in memory, as fast as they think: for those who train. Exit code 1: one\nfailed.',
    takes: 'a second for some 10,000 to 500,000 hands, as fast as the bots are',
    options: {
      bots: text(`2 to ${MAX_SEATS} bots with commas between them (default ${STRATEGY_NAMES.join()})`, 'A,B…'),
      bot: texts('one bot more, also a command; without --bots, those of the house fill the seats', 'BOT'),
      tables: whole('tables of a thread that a command is asked for in one line', LINE_TABLES, {
        least: 1,
        most: 4096,
      }),
      'line-ms': whole('ms that a command has for a line, before it checks or folds', LINE_LIMITS.lineMs, { least: 1 }),
      env: whole(`instead: an environment of so many agents on stdin and stdout, with --bots beside them`, undefined, {
        least: 1,
        most: MAX_SEATS,
      }),
      hands: whole('hands to play, rounded up to whole deals', 20_000, { least: 1 }),
      stack: whole('big blinds that everybody begins each hand with', 100, { least: 1, most: 100_000 }),
      independent: flag('every hand a deal of its own: no duplicates'),
      seed: seed('repeats a match of bots that have no other dice', 1),
      threads: whole('threads', availableParallelism(), { least: 1, most: 256 }),
      json: flag('the report as JSON'),
      html: text('the report as a page', 'FILE'),
    },
    check: (values) => void entrantsIn(values),
    notes: NOTES,
  });
  return { ...values, entrants: entrantsIn(values) };
}

interface AskedBots {
  bots: string | undefined;
  bot: readonly string[];
  env: number | undefined;
}

function entrantsIn({ bots, bot, env }: AskedBots): SelfplayEntrant[] {
  const beside = env === undefined ? STRATEGY_NAMES.slice(0, Math.max(0, MAX_SEATS - bot.length)).join() : '';
  const entrants = entrantsOf(bots ?? beside, givenPath, bot);
  const players = entrants.length + (env ?? 0);
  if (players < 2 || players > MAX_SEATS) {
    throw new Misuse(`--bots must name 2 to ${MAX_SEATS}, and names ${players}`);
  }
  if (entrants.filter(({ source }) => source === '-').length > 1) throw new Misuse('--bot may be "-" once');
  if (env !== undefined && entrants.some(({ isCommand }) => isCommand)) {
    throw new Misuse('--env plays beside bots of the house and modules, not beside commands');
  }
  const absent = entrants.find(({ source, isCommand }) => !isCommand && !isStyle(source) && !existsSync(source));
  if (absent === undefined) return entrants;
  throw new Misuse(`--bots names neither a bot of the house nor a module: ${absent.source} is not there`);
}

async function main(): Promise<number> {
  const { entrants, hands, stack, independent, seed, threads, json, html, env, tables, ...values } = readOptions();
  if (env !== undefined) return playEnvironment({ agents: env, entrants, stack: stack * BIG_BLIND, seed });
  const isLine = entrants.some(({ source }) => source === '-');
  const duplicate = !independent;
  const deals = Math.ceil(hands / (duplicate ? entrants.length : 1));
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const progress = new Progress(hands, 'hands', QUIET_MS);
  const limits = { ...LINE_LIMITS, lineMs: values['line-ms'] };
  const options = {
    entrants,
    deals,
    duplicate,
    seed,
    stack: stack * BIG_BLIND,
    threads,
    tables,
    folder: callersFolder(),
    limits,
  };
  const result = await playSelfplay(options, (played) => progress.show(played), interrupted.signal);
  progress.clear();
  if (result.hands === 0) return 130;
  const report = selfplayReportOf(entrants, result, { seed, duplicate, stack: options.stack });
  const table = selfplayTable(report);
  const forms = {
    // The program at the other end of the pipe reads lines.
    text: () => (isLine ? JSON.stringify({ report }) : matchText(table)),
    data: () => report,
    page: () => matchPage('Selfplay', table),
  };
  giveReport(forms, { json: json && !isLine, html });
  return result.ended ? 130 : 0;
}

/** Exit code 2 where a command ends: it is a fault of the call or of the bot, which its own stderr tells. */
async function mainOrEnded(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof BotEnded)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

await runToEnd(mainOrEnded);
