import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { STRATEGY_NAMES } from '../bots/index.js';
import { callersFolder, givenPath } from '../command/folders.js';
import { onInterrupt } from '../command/interrupt.js';
import { command, decimal, flag, Misuse, seed, text, texts, whole } from '../command/options.js';
import { giveReport } from '../command/report.js';
import { runToEnd } from '../command/result.js';
import { MAX_SEATS } from '../holdem/types.js';
import { BIG_BLIND } from '../memory/memory-table.js';
import { LINE_LIMITS } from '../selfplay/match.js';
import { entrantsOf, isStyle, type SelfplayEntrant } from '../selfplay/minds.js';
import { BotEnded } from '../selfplay/stdio/bot.js';
import { CLIP, type Verdict } from './judge.js';
import { playCompare } from './match.js';
import { comparePage } from './page.js';
import { ComparePace } from './pace.js';
import { comparePublic, PublicAnswerError } from './public.js';
import { compareReportOf, compareText } from './report.js';
import { CompareTally } from './tally.js';

const FIELD = STRATEGY_NAMES.slice(0, MAX_SEATS - 1);

/** Exit codes, for CI. 2 is misuse, 5 a failure, 130 an interrupt. */
const EXIT_CODES: Readonly<Record<Verdict, number>> = { better: 0, worse: 1, no_difference: 3, unknown: 4 };

const NOTES = `A and B are built-in styles (${STRATEGY_NAMES.join(', ')}),
paths of JavaScript modules, or commands that speak JSON lines (docs/guides/training.md). Both play the same deals in the
same seats against the same field. Every seat is played. The field and both bots have the same dice.
After each deal the difference is judged. The command stops at a verdict. A verdict is false in at most 5 of 100
comparisons (--alpha), although it looks after every deal.
A deal counts up to ${CLIP} big blinds a hand, both ways. The verdict is about the mean of deals that are clipped so. It also
waits until the mean without clipping agrees. The report tells both means, and how many deals were clipped.
With --url, A and B are agents of a server. In a duplicate competition whose play is over they are compared deck by deck.
Otherwise the intervals of their public figures are compared: only intervals that part give a verdict. API_KEY in the
environment opens what participants alone may see.
Exit codes: 0 better, 1 worse, 3 no difference above --within, 4 unknown, 2 misuse or a command ended, 5 it failed,
130 interrupted.`;

function readOptions() {
  const { values } = command({
    name: 'npx agent-poker compare',
    purpose: 'Whether a new bot wins more than an old one. Exit code 0: it does. See the exit codes below.',
    takes: 'seconds to minutes: until there is a verdict, or --hands are played',
    options: {
      old: text('the old bot, or the slug or name of an agent', 'A'),
      new: text('the new bot, or the slug or name of an agent', 'B'),
      field: text(`1 to ${MAX_SEATS - 1} opponents with commas between them (default ${FIELD.join()})`, 'C,D…'),
      opponent: texts('one opponent more, also a command; without --field it is in place of the default', 'BOT'),
      within: decimal('a difference up to so many big blinds per 100 hands is none', 5, 0.01, 1000),
      alpha: decimal('the chance of a false verdict', 0.05, 0.000001, 0.5),
      hands: whole('hands of both bots together, then the verdict is "unknown"', 2_000_000, { least: 1 }),
      repeats: whole('plays of a hand from the decision on at which the bots part; commands have 1', 4, {
        least: 1,
        most: 1000,
      }),
      stack: whole('big blinds that everybody begins each hand with', 100, { least: 1, most: 100_000 }),
      tables: whole('pairs of tables of a thread that a command is asked for in one line', 16, {
        least: 1,
        most: 2048,
      }),
      'line-ms': whole('ms that a command has for a line, before it checks or folds', LINE_LIMITS.lineMs, { least: 1 }),
      seed: seed('repeats a comparison', 1),
      threads: whole('threads; the verdict does not depend on them', availableParallelism(), { least: 1, most: 256 }),
      url: text('a server: compare two of its agents by their public results', 'URL'),
      competition: text('with --url: the slug of a competition; otherwise the season', 'SLUG'),
      json: flag('the report as JSON'),
      html: text('the report as a page', 'FILE'),
    },
    check: (values) => void checked(values),
    notes: NOTES,
  });
  return values;
}

