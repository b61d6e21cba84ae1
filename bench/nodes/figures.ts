import { Histogram } from '../../src/load/histogram.js';
import { atMost, columns, median, number, ofRounds, told, type Figure } from '../report.js';
import type { NodesCpu, Part, Result } from './drill.js';

/** The results of each case, round by round. */
export type Rounds = ReadonlyMap<string, readonly Result[]>;

export const ONE = 'one process';
export const TWO = 'two nodes';
export const THREE = 'three nodes';

const CPU_GOAL = 1.35;
const P50_GOAL_MS = 0.5;
export const KINDS = ['full', 'light'] as const;
type Kind = (typeof KINDS)[number];

/** In one process no table is elsewhere: all players are what those whose table is on another node are compared with. */
export const all = ({ local, remote }: Part) => new Histogram().merge(local).merge(remote);

/** Of each round, CPU a hand of all nodes of a case to one process's. */
export function cpuRatios(rounds: Rounds, name: string, kind: Kind): number[] {
  const ones = rounds.get(ONE) ?? [];
  return (rounds.get(name) ?? []).map((own, i) => own[kind].cpu.nodes / ones[i]![kind].cpu.nodes);
}

/** Of each round, ms from action to ack at a table of another node, more than in one process. */
export function laterBy(rounds: Rounds, name: string, kind: Kind, quantile: number): number[] {
  const ones = rounds.get(ONE) ?? [];
  return (rounds.get(name) ?? []).map(
    (own, i) => own[kind].remote.quantile(quantile) - all(ones[i]![kind]).quantile(quantile),
  );
}

/** Judged round by round, since both sides of a ratio meet the same machine in the same minute. */
export function ratiosOf(rounds: Rounds, tables: number): Figure[] {
  if (!rounds.has(ONE)) return [];
  return [...rounds.keys()].flatMap((name) => {
    if (name === ONE) return [];
    const later = (kind: Kind, quantile: number, figure: (ms: number) => Figure) =>
      ofRounds(laterBy(rounds, name, kind, quantile), figure);
    return [
      ofRounds(cpuRatios(rounds, name, 'full'), (ratio) =>
        atMost(`${tables} tables, ${name}: CPU a hand of all nodes, of one process's`, ratio, '', CPU_GOAL),
      ),
      ofRounds(cpuRatios(rounds, name, 'light'), (ratio) => told('… with bots that think', ratio, '')),
      later('light', 0.5, (ms) =>
        atMost(
          '… action to ack at a table of another node with bots that think, more than one process: p50',
          ms,
          'ms',
          P50_GOAL_MS,
        ),
      ),
      later('light', 0.99, (ms) => told('… p99', ms, 'ms')),
      later('full', 0.5, (ms) => told('… as fast as they go: p50', ms, 'ms')),
      later('full', 0.99, (ms) => told('… p99', ms, 'ms')),
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
        told(`${title}: posts through Redis`, posts * handsPerSecond, '1/s'),
        told(`${title}: through Redis a hand`, bytes / 1000, 'kB'),
        told(`${title}: through Redis`, (bytes * handsPerSecond) / 1000, 'kB/s'),
      ];
    }),
  );

const HEADS = ['', '', 'hands/s', 'nodes ms', 'leader', 'others', 'database', 'Redis'];

/** One line a case and part: hands a second, then CPU ms a hand. */
export function overview(results: ReadonlyMap<string, Result>): string {
  const rows = [...results].flatMap(([name, result]) =>
    KINDS.map((kind) => {
      const { handsPerSecond, cpu } = result[kind];
      return [
        ...[name, kind === 'full' ? '' : 'bots think', number(Math.round(handsPerSecond))],
        ...[cpu.nodes, cpu.leader, cpu.others, cpu.database, cpu.redis].map((ms) => ms.toFixed(2)),
      ];
    }),
  );
  return columns([HEADS, ...rows], [...HEADS.keys()].slice(2));
}
