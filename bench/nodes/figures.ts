import { Histogram } from '../../src/load/histogram.js';
import { atMost, columns, median, number, ofRounds, told, type Figure } from '../report.js';
import type { NodesCpu, Part, Result } from './drill.js';
import { costsOf, limitsOf, REMEDIES } from './paper.js';

/** The results of each case, round by round. */
export type Rounds = ReadonlyMap<string, readonly Result[]>;

export const ONE = 'one process';
export const TWO = 'two nodes';
export const THREE = 'three nodes';

const CPU_GOAL = 1.35;
const P50_GOAL_MS = 0.5;
const KINDS = ['full', 'light'] as const;

/** In one process no table is elsewhere: all players are what those whose table is on another node are compared with. */
const all = ({ local, remote }: Part) => new Histogram().merge(local).merge(remote);

/** Judged round by round, since both sides of a ratio meet the same machine in the same minute. */
export function ratiosOf(rounds: Rounds, tables: number): Figure[] {
  const ones = rounds.get(ONE) ?? [];
  return [...rounds].flatMap(([name, results]) => {
    if (name === ONE || ones.length === 0) return [];
    const ofEach = (value: (own: Result, one: Result) => number, figure: (middle: number) => Figure) =>
      ofRounds(
        results.map((own, i) => value(own, ones[i]!)),
        figure,
      );
    const later = (kind: 'full' | 'light', q: number) => (own: Result, one: Result) =>
      own[kind].remote.quantile(q) - all(one[kind]).quantile(q);
    return [
      ofEach(
        (own, one) => own.full.cpu.nodes / one.full.cpu.nodes,
        (ratio) => atMost(`${tables} tables, ${name}: CPU a hand of all nodes, of one process's`, ratio, '', CPU_GOAL),
      ),
      ofEach(
        (own, one) => own.light.cpu.nodes / one.light.cpu.nodes,
        (ratio) => told('… with bots that think', ratio, ''),
      ),
      ofEach(later('light', 0.5), (ms) =>
        atMost(
          '… action to ack at a table of another node with bots that think, more than one process: p50',
          ms,
          'ms',
          P50_GOAL_MS,
        ),
      ),
      ofEach(later('light', 0.99), (ms) => told('… p99', ms, 'ms')),
      ofEach(later('full', 0.5), (ms) => told('… as fast as they go: p50', ms, 'ms')),
      ofEach(later('full', 0.99), (ms) => told('… p99', ms, 'ms')),
    ];
  });
}

/** Medians of the values; latencies of all rounds together. */
export const middles = (rounds: Rounds): Map<string, Result> =>
  new Map(
    [...rounds].map(([name, results]) => [
      name,
      {
        full: middle(results.map(({ full }) => full)),
        light: middle(results.map(({ light }) => light)),
        warmHands: median(results.map(({ warmHands }) => warmHands)),
      },
    ]),
  );

function middle(parts: readonly Part[]): Part {
  const of = (pick: (part: Part) => number) => median(parts.map(pick));
  const names: (keyof NodesCpu)[] = ['nodes', 'leader', 'others', 'database', 'redis'];
  const together = (pick: (part: Part) => Histogram) =>
    parts.reduce((sum, part) => sum.merge(pick(part)), new Histogram());
  return {
    handsPerSecond: of(({ handsPerSecond }) => handsPerSecond),
    cpu: Object.fromEntries(names.map((name) => [name, of(({ cpu }) => cpu[name])])) as unknown as NodesCpu,
    local: together(({ local }) => local),
    remote: together(({ remote }) => remote),
    posts: of(({ posts }) => posts),
    bytes: of(({ bytes }) => bytes),
  };
}

/** What is told of every case. */
export const figuresOf = (results: ReadonlyMap<string, Result>, tables: number): Figure[] =>
  [...results].flatMap(([name, result]) =>
    KINDS.flatMap((kind) => {
      const { handsPerSecond, cpu, local, remote, posts, bytes } = result[kind];
      const title = `${tables} tables, ${name}${kind === 'full' ? '' : ', bots that think'}`;
      return [
        told(`${title}: hands`, handsPerSecond, '1/s'),
        told(`${title}: CPU a hand of all nodes`, cpu.nodes, 'ms'),
        told(`${title}: main thread of the leader`, cpu.leader, 'ms'),
        told(`${title}: main threads of the others`, cpu.others, 'ms'),
        told(`${title}: database`, cpu.database, 'ms'),
        told(`${title}: Redis`, cpu.redis, 'ms'),
        ...[0.5, 0.99].flatMap((q) => [
          told(`${title}: action to ack at own tables, p${100 * q}`, local.quantile(q), 'ms'),
          told(`${title}: action to ack at tables of other nodes, p${100 * q}`, remote.quantile(q), 'ms'),
        ]),
        told(`${title}: posts through Redis a hand`, posts, ''),
        told(`${title}: through Redis a hand`, bytes / 1000, 'kB'),
      ];
    }),
  );

const HEADS = [
  ...['', '', 'hands/s', 'nodes ms', 'leader', 'others', 'database', 'Redis'],
  ...['p50 own', 'p99', 'p50 other', 'p99', 'posts', 'kB'],
];

/** One line a case and part: hands a second, then CPU ms a hand, latencies in ms, posts and kB through Redis a hand. */
export function overview(results: ReadonlyMap<string, Result>): string {
  const rows = [...results].flatMap(([name, result]) =>
    KINDS.map((kind) => {
      const { handsPerSecond, cpu, local, remote, posts, bytes } = result[kind];
      return [
        ...[name, kind === 'full' ? '' : 'bots think', number(Math.round(handsPerSecond))],
        ...[cpu.nodes, cpu.leader, cpu.others, cpu.database, cpu.redis].map((ms) => ms.toFixed(2)),
        ...[local, remote].flatMap((latencies) => [0.5, 0.99].map((q) => latencies.quantile(q).toFixed(2))),
        ...[posts.toFixed(0), (bytes / 1000).toFixed(0)],
      ];
    }),
  );
  return columns([HEADS, ...rows], [...HEADS.keys()].slice(2));
}

const MACHINES = [10, 30, 100];

/** What the figures say of many machines: what is full first, what next, and what to do about the first. */
export function paper(results: ReadonlyMap<string, Result>, cores: number): string {
  const [one, three] = [ONE, THREE].map((name) => {
    const { cpu, posts } = results.get(name)!.full;
    return { ...cpu, posts };
  });
  const costs = costsOf(one!, three!);
  const rows = MACHINES.map((machines) => {
    const [first, second] = limitsOf(costs, { machines, cores });
    return [
      ...[String(machines), number(Math.round(first!.handsPerSecond)), first!.what],
      ...[`${second!.what} (${number(Math.round(second!.handsPerSecond))})`, REMEDIES[first!.what]],
    ];
  });
  const heads = ['machines', 'hands/s', 'full first', 'next (hands/s)', 'what to do then'];
  const terms = Object.entries(costs).map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
  return `${columns([heads, ...rows], [0, 1])}\n\nof ms a hand: ${terms.join(', ')}`;
}