type Asked = ReturnType<typeof readOptions>;

function checked(values: Pick<Asked, 'old' | 'new' | 'field' | 'opponent' | 'url' | 'competition' | 'html'>) {
  const { old, new: young, url, competition, html } = values;
  if (old === undefined || young === undefined) throw new Misuse('--old and --new must name the two bots');
  if (url === undefined) {
    if (competition !== undefined) throw new Misuse('--competition goes with --url');
    return botsIn(old, young, values);
  }
  if (!URL.canParse(url)) throw new Misuse(`--url must be an address such as https://poker.example.com: ${url}`);
  if (html !== undefined) throw new Misuse('--html goes with matches, not with --url');
  return [];
}

function botsIn(old: string, young: string, { field, opponent }: Pick<Asked, 'field' | 'opponent'>): SelfplayEntrant[] {
  const listed = field ?? (opponent.length > 0 ? '' : FIELD.join());
  const others = entrantsOf(listed, givenPath, opponent);
  if (others.length < 1 || others.length >= MAX_SEATS) {
    throw new Misuse(`--field must name 1 to ${MAX_SEATS - 1} opponents, and names ${others.length}`);
  }
  const tested = entrantsOf('', givenPath, [old, young]);
  const all = [...tested, ...others];
  if (all.some(({ source }) => source === '-')) throw new Misuse('"-" is no bot of a comparison');
  const absent = all.find(({ source, isCommand }) => !isCommand && !isStyle(source) && !existsSync(source));
  if (absent !== undefined) throw new Misuse(`there is neither a built-in style nor a module ${absent.source}`);
  // A word without a space is a command only if it can be one.
  const odd = tested.find(({ source, isCommand }) => isCommand && /^[a-z_]+$/.test(source));
  if (odd !== undefined) throw new Misuse(`${odd.source} is no built-in style: ${STRATEGY_NAMES.join(', ')}`);
  return all;
}

async function main(): Promise<number> {
  const values = readOptions();
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  const { old, new: young, within, alpha, json, html, url, competition } = values;
  if (url !== undefined) {
    const agents = { old: old!, new: young! };
    const report = await comparePublic({ url, competition, ...agents, within, alpha }, interrupted.signal);
    giveReport({ text: () => report.text, data: () => report.data, page: () => '' }, { json });
    return interrupted.signal.aborted ? 130 : EXIT_CODES[report.data.verdict];
  }
  const bots = checked(values);
  const tally = new CompareTally(bots.length - 1, { within: within / 100, alpha }, html !== undefined);
  const pace = new ComparePace(values.hands);
  const began = performance.now();
  const options = {
    bots,
    seed: values.seed,
    stack: values.stack * BIG_BLIND,
    repeats: values.repeats,
    threads: values.threads,
    tables: values.tables,
    folder: callersFolder(),
    limits: { ...LINE_LIMITS, lineMs: values['line-ms'] },
  };
  const onDeal = (deal: Parameters<CompareTally['add']>[0]) => {
    const verdict = tally.add(deal);
    pace.show(tally);
    return verdict === 'unknown' && tally.hands < values.hands;
  };
  const lines = await playCompare(options, onDeal, interrupted.signal);
  pace.clear();
  const seconds = (performance.now() - began) / 1000;
  const report = compareReportOf(tally, { bots, alpha, within, seed: values.seed, seconds, lines });
  const page = () => comparePage(report, tally.band);
  giveReport({ text: () => compareText(report), data: () => report, page }, { json, html });
  // An interrupt that comes with the verdict changes nothing.
  return report.verdict === 'unknown' && interrupted.signal.aborted ? 130 : EXIT_CODES[report.verdict];
}

await runToEnd(main, (error) => {
  // A pause that the server asked for was interrupted.
  if (error instanceof Error && error.name === 'AbortError') return 130;
  const isExpected = error instanceof BotEnded || error instanceof PublicAnswerError;
  const line =
    error instanceof Error && !isExpected ? (error.stack ?? error.message) : String((error as Error).message);
  process.stderr.write(`${line}\n`);
  return error instanceof BotEnded ? 2 : 5;
});
