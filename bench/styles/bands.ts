import { createStrategy, STRATEGY_NAMES, type StrategyName } from '../../src/bots/index.js';
import { playHands, type SeatCounts } from './sparring.js';

/** The figures that a template's name promises, as bands. Players tell each other's styles by these figures. */

/** As protocol/rest/analytics.ts defines them. */
export interface Figures {
  vpip: number;
  pfr: number;
  /** Bets and raises to a call, after the flop. */
  aggression: number;
}

type Band = readonly [low: number, high: number];
export type Bands = { readonly [F in keyof Figures]: Band };

/** All six styles play at one table. Any two of them have no value in common in one figure at least. */
export const BANDS: Readonly<Record<StrategyName, Bands>> = {
  /** Tight and aggressive. */
  shark: { vpip: [0.16, 0.22], pfr: [0.13, 0.18], aggression: [2.3, 3.5] },
  /** Tighter than anybody, and raises only with what is good enough. */
  rock: { vpip: [0.07, 0.13], pfr: [0.04, 0.08], aggression: [1.1, 2.4] },
  /** Loose and wild: calls as gladly as it raises. */
  gambler: { vpip: [0.55, 0.7], pfr: [0.28, 0.4], aggression: [1.3, 2.3] },
  /** Loose, and bets more than it has. */
  bluffer: { vpip: [0.3, 0.4], pfr: [0.23, 0.32], aggression: [3.5, 6] },
  /** The middle of everything. */
  gto_lite: { vpip: [0.24, 0.3], pfr: [0.15, 0.21], aggression: [1.9, 2.9] },
  /** Plays nearly anything, raises nearly nothing. */
  calling_station: { vpip: [0.55, 0.72], pfr: [0, 0.05], aggression: [0, 0.6] },
};

/** All six at one table, so many hands from this seed. */
export function measureStyles(
  hands: number,
  seed: number,
  onHand?: (played: number) => void,
): Record<StrategyName, Figures> {
  const minds = STRATEGY_NAMES.map((name, i) => createStrategy(name, seed + i));
  const { conduct } = playHands(minds, hands, seed, undefined, onHand);
  const measured = STRATEGY_NAMES.map((name, i) => [name, figuresOf(conduct[i]!)]);
  return Object.fromEntries(measured) as Record<StrategyName, Figures>;
}

const figuresOf = ({ hands, vpip, pfr, raises, calls }: SeatCounts): Figures => ({
  vpip: vpip / hands,
  pfr: pfr / hands,
  aggression: raises / Math.max(1, calls),
});

/** The figures outside of the band, such as `vpip`, `pfr` or `aggression`. */
export function outside(figures: Figures, bands: Bands): (keyof Figures)[] {
  const names = Object.keys(bands) as (keyof Figures)[];
  return names.filter((name) => figures[name] < bands[name][0] || figures[name] > bands[name][1]);
}
