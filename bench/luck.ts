import { STRATEGY_NAMES, type Style } from '../src/bots/index.js';
import { seed as seedOption, whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { Leagues, METHODS, type Field } from './luck/league.js';
import { atLeast, atMost, report, told, type Figure } from './report.js';

/*
 * Measures how many hands luck-adjusted results save, and that they are unbiased. Six players of 100 big blinds play
 * leagues, each deal from every seat. One field is that of the training, the house styles. The other one plays
 * otherwise. A factor says how many times fewer hands give an interval of the same width as chips do.
 */

const { leagues, deals, seed } = bench('luck', {
  leagues: whole('of each field', 200, { least: 2 }),
  deals: whole('in a league, each from six seats', 30, { least: 2 }),
  seed: seedOption('repeats it', 1),
});

const HOUSE: Field = Object.fromEntries(STRATEGY_NAMES.map((name) => [name, name]));

const style = (vpip: number, aggression: number, callDown: number, balance: number): Style => ({
  vpip,
  pfr: vpip * (0.3 + 0.6 * aggression),
  threeBet: vpip * 0.4 * aggression,
  aggression,
  bluff: 0.3 * aggression,
  callDown,
  balance,
  tilt: 0,
});
const OTHERS: Field = {
  tight_passive: style(0.16, 0.25, 0.45, 0.5),
  tight_aggressive: style(0.22, 0.85, 0.3, 0.6),
  regular: style(0.26, 0.6, 0.4, 0.8),
  loose_passive: style(0.45, 0.15, 0.6, 0.3),
  loose_aggressive: style(0.4, 0.9, 0.45, 0.4),
  careful: style(0.3, 0.4, 0.1, 0.2),
};

const steps = new Steps(2 * leagues);
const HEADINGS = ['all-in', 'duplicates', 'luck', 'luck + duplicates', 'mean luck', 'errors'];
const cells = (of: readonly string[]) => of.map((cell) => cell.padStart(19)).join('');
const [ALL_IN, LUCK] = [METHODS.indexOf('all-in adjusted'), METHODS.indexOf('luck-adjusted')];

function measured(name: string, field: Field, from: number, isTraining: boolean): Figure[] {
  const played = new Leagues(field);
  for (let league = 0; league < leagues; league++) {
    steps.next(`${name}, league ${league + 1}`);
    played.play(deals, from + 1000 * league);
  }
  const seats = played.names.length;
  console.log(`\n${name}: ${played.hands} hands\n${''.padEnd(18)}${cells(HEADINGS)}`);
  played.players.forEach((player, n) => {
    const factors = [player.factor(ALL_IN, null), player.factor(0, seats), player.factor(LUCK, null)];
    const row = [...factors, player.factor(LUCK, seats)].map((factor) => factor.toFixed(2));
    const luck = [`${player.luck.mean.toFixed(3)} bb`, player.luck.deviations.toFixed(2)];
    console.log(`${played.names[n]!.padEnd(18)}${cells([...row, ...luck])}`);
  });
  /** Of all players together. */
  const all = (method: number, inDeals: boolean) => {
    const chips = played.players.reduce((sum, player) => sum + player.hands[0]!.variance, 0);
    const of = played.players.reduce(
      (sum, player) => sum + (inDeals ? seats * player.deals[method]!.variance : player.hands[method]!.variance),
      0,
    );
    return chips / of;
  };
  const judged = (what: string, value: number, goal: number) =>
    isTraining ? atLeast(`${name}: ${what}`, value, '×', goal) : told(`${name}: ${what}`, value, '×');
  return [
    told(`${name}: fewer hands by all-in adjustment`, all(ALL_IN, false), '×'),
    told(`${name}: fewer hands by duplicates`, all(0, true), '×'),
    judged('fewer hands by luck adjustment', all(LUCK, false), 2.5),
    judged('fewer hands by luck adjustment and duplicates', all(LUCK, true), 4),
    ...played.players.map((player, n) =>
      atMost(`${name}, ${played.names[n]}: mean luck in standard errors`, Math.abs(player.luck.deviations), '', 2),
    ),
    told(`${name}: hands adjusted a second`, (1000 * played.hands) / played.adjustingMs, '/s'),
  ];
}

report('luck', [
  ...measured('house styles', HOUSE, seed, true),
  ...measured('other styles', OTHERS, seed + 500, false),
]);
