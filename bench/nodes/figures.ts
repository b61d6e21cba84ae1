import { atLeast, atMost, median, ofRounds, quantile, told, type Figure } from '../report.js';
import type { OfNodes } from './flat.js';
import type { HandMessages } from './messages.js';
import type { Outage, OutageSeen } from './outages.js';
import { RELAYED_PERCENT, type Cost, type SideCosts } from './sides.js';

/* The goals of several nodes, and the figures behind them. */

const GOALS = { cost: 1.05, silent: 95, flat: 0.05, asUsual: 95, againSeconds: 4 };
/** The cores of the database's machine, on paper. */
const CORES = 4;

export function costFigures(nodes: number, { alone, local, aloneAgain, relayed }: SideCosts): Figure[] {
  const ratios = (own: readonly Cost[], other: readonly Cost[], of: (cost: Cost) => number) =>
    own.map((cost, i) => of(cost) / of(other[i]!));
  const name = `${nodes} nodes, CPU a hand, of as many platforms alone`;
  const inMs = (what: string, costs: readonly Cost[], of: (cost: Cost) => number) =>
    ofRounds(costs.map(of), (middle) => told(what, middle, 'ms'));
  const cpu = (cost: Cost) => cost.nodes;
  const database = (cost: Cost) => cost.database;
  return [
    ofRounds(ratios(local, alone, cpu), (middle) => atMost(name, middle, '', GOALS.cost)),
    ofRounds(ratios(relayed, aloneAgain, cpu), (middle) =>
      told(`… with ${RELAYED_PERCENT} % of the players relayed`, middle, ''),
    ),
    ofRounds(ratios(local, alone, database), (middle) => told('… of the database', middle, '')),
    inMs(`${nodes} nodes, CPU a hand`, local, cpu),
    inMs('… of the platforms alone', alone, cpu),
    inMs('… of the database', local, database),
  ];
}

/** How many nodes fill one database, by what a hand costs both. */
export function paperFigures({ local }: SideCosts): Figure[] {
  const [nodes, database] = [median(local.map((cost) => cost.nodes)), median(local.map((cost) => cost.database))];
  return [
    told(`on paper: hands of a database of ${CORES} cores`, (1000 * CORES) / database, '1/s'),
    told(`on paper: cores of nodes that fill a database of ${CORES} cores`, (CORES * nodes) / database, ''),
  ];
}

export function messageFigures(bots: number, came: HandMessages, later: HandMessages): Figure[] {
  const name = `${bots} bots over 3 nodes: hands without a message to another node`;
  return [
    atLeast(name, 100 * later.silentShare, '%', GOALS.silent),
    told('… messages a hand', later.perHand, ''),
    told('… hands without one as the bots came, all at once', 100 * came.silentShare, '%'),
    told('… messages a hand as they came', came.perHand, ''),
  ];
}

export function flatFigures([one, ...more]: readonly OfNodes[]): Figure[] {
  if (one === undefined) return [];
  const ratio = ({ statementsPerHand }: OfNodes) => statementsPerHand / one.statementsPerHand;
  return [
    told('one node of a cluster: statements a hand', one.statementsPerHand, ''),
    ...more.flatMap((result): Figure[] => [
      {
        ...atMost(`${result.nodes} nodes: statements a hand, of one node's`, ratio(result), '', 1 + GOALS.flat),
        met: Math.abs(ratio(result) - 1) <= GOALS.flat,
      },
      atMost(`${result.nodes} nodes: messages to other nodes a hand`, result.messagesPerHand, '', GOALS.flat),
    ]),
    ...[one, ...more].map(({ nodes, statementsPerSecond }) =>
      told(`of ${nodes}, a node where nobody plays: statements`, statementsPerSecond, '1/s'),
    ),
  ];
}

export function outageFigures(all: readonly OutageSeen[]): Figure[] {
  // Usual is the longest gap of a player in as long a time without an outage: of a hundred players one has a longer one.
  const usual = quantile(all.flatMap(({ longestBefore }) => longestBefore), 0.99); // prettier-ignore
  const kinds: readonly [Outage['signal'], string][] = [
    ['SIGKILL', 'a node is killed'],
    ['SIGSTOP', 'a node is frozen'],
  ];
  return kinds.flatMap(([signal, name]) => {
    const seen = all.filter(({ outage }) => outage.signal === signal);
    if (seen.length === 0) return [];
    const longest = seen.flatMap(({ longestDuring }) => longestDuring);
    const asUsual = (100 * longest.filter((gap) => gap <= usual).length) / longest.length;
    const again = quantile(seen.flatMap((one) => one.again), 0.95) / 1000; // prettier-ignore
    const gap = (q: number, of: (one: OutageSeen) => readonly number[]) => quantile(seen.flatMap(of), q) / 1000;
    const judged = signal === 'SIGKILL';
    return [
      atLeast(`${name}: other nodes' players with hands as fast as usual`, asUsual, '%', GOALS.asUsual),
      told(
        '… time between two hands before, p50',
        gap(0.5, (one) => one.gapsBefore),
        's',
      ),
      told(
        '… meanwhile, p50',
        gap(0.5, (one) => one.gapsDuring),
        's',
      ),
      told(
        '… before, p95',
        gap(0.95, (one) => one.gapsBefore),
        's',
      ),
      told(
        '… meanwhile, p95',
        gap(0.95, (one) => one.gapsDuring),
        's',
      ),
      judged
        ? atMost('… its tables have a hand again, p95', again, 's', GOALS.againSeconds)
        : told('… its tables have a hand again, p95', again, 's'),
    ];
  });
}
