import { callersFolder, givenPath } from '../command/folders.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, text, whole } from '../command/options.js';
import { Progress, QUIET_MS } from '../command/progress.js';
import { giveReport } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { programBot } from '../doctor/bot.js';
import { BotLine } from './bot-line.js';
import {
  handsOfFile,
  handsOfPlatform,
  NoHands,
  rejectionsOf,
  type RecordedHand,
  type RecordedRejection,
} from './recorded.js';
import { rethinkPage, rethinkReportOf, rethinkText } from './report.js';
import { rethink } from './run.js';
import { readFileSync } from 'node:fs';

const SECOND_MS = 1000;
/** Hands that "last" stands for. */
const LAST = 10_000;
const NAME = 'rethinking_bot';

const NOTES = `FILE is the JSON export of a bot's own hands (/api/me/hand-history/export?format=json), or a hand on each line.
"--hands last 10000" reads the last hands of the agent whose key API_KEY of the environment has,
from --url, and its latest rejections. The bot does not get that key.
--bot is a command, with BASE_URL, WS_URL, API_KEY and NAME in its environment, or a JavaScript module that exports
decide(hand). Without it the address and the key are printed, and a bot connects by itself.
The bot reads the frames of each hand over the real protocol, from a private server in this process. It is asked at each
decision that the record has, and the hand goes on as recorded, timeouts and rejections included.
Where it acts otherwise, the value function tells what the two actions are worth in big blinds. It knows the own cards only:
it leaves out what the bets of others tell. A raise counts as a call until somebody calls it.`;

/** A secret is no option: the list of processes shows those. */
const keyOfEnvironment = (): string => process.env['API_KEY'] ?? '';

function readOptions() {
  const { values, words } = command({
    name: 'npx agent-poker rethink',
    purpose: 'Asks a bot what it would do in hands that another played. Exit code 1: the bot did not go on to the end.',
    takes: 'some seconds for 1,000 decisions, as fast as the bot is',
    words: '[N]',
    options: {
      bot: text('the bot: a command, or the path of a module', '"CMD"'),
      hands: text('the record: a file, or "last" with a number behind it', 'FILE|last N'),
      mishaps: text('a file with the answer of GET /api/me/mishaps: its rejections come again', 'FILE'),
      url: text('the platform of the record, for "last"', 'URL'),
      clock: whole('seconds that the bot has for an answer', 10, { least: 1, most: 600 }),
      seat: whole('seconds that the bot has to take a seat', 30, { least: 1, most: 3600 }),
      json: flag('the report as JSON, with all differences'),
      html: text('the report as a page', 'FILE'),
    },
    check: ({ hands, url }) => {
      if (hands === undefined) throw new Misuse('--hands FILE is missing');
      if (hands !== 'last') return;
      if (url === undefined) throw new Misuse('--hands last needs --url');
      if (keyOfEnvironment() === '') throw new Misuse('--hands last needs API_KEY in the environment');
    },
    notes: NOTES,
  });
  return { ...values, count: words[0] === undefined ? LAST : Number(words[0]) };
}

type Options = ReturnType<typeof readOptions>;

async function record({
  hands,
  url = '',
  count,
  mishaps,
}: Options): Promise<{ hands: RecordedHand[]; rejections: RecordedRejection[] }> {
  const read =
    hands === 'last'
      ? await handsOfPlatform(url, keyOfEnvironment(), count)
      : { hands: handsOfFile(givenPath(hands!)).slice(-count), rejections: [] };
  if (read.hands.length === 0) throw new NoHands('the record has no hands');
  if (mishaps === undefined) return read;
  return { ...read, rejections: rejectionsOf(readFileSync(givenPath(mishaps), 'utf8')) };
}

async function main(): Promise<number> {
  const options = readOptions();
  const { bot, json, html, clock, seat } = options;
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  if (!Number.isSafeInteger(options.count) || options.count < 1) throw new NoHands('the number of hands is no number');
  const { hands, rejections } = await record(options);
  const line = await BotLine.listen(NAME);
  const environment = { BASE_URL: line.url, WS_URL: `${line.url.replace('http', 'ws')}/ws`, NAME, API_KEY: line.key };
  const program = bot === undefined ? null : programBot(bot, callersFolder())(environment);
  if (program === null) {
    for (const [name, value] of Object.entries(environment)) process.stderr.write(`${name}=${value}\n`);
  }
  const own = hands.reduce((sum, hand) => sum + hand.actions.filter((action) => action.seat === hand.seat).length, 0);
  const progress = new Progress(own, 'decisions', QUIET_MS);
  const result = await rethink({
    line,
    hands,
    rejections,
    answerMs: clock * SECOND_MS,
    seatMs: seat * SECOND_MS,
    signal: interrupted.signal,
    onDecisions: (done) => progress.show(done),
    ...(program !== null && { gone: program.ended.then(() => `the bot ended (${program.over ?? ''})`) }),
  });
  progress.clear();
  await program?.stop();
  await line.close();
  const report = rethinkReportOf(bot ?? 'the bot', result);
  giveReport({ text: () => rethinkText(report), data: () => report, page: () => rethinkPage(report) }, { json, html });
  if (result.ended === null) return 0;
  process.stderr.write(`It ended early: ${result.ended}.\n${program?.output() ?? ''}`);
  return interrupted.signal.aborted ? 130 : 1;
}

/** Exit code 2 where there are no hands: it is a fault of the call. */
async function mainOrNoHands(): Promise<number> {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof NoHands)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

await runToEnd(mainOrNoHands);
