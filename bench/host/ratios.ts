import { atLeast, atMost, ofRounds, told, type Figure } from '../report.js';
import type { Result } from './run.js';
import type { Rounds } from './scenario.js';
import { AFTER_A_MINUTE } from '../served/scenarios.js';

/*
 * The judged figures of a served hand: ratios of one run, round by round. Both sides of a ratio meet the same machine
 * in the same minute. The absolute figures beside them hold for one machine only.
 */

const server = ({ cpu }: Result) => cpu.server;
const hands = ({ handsPerSecond }: Result) => handsPerSecond;
const quantile =
  (q: number) =>
  ({ latencies }: Result) =>
    latencies.quantile(q);

/** A figure of `own` to that of `other`, of each round. */
interface Ratio {
  name: string;
  own: string;
  other: string;
  of: (result: Result) => number;
  judge: typeof atMost;
  goal: number;
}

const CEILING = { own: '20 tables', other: 'ceiling, 20 tables' };
const RATIOS: readonly Ratio[] = [
  { name: "server CPU a hand, of the ceiling's", ...CEILING, of: server, judge: atMost, goal: 3 },
  { name: "… of naive's", own: '20 tables', other: 'naive, 20 tables', of: server, judge: atMost, goal: 0.1 },
  { name: "committed hands, of the ceiling's", ...CEILING, of: hands, judge: atLeast, goal: 0.5 },
  { name: "action to ack, p50, of the ceiling's", ...CEILING, of: quantile(0.5), judge: atMost, goal: 2 },
  { name: '… p99', ...CEILING, of: quantile(0.99), judge: atMost, goal: 2.5 },
  {
    name: "heads-up: action to ack, p50, of the ceiling's",
    own: 'heads-up',
    other: 'ceiling, heads-up',
    of: quantile(0.5),
    judge: atMost,
    goal: 2.2,
  },
  {
    name: "heads-up: committed hands, of naive's",
    own: 'heads-up',
    other: 'naive, heads-up',
    of: hands,
    judge: atLeast,
    goal: 2.5,
  },
  {
    name: "100 tables at half of their capacity: p99, of the ceiling's",
    own: '100 tables, paced',
    other: 'ceiling, 100 tables, paced',
    of: quantile(0.99),
    judge: atMost,
    goal: 3,
  },
];

/** A figure of `own` to that of `other`, round by round; none where one of them was not played. */
export function ofEachRound(rounds: Rounds, own: string, other: string, of: Ratio['of']): number[] {
  const [mine, theirs] = [rounds.get(own) ?? [], rounds.get(other) ?? []];
  return theirs.length === 0 ? [] : mine.map((result, i) => of(result) / of(theirs[i]!));
}

/** The ratios with both sides played. */
const judged = (ratios: readonly Ratio[], rounds: Rounds): Figure[] =>
  ratios.flatMap(({ name, own, other, of, judge, goal }) => {
    const values = ofEachRound(rounds, own, other, of);
    return values.length === 0 ? [] : [ofRounds(values, (middle) => judge(name, middle, '', goal))];
  });

const LEAN = { own: 'lean', other: 'ordinary' };
const LEAN_RATIOS: readonly Ratio[] = [
  { name: "committed hands, of the ordinary frames'", ...LEAN, of: hands, judge: atLeast, goal: 3 },
  { name: 'server CPU a hand', ...LEAN, of: server, judge: atMost, goal: 0.35 },
  { name: 'action to ack, p50', ...LEAN, of: quantile(0.5), judge: atMost, goal: 0.8 },
];

/** The gain of lean frames at tables where all players read them. */
export const leanRatios = (rounds: Rounds): Figure[] => judged(LEAN_RATIOS, rounds);

/** The platform's judged ratios beside the ordinary way and the sockets alone. */
export function ratiosOf(rounds: Rounds): Figure[] {
  const ratios = judged(RATIOS, rounds);
  const afterAMinute = rounds.get(AFTER_A_MINUTE);
  const full = afterAMinute ?? rounds.get('20 tables') ?? [];
  const helpers = full.map(({ cpu }) => (100 * cpu.helpers) / cpu.server);
  const name = 'threads neither front nor shard, of server CPU';
  // A young server still compiles (docs/explanation/performance.md, "The present state"): its figure is not judged.
  const figure = (middle: number) =>
    afterAMinute === undefined ? told(`${name}, not yet a minute old`, middle, '%') : atMost(name, middle, '%', 2);
  return [...ratios, ...(full.length === 0 ? [] : [ofRounds(helpers, figure)])];
}
