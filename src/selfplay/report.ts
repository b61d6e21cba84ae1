import { signed } from '../command/columns.js';
import { ratedCells, ratedOf, type MatchTable, type Rated } from '../command/report.js';
import type { SelfplayResult } from './match.js';
import type { SelfplayEntrant } from './minds.js';
import type { LineCounts } from './stdio/bot.js';
import { BIG_BLIND } from '../memory/memory-table.js';

/** One bot's line of the report. */
export interface SelfplayReportLine extends Rated {
  bot: string;
  hands: number;
  /** Won less lost. */
  chips: number;
  /** Choices that the rules did not allow, and turns without a choice. */
  refused: number;
  /** Only for a command. */
  lines?: LineCounts & { decisions_per_second: number };
}

export interface SelfplayReport {
  deals: number;
  hands: number;
  duplicate: boolean;
  seed: number;
  seconds: number;
  hands_per_second: number;
  bots: SelfplayReportLine[];
}

/**
 * A deal is one result, the mean of its hands: in duplicate play these depend on each other. `stack`: chips at the start
 * of each hand, so no deal loses more, and none wins more than the others' stacks.
 */
export function selfplayReportOf(
  entrants: readonly SelfplayEntrant[],
  { tallies, lines, hands, seconds }: SelfplayResult,
  { seed, duplicate, stack }: { seed: number; duplicate: boolean; stack: number },
): SelfplayReport {
  const deals = tallies[0]?.deals ?? 0;
  const bots = tallies.map((tally, player): SelfplayReportLine => {
    const { profit: chips, squares, refused } = tally;
    // A deal's chips in this unit are its big blinds a hand.
    const unit = (BIG_BLIND * hands) / deals;
    const risk = stack / BIG_BLIND;
    const chance = risk * (tallies.length - 1);
    const sample = { count: deals, sum: chips / unit, squares: squares / unit ** 2, risk, chance };
    const counts = lines[player] ?? null;
    return {
      bot: entrants[player]!.name,
      hands,
      chips,
      ...ratedOf(sample),
      refused,
      ...(counts === null ? {} : { lines: { ...counts, decisions_per_second: counts.turns / seconds } }),
    };
  });
  bots.sort((a, b) => b.chips - a.chips);
  return { deals, hands, duplicate, seed, seconds, hands_per_second: hands / seconds, bots };
}

const HEADINGS = ['bot', 'chips', 'bb/100', '95 %'];

/** The report for people. */
export function selfplayTable({
  deals,
  hands,
  duplicate,
  seed,
  seconds,
  hands_per_second,
  bots,
}: SelfplayReport): MatchTable {
  const wrong = bots.filter(({ refused }) => refused > 0);
  return {
    headings: HEADINGS,
    words: 1,
    rows: bots.map((line) => [line.bot, signed(line.chips), ...ratedCells(line)]),
    rates: bots,
    remarks: [
      ...wrong.map(({ bot, refused }) => `${bot}: ${refused} choices were not allowed; it checked or folded instead`),
      ...bots.flatMap(lineRemarks),
      `${hands} hands of ${deals} deals${duplicate ? ', each from every seat' : ''}, seed ${seed}`,
      `${seconds.toFixed(1)} s: ${hands_per_second.toFixed(0)} hands/s`,
    ],
  };
}

/** The traffic of a command's pipe, and its faults. */
function lineRemarks({ bot, lines }: SelfplayReportLine): string[] {
  if (lines === undefined) return [];
  const { turns, late, unreadable, decisions_per_second: rate } = lines;
  return [
    ...(late > 0 ? [`${bot}: ${late} of ${turns} turns had no answer in time`] : []),
    ...(unreadable > 0 ? [`${bot}: ${unreadable} lines were none of the protocol`] : []),
    `${bot}: ${turns} decisions, ${rate.toFixed(0)}/s`,
  ];
}
