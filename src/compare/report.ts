import { positionOf } from '../../sdk/typescript/src/hand.js';
import { columns, signed } from '../command/columns.js';
import { STREETS } from '../formats/hand.js';
import type { SelfplayEntrant } from '../selfplay/minds.js';
import type { LineCounts } from '../selfplay/stdio/bot.js';
import type { MeanInterval } from '../statistics/confidence-sequence.js';
import { CLIP, type Verdict } from './judge.js';
import type { CompareTally } from './tally.js';

/** A difference (the new bot less the old one) in big blinds per 100 hands, with its interval. */
export interface BotDifference {
  bb_per_100: number | null;
  /** Holds the true one with a chance of at least 1 − alpha, at all looks together. Null without a deal. */
  interval: readonly [low: number, high: number] | null;
}

export interface CompareReport extends BotDifference {
  verdict: Verdict;
  /** The basis of the comparison. */
  by: 'same_deals';
  old: string;
  new: string;
  field: readonly string[];
  alpha: number;
  within_bb_per_100: number;
  deals: number;
  hands: number;
  seed: number;
  seconds: number;
  /** The differences as they were, and how many deals were clipped to `clip_bb`. */
  bb_per_100_unclipped: number | null;
  clipped_deals: number;
  clip_bb: number;
  /** Of all pairs of hands the share in which both bots acted alike. */
  alike: number | null;
  /** An estimate of the hands that are left; null with a verdict, and where none is in sight. */
  hands_left: number | null;
  /** Hands that a test of a fixed size on raw chips would need for this difference: an estimate. */
  raw_hands_needed: number | null;
  by_position: readonly (BotDifference & { position: string })[];
  /** By the street on which the bots parted; the parts add up to the difference. */
  by_street: readonly (BotDifference & { street: string })[];
  refused: { old: number; new: number };
  /** Only for commands, by the bot's name. */
  lines: Readonly<Record<string, LineCounts>>;
}

export interface CompareFacts {
  bots: readonly SelfplayEntrant[];
  alpha: number;
  /** Big blinds per 100 hands. */
  within: number;
  seed: number;
  seconds: number;
  lines: readonly (LineCounts | null)[];
}

const per100 = (interval: MeanInterval | null, scale = 100): BotDifference =>
  interval === null
    ? { bb_per_100: null, interval: null }
    : { bb_per_100: scale * interval.mean, interval: [scale * interval.low, scale * interval.high] };

export function compareReportOf(tally: CompareTally, facts: CompareFacts): CompareReport {
  const { judge } = tally;
  const [old, young, ...field] = facts.bots.map(({ name }) => name);
  const seats = field.map((_, seat) => seat).concat(field.length);
  const lines = facts.lines.flatMap((counts, bot) =>
    counts === null ? [] : [[facts.bots[bot]!.name, counts] as const],
  );
  return {
    verdict: tally.verdict,
    by: 'same_deals',
    old: old!,
    new: young!,
    field,
    ...per100(judge.interval()),
    alpha: facts.alpha,
    within_bb_per_100: facts.within,
    deals: judge.sample.count,
    hands: tally.hands,
    seed: facts.seed,
    seconds: facts.seconds,
    bb_per_100_unclipped: judge.sample.count === 0 ? null : 100 * judge.wholeMean,
    clipped_deals: judge.clipped,
    clip_bb: CLIP,
    alike: tally.pairs === 0 ? null : 1 - tally.parted / tally.pairs,
    hands_left: tally.verdict === 'unknown' ? tally.handsLeft : null,
    raw_hands_needed: tally.rawHandsNeeded,
    by_position: seats.map((seat) => ({
      position: positionOf(seat, 0, seats) ?? String(seat),
      ...per100(tally.bySeat[seat]!.interval(facts.alpha)),
    })),
    by_street: STREETS.slice(0, 4).map((street, at) => ({
      street,
      ...per100(tally.byStreet[at]!.interval(facts.alpha)),
    })),
    refused: { old: tally.refused[0]!, new: tally.refused[1]! },
    lines: Object.fromEntries(lines),
  };
}

const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

export const cellsOf = ({ bb_per_100: rate, interval }: BotDifference): [rate: string, interval: string] => [
  rate === null ? '-' : signed(rate, 1),
  interval === null ? '-' : interval.map((end) => signed(end, 1)).join(' to '),
];

/** The verdict as a sentence. */
export function verdictText({
  verdict,
  new: young,
  old,
  within_bb_per_100: within,
}: Pick<CompareReport, 'verdict' | 'new' | 'old' | 'within_bb_per_100'>): string {
  if (verdict === 'better') return `better: ${young} wins more than ${old}`;
  if (verdict === 'worse') return `worse: ${young} wins less than ${old}`;
  if (verdict === 'no_difference') return `no difference above ${within} bb/100 between ${young} and ${old}`;
  return `unknown: ${young} and ${old} cannot be told apart yet`;
}

/** The lines below the tables. */
export function compareRemarks(report: CompareReport): string[] {
  const { alpha, alike, clipped_deals: clipped, hands, deals, hands_left: left, raw_hands_needed: raw } = report;
  return [
    `${report.new} less ${report.old} against ${report.field.join(', ')}; each interval holds at ${percent(1 - alpha)}, however often one looks`,
    `${hands} hands of ${deals} deals, each from every seat, seed ${report.seed}, ${report.seconds.toFixed(1)} s`,
    ...(alike === null ? [] : [`both acted alike in ${percent(alike)} of all hands`]),
    `${clipped} deals were clipped to ${report.clip_bb} big blinds a hand; the mean without clipping is ${report.bb_per_100_unclipped === null ? '-' : signed(report.bb_per_100_unclipped, 1)}`,
    ...(left === null ? [] : [`about ${left} hands are left at this difference`]),
    ...(raw === null ? [] : [`a fixed number of independent hands in raw chips would be about ${raw}`]),
    ...(['old', 'new'] as const).flatMap(
      (bot) =>
      report.refused[bot] > 0 ? [`${report[bot]}: ${report.refused[bot]} choices were not allowed; it checked or folded instead`] : [], // prettier-ignore
    ),
    ...Object.entries(report.lines).flatMap(([bot, { late, turns, unreadable }]) => [
      ...(late > 0 ? [`${bot}: ${late} of ${turns} turns had no answer in time`] : []),
      ...(unreadable > 0 ? [`${bot}: ${unreadable} lines were none of the protocol`] : []),
    ]),
  ];
}

/** The rows of both tables: the whole, then each position, then each street. */
export const compareRows = (
  report: CompareReport,
): readonly (readonly [name: string, ...cells: [string, string]])[] => [
  ['all hands', ...cellsOf(report)],
  ...report.by_position.map((row) => [row.position, ...cellsOf(row)] as const),
  ...report.by_street.map(
    (row) => [`parted on the ${row.street}`.replace('the preflop', 'preflop'), ...cellsOf(row)] as const,
  ),
];

/** For people, in a terminal. */
export const compareText = (report: CompareReport): string =>
  [
    verdictText(report),
    '',
    ...columns([['difference', 'bb/100', 'interval'], ...compareRows(report)], 1),
    '',
    ...compareRemarks(report),
  ].join('\n');
