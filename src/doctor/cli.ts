import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, text, whole } from '../command/options.js';
import { Progress } from '../command/progress.js';
import { runToEnd } from '../command/result.js';
import { programBot } from './bot.js';
import type { Case } from './case.js';
import { allCases } from './cases/index.js';
import { examine, type CaseOutcome } from './examine.js';
import { DEFECTS } from './proof/defects.js';
import { faultyBot } from './proof/faulty-bot.js';
import { prove, type SoundBot } from './proof/prove.js';
import { proofIsWhole, proofText } from './proof/text.js';
import { htmlReport } from './report/html.js';
import { jsonReport } from './report/json.js';
import { examSummaryOf } from './report/summary.js';
import { outcomeLine, textReport } from './report/text.js';

const SECOND_MS = 1000;
/** Of a bot in the proof no more findings are named while it runs. */
const SHOWN = 8;

/** The bots of this repository, as its root calls them; those that are there. */
const SOUND: readonly [file: string, command: string][] = [
  ['examples/bot.ts', 'node dist/examples/bot.js'],
  ['examples/bot.py', 'python3 examples/bot.py'],
  ['examples/kit-bot.ts', 'node dist/examples/kit-bot.js'],
  ['examples/kit_bot.py', 'python3 examples/kit_bot.py'],
  ['examples/kit-bot.ts with LEAN=on', 'LEAN=on node dist/examples/kit-bot.js'],
];

const NOTES = `CMD is run by the shell, once a case, with BASE_URL, WS_URL, API_KEY and NAME in its environment, against a private
server in this process; nothing else is touched. A bot that thinks for longer than --clock needs a longer one.
docs/DOCTOR.md tells more.`;

function readOptions() {
  const { values } = command({
    name: 'npx agent-poker doctor',
    purpose:
      'Examines a bot: cuts, takeovers, limits, rare situations of play, and what else bots die of. Exit code 1: a case\n' +
      'failed.',
    takes: 'about a minute for a bot that is sound, some minutes for one that is not; --prove ten to twenty minutes',
    options: {
      bot: text('the bot program', '"CMD"'),
      only: text('cases whose name contains it', 'NAME'),
      list: flag('the cases, without a bot'),
      html: text('a report to be read or sent, one file', 'FILE'),
      json: text('a report for programs', 'FILE'),
      clock: whole('seconds that the bot has for a decision, where the case has no clock of its own', 5, { most: 120 }),
      patience: whole('seconds that the bot may take to do what it is to do', 10, { least: 1, most: 600 }),
      parallel: whole('cases at a time', Math.max(4, 3 * availableParallelism()), { least: 1, most: 64 }),
      prove: flag('examines bots with known defects and the sound ones of this repository instead'),
    },
    check: ({ bot, only, list, prove: proving }) => {
      if (bot === undefined && !list && !proving) throw new Misuse('--bot "CMD" is missing');
      if (only !== undefined && chosen(only).length === 0)
        throw new Misuse(`no case has ${JSON.stringify(only)} in its name`);
    },
    notes: NOTES,
  });
  return values;
}

const chosen = (only: string | undefined): readonly Case[] =>
  allCases.filter(({ name }) => only === undefined || name.includes(only));

/** Under npm the folder that the command was given in. */
const folder = () => process.env['INIT_CWD'] ?? process.cwd();

async function main(): Promise<number> {
  const options = readOptions();
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  try {
    if (options.list) return list(options.only);
    return await (options.prove ? proof(options, interrupted.signal) : examination(options, interrupted.signal));
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.stderr.write('Ended before its time; nothing is left running.\n');
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
    ...{ start: programBot(bot, folder()), parallel, signal },
    ...{ patienceMs: patience * SECOND_MS, clockMs: clock * SECOND_MS },
    onOutcome: (outcome: CaseOutcome, done: number) => {
      if (outcome.verdict !== 'passed') progress.note(outcomeLine(outcome));
      progress.show(done);
    },
  };
  const outcomes = await examineInOrder(cases, settings);
  progress.clear();
  if (html !== undefined) writeFileSync(resolve(folder(), html), htmlReport(bot, outcomes));
  if (json !== undefined) writeFileSync(resolve(folder(), json), jsonReport(bot, outcomes));
  process.stdout.write(`\n${textReport(outcomes)}\n`);
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

async function proof(options: Options, signal: AbortSignal): Promise<number> {
  const cases = chosen(options.only);
  const programs = SOUND.filter(([file]) => existsSync(file.split(' ')[0]!)).map(([file, cmd]): SoundBot => ({
    name: file,
    start: programBot(cmd, process.cwd()),
  }));
  const sound: SoundBot[] = [
    { name: 'the faulty bot without a fault', start: faultyBot(null) },
    { name: 'the same with lean frames', start: faultyBot(null, 'lean') },
    { name: 'the same without a WebSocket library', start: faultyBot(null, 'by hand') },
    { name: 'the same, which speaks before its welcome', start: faultyBot(null, 'early') },
    ...programs,
  ];
  const progress = new Progress(sound.length + Object.keys(DEFECTS).length, 'bots');
  const onBot = (name: string, by: readonly string[], done: number) => {
    progress.note(`${name}: ${by.length} findings${by.length > 0 && by.length <= SHOWN ? `: ${by.join('; ')}` : ''}`);
    progress.show(done);
  };
  const result = await prove({ cases, sound, signal, onBot });
  progress.clear();
  process.stdout.write(`\n${proofText(result, cases)}\n`);
  return proofIsWhole(result) ? 0 : 1;
}

await runToEnd(main);
