import { seed, whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { KINDS } from './collusion/planted.js';
import { World, type Judged } from './collusion/world.js';
import { atLeast, atMost, ofRounds, report, told, type Figure } from './report.js';

/*
 * Whether planted colluders are found among honest bots, without harm to honest ones. 200 honest bots of the house's
 * styles and pairs of four kinds play 2,000 hands together. The operator's own judgement is applied.
 */

const { hands, pairs, worlds, ...options } = bench('collusion', {
  hands: whole('that each planted pair plays together', 2000, { least: 100 }),
  pairs: whole('of each kind', 10, { least: 1 }),
  worlds: whole('each from a seed of its own', 3, { least: 1 }),
  seed: seed('repeats it', 1),
});

/** A score of LEVEL is reached by an honest pair with a chance of 1 % at most. */
const LEVEL = 2;
/** Colluders that do so whenever they could, and those that do so half of the time. */
const ZEALS = [1, 0.5] as const;

const share = (of: readonly Judged[], is: (pair: Judged) => boolean) => of.filter(is).length / of.length;
const alarms = ({ score }: Judged) => score >= LEVEL;

const steps = new Steps(worlds * ZEALS.length);
const judged = ZEALS.map((zeal) =>
  Array.from({ length: worlds }, (_, world) => {
    steps.next(`world ${world + 1}, colluders act on ${100 * zeal} % of their chances`);
    return new World({ seed: options.seed + world, regulars: 120, rest: 80, pairs, zeal, hands }).play().judge();
  }),
);
const [always, half] = judged as [Judged[][], Judged[][]];
const round = (of: readonly Judged[][], kind: Judged['kind'], is: (pair: Judged) => boolean) =>
  of.map((world) =>
    share(
      world.filter((pair) => pair.kind === kind),
      is,
    ),
  );
const percent = (rates: readonly number[]) => rates.map((rate) => 100 * rate);

const recall = KINDS.flatMap((kind): Figure[] => {
  const isGoal = kind === 'dumping' || kind === 'soft_play';
  const name = `${kind}: found at a false-alarm rate of 1 %`;
  return [
    ofRounds(percent(round(always, kind, alarms)), (v) => (isGoal ? atLeast(name, v, '%', 90) : told(name, v, '%'))),
    ofRounds(percent(round(always, kind, ({ marked }) => marked)), (v) => told(`${kind}: marked`, v, '%')),
    ofRounds(percent(round(half, kind, alarms)), (v) => told(`${kind}, half of the time: found`, v, '%')),
    ofRounds(percent(round(half, kind, ({ marked }) => marked)), (v) =>
      told(`${kind}, half of the time: marked`, v, '%'),
    ),
  ];
});
const both = [...always, ...half];
const figures = [
  ...recall,
  ofRounds(percent(round(both, 'honest', alarms)), (v) => atMost('honest pairs: false alarms', v, '%', 1)),
  ofRounds(
    percent(
      both.map((world) =>
        share(
          world.filter(({ kind, together }) => kind === 'honest' && together),
          alarms,
        ),
      ),
    ),
    (v) => atMost('honest pairs always together: false alarms', v, '%', 1),
  ),
  ofRounds(percent(round(both, 'honest', ({ marked }) => marked)), (v) => atMost('honest pairs: marked', v, '%', 1)),
  ofRounds(
    both.map((world) => Math.max(...world.flatMap(({ kind, score }) => (kind === 'honest' ? [score] : [])))),
    (v) => told('highest score of an honest pair', v, 'log10'),
  ),
  ofRounds(
    both.map((world) => world.filter(({ kind }) => kind === 'honest').length),
    (v) => told('honest pairs in a world', v, ''),
  ),
];
process.exitCode = report('collusion', figures) ? 0 : 1;
