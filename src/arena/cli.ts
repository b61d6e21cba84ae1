import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { playMatch, type MatchOptions } from './match.js';
import { Progress } from './progress.js';
import { reportOf, reportText } from './report.js';

const HELP = `Bots against each other, at full speed, on a private platform that leaves nothing behind.

  npm run arena -- [options]

  --bots N       bots at the tables, six a table (default 6)
  --hands N      hands to play, over all tables (default 2000)
  --bot "CMD"    a bot program of yours takes a seat; may be given more than once. CMD is run by the shell with
                 BASE_URL, WS_URL, API_KEY and NAME in its environment; built-in bots take the other seats
  --threads N    shard threads of the platform (default cores - 1)
  --seed N       repeatable dice for the built-in bots; the cards are always shuffled securely
  --json         the report as JSON
  --help         this text

Settings of npm start in the environment (such as ACTION_PROTOCOL, BOARD_EVENTS, ACTION_TIMEOUT_MS) hold, too. Chips are net of
rebuys; bb/100 comes with the interval that holds the true rate 95 times in 100; "ack" is from action to action_ack.
`;

class Misuse extends Error {}

function readOptions(): (MatchOptions & { json: boolean }) | null {
  const { values } = parseArgs({
    options: {
      bots: { type: 'string', default: '6' },
      hands: { type: 'string', default: '2000' },
      bot: { type: 'string', multiple: true, default: [] },
      threads: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const bots = whole('bots', values.bots, 2, 1000);
  if (values.bot.length > bots) throw new Misuse(`--bots ${bots} is fewer than the programs given by --bot`);
  return {
    bots,
    programs: values.bot,
    hands: whole('hands', values.hands, 1, 100_000_000),
    threads: whole('threads', values.threads, 1, 64),
    ...(values.seed === undefined ? {} : { seed: whole('seed', values.seed, 0, 2 ** 48) }),
    json: values.json,
    env: process.env,
    // Under npm the folder that the command was given in.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
  };
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Misuse(`--${name} must be a whole number from ${least} to ${most}`);
}

/** One Ctrl-C may arrive twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** The first signal ends the match in order, the second at once. */
function interruptible(): AbortSignal {
  const abort = new AbortController();
  let first = Infinity;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(130);
      first = Math.min(first, performance.now());
      abort.abort();
    });
  }
  return abort.signal;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const abort = interruptible();
  const progress = new Progress(options.hands, process.stderr);
  const watcher = { progress: (hands: number) => progress.show(hands), note: (text: string) => progress.note(text) };
  const report = reportOf(await playMatch(options, watcher, abort));
  progress.clear();
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  if (report.failure === null) return 0;
  process.stderr.write(`The match ended early: ${report.failure}\n`);
  return abort.aborted ? 130 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const misuse = error instanceof Misuse || (error instanceof TypeError && 'code' in error);
    process.stderr.write(`${misuse ? `${error.message}\n(--help tells the options)` : String(error)}\n`);
    process.exit(misuse ? 2 : 1);
  },
);
