import { availableParallelism } from 'node:os';
import { callersFolder } from '../command/folders.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, flag, Misuse, text, texts, whole } from '../command/options.js';
import { Progress } from '../command/progress.js';
import { giveReport, matchPage, matchText } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { playArena, type ArenaOptions } from './match.js';
import { arenaReportOf, arenaTable } from './report.js';

const NOTES = `The shell runs CMD with BASE_URL, WS_URL, API_KEY and NAME in its environment. Built-in bots take the other seats.
A path of a JavaScript module in its place is a bot that exports decide(hand), or createStrategy(seed) which returns one.
The cards are always shuffled securely. Settings of npm start in the environment (such as ACTION_PROTOCOL,
BOARD_EVENTS, ACTION_TIMEOUT_MS) hold, too. Chips are net of rebuys. bb/100 has the interval that holds the true
rate 95 times in 100. "ack" is the time from action to action_ack.`;

function readOptions(): ArenaOptions & { json: boolean; html: string | undefined } {
  const { values } = command({
    name: 'npx agent-poker arena',
    purpose:
      'Bots against each other, at full speed, on a private platform that leaves nothing behind. Exit code 1: the match\n' +
      'ended early, or a bot sat out.',
    takes:
      'some seconds to start, then about a second for 100 to 1,000 hands of built-in bots; your bots may be slower',
    options: {
      bots: whole('bots at the tables, six a table', 6, { least: 2, most: 1000 }),
      hands: whole('hands to play, over all tables', 2000, { least: 1, most: 100_000_000 }),
      bot: texts('a bot program of yours takes a seat', '"CMD"'),
      logs: text('folder for what your bots write, a file each (default arena-logs)', 'FOLDER'),
      threads: whole('shard threads of the platform', Math.max(1, availableParallelism() - 1), { least: 1, most: 64 }),
      seed: whole('repeatable dice for the built-in bots', undefined, { most: 2 ** 48 }),
      json: flag('the report as JSON'),
      html: text('the report as a page', 'FILE'),
    },
    check: ({ bots, bot }) => {
      if (bot.length > bots) throw new Misuse(`--bots ${bots} is fewer than the programs given by --bot`);
    },
    notes: NOTES,
  });
  const { bots, bot: programs, hands, threads, seed, json, html, logs = 'arena-logs' } = values;
  return {
    bots,
    programs,
    hands,
    threads,
    json,
    html,
    logs,
    cwd: callersFolder(),
    ...(seed === undefined ? {} : { seed }),
    env: process.env,
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  const interrupted = new AbortController();
  const abort = interrupted.signal;
  onInterrupt(() => interrupted.abort());
  const progress = new Progress(options.hands, 'hands');
  const watcher = { progress: (hands: number) => progress.show(hands), note: (text: string) => progress.note(text) };
  const report = arenaReportOf(await playArena(options, watcher, abort));
  progress.clear();
  const table = arenaTable(report);
  giveReport({ text: () => matchText(table), data: () => report, page: () => matchPage('Arena', table) }, options);
  const idle = report.bots.filter(({ sat_out }) => sat_out !== null).map(({ bot }) => bot);
  if (idle.length > 0) process.stderr.write(`Not all played to the end: ${idle.join(', ')}\n`);
  if (report.failure === null) return idle.length > 0 ? 1 : 0;
  process.stderr.write(`The match ended early: ${report.failure}\n`);
  return abort.aborted ? 130 : 1;
}

await runToEnd(main, (error) => {
  process.stderr.write(`${String(error)}\n`);
  return 1;
});
