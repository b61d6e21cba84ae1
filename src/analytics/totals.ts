/**
 * The counters of an agent's hands: each name is a column of the table `analytics` (protocol/rest/analytics.ts defines them).
 */
export const COUNTERS = [
  ...(['hands', 'hands_won', 'vpip', 'pfr'] as const),
  ...(['three_bet_chances', 'three_bets', 'three_bets_faced', 'three_bet_folds'] as const),
  ...(['cbet_chances', 'cbets', 'cbets_won', 'flops', 'showdowns', 'showdowns_won'] as const),
  ...(['bets_and_raises', 'calls', 'profit', 'showdown_profit'] as const),
  ...(['bb', 'bb_squares', 'adjusted_bb', 'adjusted_bb_squares', 'bb_risk', 'bb_chance'] as const),
  // Hands that bb_risk and bb_chance cover. Fewer than `hands` if an older release has counted some.
  'staked_hands',
  // Results less luck (src/value): of hands in pools with this release's value function. Millionths of a big blind.
  ...(['luck_hands', 'luck_millionths', 'luck_bb_squares'] as const),
] as const;
export type CounterTotals = Record<(typeof COUNTERS)[number], number>;

/**
 * The sums of results less luck that may leave the server, of LUCK_STEP hands each (value/luck.ts): columns of
 * `analytics`, too.
 */
export const LUCK_SHOWN = ['luck_shown_hands', 'luck_shown_millionths', 'luck_shown_squares'] as const;

/** Counters of big blinds, which are fractions. The others are whole numbers. */
export const FRACTIONS: ReadonlySet<string> = new Set(COUNTERS.filter((name) => /(^|_)bb(_|$)/.test(name)));

/** Counters that keep the largest value of all hands, and no sum. */
export const MAXIMA: ReadonlySet<string> = new Set<keyof CounterTotals>(['bb_risk', 'bb_chance']);

export const noTotals = (): CounterTotals => Object.fromEntries(COUNTERS.map((name) => [name, 0])) as CounterTotals;

/** The counters of each position and of each starting hand are some of them. */
export const POSITION_COUNTERS = ['hands', 'hands_won', 'vpip', 'pfr', 'bb', 'bb_squares'] as const;
export type PositionTotals = Pick<CounterTotals, (typeof POSITION_COUNTERS)[number]>;
export const STARTING_HAND_COUNTERS = ['hands', 'bb', 'bb_squares'] as const;
export type StartingHandTotals = Pick<CounterTotals, (typeof STARTING_HAND_COUNTERS)[number]>;

/** Adds `more` to `to`, for the counters that `to` has; the larger one of maxima. */
export function add<K extends string>(to: Record<K, number>, more: Readonly<Record<NoInfer<K>, number>>): void {
  for (const name in to) to[name] = MAXIMA.has(name) ? Math.max(to[name], more[name]) : to[name] + more[name];
}
