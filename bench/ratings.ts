import { seed as seedOption, whole } from '../src/command/options.js';
import { finished, PRIOR_SPREAD, rate } from '../src/ratings/index.js';
import { priorPosteriorInterval } from '../src/statistics/normal.js';
import { bench, Steps } from './benches.js';
import { realHands } from './ratings/noise.js';
import { PlantedWorld, rankCorrelation, type PlantedBot } from './ratings/world.js';
import { atLeast, atMost, ofRounds, report, told, type Figure } from './report.js';

/*
 * Whether ratings tell the strength of 40 planted bots, among them a cycle of three and a farm that feeds one. A bot's
 * true strength is its expected result against the honest field. The goals are for the largest number of hands.
 */

const { hands, worlds, seed } = bench('ratings', {
  hands: whole('of each bot', 200_000, { least: 1000 }),
  worlds: whole('each from a seed of its own', 3, { least: 1 }),
  seed: seedOption('repeats it', 1),
});

const REAL_HANDS = 4000;
const noise = realHands(REAL_HANDS, seed);

interface Round {
  chips: number;
  rate: number;
  adjusted: number;
  rating: number;
  /** The root of the mean square of (rating − truth) / spread, and the share of truths in their intervals. */
  z: number;
  covered: number;
  /** How far the fed bot is rated above its strength, and its raw rate above its strength. Big blinds per 100 hands. */
  lifted: number;
  liftedRaw: number;
}

function judged(world: PlantedWorld): Round {
  const { bots, totals, flows } = world;
  const rated = finished(rate(totals, flows)).agents;
  const truth = bots.map(({ expected }) => expected);
  const mean = truth.reduce((sum, value) => sum + value, 0) / truth.length;
  const ranks = (of: (bot: PlantedBot, at: number) => number) => rankCorrelation(truth, bots.map(of));
  const off = rated.map(({ rating }, at) => rating - (truth[at]! - mean));
  const inside = rated.filter(({ rating, spread }, at) => {
    const [low, high] = priorPosteriorInterval({ mean: rating, spread }, PRIOR_SPREAD);
    return low <= truth[at]! - mean && truth[at]! - mean <= high;
  });
  const fed = bots.findIndex(({ kind }) => kind === 'fed');
  return {
    chips: ranks(({ raw }) => raw),
    rate: ranks(({ raw, hands: played }) => raw / played),
    adjusted: ranks(({ result, hands: played }) => result / played),
    rating: ranks((_, at) => rated[at]!.rating),
    z: Math.sqrt(off.reduce((sum, each, at) => sum + (each / rated[at]!.spread) ** 2, 0) / off.length),
    covered: (100 * inside.length) / rated.length,
    lifted: 100 * off[fed]!,
    liftedRaw: 100 * (bots[fed]!.raw / bots[fed]!.hands - truth[fed]! + mean),
  };
}

const sizes = [0.05, 0.25, 1].map((part) => Math.round(part * hands));
const steps = new Steps(sizes.length * worlds);
const rounds = sizes.map((size) =>
  Array.from({ length: worlds }, (_, world) => {
    steps.next(`world ${world + 1}, ${size} hands a bot`);
    return judged(new PlantedWorld(seed + world, noise).play(size));
  }),
);

const middle = (of: readonly Round[], name: keyof Round, figure: (value: number) => Figure) =>
  ofRounds(
    of.map((round) => round[name]),
    figure,
  );
const figures = rounds.flatMap((of, at): Figure[] => {
  const size = `${sizes[at]} hands a bot: `;
  const isLast = at === sizes.length - 1;
  return [
    middle(of, 'rating', (v) =>
      isLast
        ? atLeast(`${size}rank correlation of ratings`, v, '', 0.95)
        : told(`${size}rank correlation of ratings`, v, ''),
    ),
    middle(of, 'chips', (v) => atMost(`${size}rank correlation of chips won`, v, '', 0.7)),
    middle(of, 'rate', (v) => told(`${size}rank correlation of chips per hand`, v, '')),
    middle(of, 'adjusted', (v) => told(`${size}rank correlation of all-in-adjusted chips per hand`, v, '')),
    middle(of, 'lifted', (v) => told(`${size}the fed bot is rated above its strength by`, v, 'bb/100')),
    middle(of, 'liftedRaw', (v) => told(`${size}its chips are above its strength by`, v, 'bb/100')),
    middle(of, 'covered', (v) => atLeast(`${size}strengths within their 95 % intervals`, v, '%', 95)),
    middle(of, 'z', (v) => told(`${size}error beside the model's spread`, v, '')),
  ];
});
process.exitCode = report('ratings', figures) ? 0 : 1;
