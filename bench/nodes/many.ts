import { columns, number, told, type Figure } from '../report.js';
import { ONE, THREE, TWO } from './figures.js';
import type { Result } from './drill.js';
import {
  carriedBy,
  costsOf,
  limitsOf,
  mainOf,
  MOST_MACHINES,
  REMEDIES,
  REMEDY_ALONE,
  spokenTo,
  type Costs,
  type Limit,
} from './paper.js';

/** From one on, so that it shows whether more machines gain by the same costs. */
const MACHINES = [1, 2, 3, 10, 30, 100];

/** The results of each case, at so many tables. */
export interface Case {
  tables: number;
  results: ReadonlyMap<string, Result>;
}

const measured = ({ results }: Case, name: string) => {
  const { cpu, posts, handsPerSecond } = results.get(name)!.full;
  return { ...cpu, posts, handsPerSecond };
};

const costsOfCase = (of: Case): Costs => costsOf(measured(of, ONE), measured(of, THREE));

/** Costs as with many tables, but for what links cost as with few: these carry less, and so gather less. */
function sparse(many: Case, few: Case): Costs {
  const { away, redis, post } = costsOfCase(few);
  return { ...costsOfCase(many), away, redis, post };
}

const whole = (handsPerSecond: number) => number(Math.round(handsPerSecond));

/**
 * What the figures say of one, some and many machines: hands a second by the costs of the larger number of tables, of one
 * machine's, what is full first and what next, what a link carries then, and the same where links cost as with few tables.
 * Below it what to do, and a check by the case of two nodes, which the costs are not taken from.
 */
export function manyMachines(few: Case, many: Case, cores: number): string {
  const [costs, thin] = [costsOfCase(many), sparse(many, few)];
  const capacity = (machines: number, of = costs) => limitsOf(of, { machines, cores })[0]!;
  const one = capacity(1).handsPerSecond;
  const rows = MACHINES.map((machines) => {
    const [first, second] = limitsOf(costs, { machines, cores });
    const spoken = spokenTo(machines);
    const carried = carriedBy(first!.handsPerSecond, spoken, machines);
    const sparsely = capacity(machines, thin);
    return [
      ...[String(machines), spoken.toFixed(1), whole(first!.handsPerSecond), (first!.handsPerSecond / one).toFixed(2)],
      ...[first!.what, `${second!.what} (${whole(second!.handsPerSecond)})`],
      ...(machines === 1 ? ['', ''] : [number(Number(carried.toPrecision(2))), whole(sparsely.handsPerSecond)]),
    ];
  });
  const heads = [
    ...['machines', 'other nodes of a table', 'hands/s', "of one's", 'full first', 'next (hands/s)'],
    ...['a link carries', `hands/s, links as at ${few.tables} tables`],
  ];
  return [
    columns([heads, ...rows], [0, 1, 2, 3, 6, 7]),
    remedies(MACHINES.map((machines) => [machines, capacity(machines).what])),
    [most(capacity), fronts(measured(many, ONE).nodes, cores), links(few, many), check(many, costs)].join('\n'),
    `of ms a hand: ${termsOf(costs)}\nlinks as at ${few.tables} tables: ${termsOf(thin)}`,
  ].join('\n\n');
}

/** For bench/results. */
export function figuresOfMany(few: Case, many: Case, cores: number): Figure[] {
  const kinds = [
    ['', costsOfCase(many)],
    [`, links as at ${few.tables} tables`, sparse(many, few)],
  ] as const;
  return kinds.flatMap(([how, costs]) =>
    MACHINES.map((machines) => {
      const name = `on paper, ${machines} ${machines === 1 ? 'machine' : 'machines'} of ${cores} cores${how}: hands`;
      return told(name, limitsOf(costs, { machines, cores })[0]!.handsPerSecond, '1/s');
    }),
  );
}

/** What to do about what is full first. */
function remedies(full: readonly (readonly [machines: number, what: Limit['what']])[]): string {
  const several = new Set(full.filter(([machines]) => machines > 1).map(([, what]) => what));
  return [`One machine: ${REMEDY_ALONE}.`, ...[...several].map((what) => `Full is ${what}: ${REMEDIES[what]}.`)].join(
    '\n',
  );
}

const termsOf = (costs: Costs) =>
  Object.entries(costs)
    .map(([name, ms]) => `${name} ${(ms as number).toFixed(3)}`)
    .join(', ');

/** How many machines are best by these costs. */
function most(capacity: (machines: number) => { handsPerSecond: number; what: string }): string {
  let best = 1;
  for (let machines = 2; machines <= MOST_MACHINES; machines++) {
    if (capacity(machines).handsPerSecond > capacity(best).handsPerSecond) best = machines;
  }
  const { handsPerSecond, what } = capacity(best);
  const count = `${best} ${best === 1 ? 'machine' : 'machines'}`;
  return `The most by these costs: ${whole(handsPerSecond)} hands/s with ${count} (then full: ${what}).`;
}

function fronts(ms: number, cores: number): string {
  const all = whole((cores * 1000) / ms);
  return `One process with all ${cores} cores busy (FRONTS, of which what they cost themselves is not known here): ${all} hands/s at the most.`;
}

/** Which of the two figures is to be believed goes by how near a link comes to one that was measured. */
function links(few: Case, many: Case): string {
  const said = [many, few].map((of) => {
    const { handsPerSecond, posts } = measured(of, THREE);
    const carried = carriedBy(handsPerSecond, 2, 3);
    return `${number(Number(carried.toPrecision(2)))} hands/s with ${of.tables} tables, in ${(posts / 2).toFixed(1)} posts each`;
  });
  return `A link of the three nodes carried one way ${said.join('; ')}.`;
}

/** Of each table of two nodes some players are with the other. */
function check(many: Case, costs: Costs): string {
  const { leader, others, redis } = measured(many, TWO);
  const main = `main threads ${(mainOf(costs, 1) + costs.lobby).toFixed(2)} ms a hand, measured ${(leader + others).toFixed(2)}`;
  return `Check by two nodes as they were played: ${main}; Redis ${costs.redis.toFixed(2)}, measured ${redis.toFixed(2)}.`;
}
