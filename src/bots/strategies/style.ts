/** How a bot plays, as numbers from 0 to 1: another character is another row of STYLES, not another program. */
export interface Style {
  /** Share of starting hands it puts money in with, at a full table from a middle seat. */
  vpip: number;
  /** Share of starting hands it opens with a raise. */
  pfr: number;
  /** Share of starting hands it raises again with. */
  threeBet: number;
  /** How little it takes to bet and raise after the flop, and how much. */
  aggression: number;
  /** How often it bets with nothing. */
  bluff: number;
  /** How lightly it calls: 0 only well ahead of the price, 1 far below it. */
  callDown: number;
  /** 0: bets and calls by its own odds; 1: by the frequencies that leave an opponent nothing to exploit. */
  balance: number;
  /** How much a big loss loosens it for a while. */
  tilt: number;
}

export const STYLES = {
  /** Odds first: few hands, played hard, folded when the price is wrong. */
  shark: {
    vpip: 0.2,
    pfr: 0.17,
    threeBet: 0.07,
    aggression: 0.75,
    bluff: 0.15,
    callDown: 0.35,
    balance: 0.2,
    tilt: 0,
  },
  /** Waits for the best hands and trusts nobody who raises. */
  rock: { vpip: 0.11, pfr: 0.07, threeBet: 0.02, aggression: 0.3, bluff: 0.02, callDown: 0.2, balance: 0, tilt: 0 },
  /** Any two cards may win. */
  gambler: {
    vpip: 0.6,
    pfr: 0.34,
    threeBet: 0.14,
    aggression: 0.75,
    bluff: 0.25,
    callDown: 0.7,
    balance: 0,
    tilt: 0.8,
  },
  /** Represents what it does not have. */
  bluffer: {
    vpip: 0.36,
    pfr: 0.3,
    threeBet: 0.12,
    aggression: 0.6,
    bluff: 0.6,
    callDown: 0.3,
    balance: 0,
    tilt: 0.2,
  },
  /** Mixes bets and calls by the size of the bet. */
  gto_lite: {
    vpip: 0.29,
    pfr: 0.22,
    threeBet: 0.08,
    aggression: 0.5,
    bluff: 0.2,
    callDown: 0.5,
    balance: 1,
    tilt: 0,
  },
  /** Wants to see it. */
  calling_station: {
    vpip: 0.65,
    pfr: 0.03,
    threeBet: 0.01,
    aggression: 0.08,
    bluff: 0.02,
    callDown: 0.95,
    balance: 0,
    tilt: 0.1,
  },
} as const satisfies Record<string, Style>;

export type StrategyName = keyof typeof STYLES;
export const STRATEGY_NAMES = Object.keys(STYLES) as StrategyName[];

/** The style of somebody who is `heat` (0–1) angry. */
export function heated(style: Style, heat: number): Style {
  const rage = style.tilt * heat;
  if (rage < 0.01) return style;
  const up = (value: number, by: number) => Math.min(1, value + by * rage);
  return {
    ...style,
    vpip: up(style.vpip, 0.3),
    pfr: up(style.pfr, 0.25),
    threeBet: up(style.threeBet, 0.1),
    aggression: up(style.aggression, 0.2),
    bluff: up(style.bluff, 0.25),
    callDown: up(style.callDown, 0.25),
  };
}
