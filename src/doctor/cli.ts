import { availableParallelism } from 'node:os';
import { callersFolder } from '../command/folders.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, text, whole } from '../command/options.js';
import { Progress } from '../command/progress.js';
import { giveReport } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { programBot } from './bot.js';
import type { Case } from './case.js';
import { allCases } from './cases/index.js';
import { examine, type CaseOutcome } from './examine.js';
import { htmlReport } from './report/html.js';
import { examData, examSummaryOf } from './report/summary.js';
import { outcomeLine, textReport } from './report/text.js';

const SECOND_MS = 1000;
const NOTES = `The shell runs CMD once a case, with BASE_URL, WS_URL, API_KEY and NAME in its environment. The server is private, in this
process. A path of a JavaScript module in place of CMD is a bot that exports decide(hand), or createStrategy(seed) which
returns one. A bot that thinks for longer than --clock needs a longer clock. docs/guides/doctor.md has more.`;

function readOptions() {
  const { values } = command({
    name: 'npx agent-poker doctor',
    purpose:
      'Examines a bot: cuts, takeovers, limits, rare situations of play, and what else bots die of. Exit code 1: a case\n' +
      'failed.',
    takes: 'about a minute for a bot that is sound, some minutes for one that is not',
    options: {
      bot: text('the bot program', '"CMD"'),
      only: text('cases with this text in their names', 'NAME'),
      list: flag('the cases, without a bot'),
      html: text('a report to be read or sent, one file', 'FILE'),
      json: text('a report for programs', 'FILE'),
      clock: whole('seconds that the bot has for a decision, where the case has no clock of its own', 5, { most: 120 }),
      patience: whole('seconds that the bot has for each expected step', 10, { least: 1, most: 600 }),
      parallel: whole('cases at a time', Math.max(4, 3 * availableParallelism()), { least: 1, most: 64 }),
    },
    check: ({ bot, only, list }) => {
      if (bot === undefined && !list) throw new Misuse('--bot "CMD" is missing');
      if (only !== undefined && chosen(only).length === 0)
        throw new Misuse(`no case has ${JSON.stringify(only)} in its name`);
    },
    notes: NOTES,
  });
  return values;
}

const chosen = (only: string | undefined): readonly Case[] =>
  allCases.filter(({ name }) => only === undefined || name.includes(only));

async function main(): Promise<number> {
  const options = readOptions();
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  try {
    if (options.list) return list(options.only);
    return await examination(options, interrupted.signal);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.stderr.write('Ended early. All processes have ended.\n');
    return 130;
  }
}

type Options = ReturnType<typeof readOptions>;

function list(only: string | undefined): number {
  for (const { name, done } of chosen(only)) process.stdout.write(`${name.padEnd(34)} ${done}\n`);
  return 0;
}

async function examination(options: Options, signal: AbortSignal): Promise<number> {
  const { bot = '', only, html, json, clock, patience, parallel } = options;
  const cases = chosen(only);
  const progress = new Progress(cases.length, 'cases');
  const settings = {
    start: programBot(bot, callersFolder()),
    parallel,
    signal,
    patienceMs: patience * SECOND_MS,
    clockMs: clock * SECOND_MS,
    onOutcome: (outcome: CaseOutcome, done: number) => {
      if (outcome.verdict !== 'passed') progress.note(outcomeLine(outcome));
      progress.show(done);
    },
  };
  const outcomes = await examineInOrder(cases, settings);
  progress.clear();
  const forms = {
    text: () => `\n${textReport(outcomes)}`,
    data: () => examData(bot, outcomes),
    page: () => htmlReport(bot, outcomes),
  };
  giveReport(forms, { json, html });
  if (outcomes.length < cases.length)
    process.stdout.write(
      `It does not play at all, so the other ${cases.length - outcomes.length} cases were left out.\n`,
    );
  return examSummaryOf(outcomes).sound ? 0 : 1;
}

/** A bot that fails the first of all cases does not play at all: the others would say the same. */
async function examineInOrder(
  cases: readonly Case[],
  settings: Omit<Parameters<typeof examine>[0], 'cases'>,
): Promise<CaseOutcome[]> {
  const [first, ...others] = cases;
  if (first !== allCases[0] || first === undefined) return examine({ ...settings, cases });
  const plays = await examine({ ...settings, cases: [first] });
  if (plays[0]!.verdict === 'failed') return plays;
  const { onOutcome } = settings;
  const counted = {
    ...settings,
    ...(onOutcome && { onOutcome: (o: CaseOutcome, done: number) => onOutcome(o, done + 1) }),
  };
  return [...plays, ...(await examine({ ...counted, cases: others }))];
}

await runToEnd(main);
