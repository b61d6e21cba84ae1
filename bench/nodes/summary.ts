import { columns, median, number } from '../report.js';
import { all, cpuRatios, KINDS, laterBy, middles, ONE, type Rounds } from './figures.js';

const HEADS = [
  ...['tables', '', '', 'hands/s', "CPU, of one's", 'rounds', 'p50 own', 'p99', "p50 others'", 'p99'],
  ...['p50 later', 'rounds', 'posts a hand', 'a second', 'kB a hand', 'a second'],
];

const spread = (values: readonly number[]): string =>
  values.length < 2 ? '' : [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2)).join(' to ');

/**
 * What is asked of several nodes, in one table, a line a number of tables, case and part: CPU a hand of all nodes to one
 * process's, ms from action to ack of players at own tables and at those of other nodes, by how much the p50 of the latter
 * is later than in one process, posts and kB through Redis. The middle of the rounds, with the least and the most of the
 * two that are judged.
 */
export function summary(played: readonly { tables: number; played: Rounds }[]): string {
  const rows = played.flatMap(({ tables, played: rounds }) =>
    [...middles(rounds)].flatMap(([name, result]) =>
      KINDS.map((kind) => {
        const { handsPerSecond, local, remote, posts, bytes } = result[kind];
        const of = (latencies: typeof local) => [0.5, 0.99].map((q) => latencies.quantile(q).toFixed(2));
        const title = [String(tables), name, kind === 'full' ? '' : 'bots think', number(Math.round(handsPerSecond))];
        // No table of one process is elsewhere.
        if (name === ONE) return [...title, '1', '', ...of(all(result[kind])), ...Array.from({ length: 8 }, () => '')];
        const [ratios, later] = [cpuRatios(rounds, name, kind), laterBy(rounds, name, kind, 0.5)];
        return [
          ...[...title, median(ratios).toFixed(2), spread(ratios), ...of(local), ...of(remote)],
          ...[median(later).toFixed(2), spread(later)],
          ...[posts, posts * handsPerSecond].map((count) => number(Number(count.toPrecision(3)))),
          ...[bytes, bytes * handsPerSecond].map((count) => number(Number((count / 1000).toPrecision(3)))),
        ];
      }),
    ),
  );
  return columns([HEADS, ...rows], [0, ...[...HEADS.keys()].slice(3)]);
}
