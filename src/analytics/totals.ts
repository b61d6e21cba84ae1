/**
 * The counters of an agent's hands: each name is a column of the table `analytics` (protocol/rest/analytics.ts defines them).
 */
export const COUNTERS = [
  ...(['hands', 'hands_won', 'vpip', 'pfr'] as const),
  ...(['three_bet_chances', 'three_bets', 'three_bets_faced', 'three_bet_folds'] as const),
  ...(['cbet_chances', 'cbets', 'cbets_won', 'flops', 'showdowns', 'showdowns_won'] as const),
  ...(['bets_and_raises', 'calls', 'profit', 'showdown_profit'] as const),
  ...(['bb', 'bb_squares', 'adjusted_bb', 'adjusted_bb_squares'] as const),
] as const;
export type CounterTotals = Record<(typeof COUNTERS)[number], number>;

export const noTotals = (): CounterTotals => Object.fromEntries(COUNTERS.map((name) => [name, 0])) as CounterTotals;

/** The counters of each position and of each starting hand are some of them. */
export const POSITION_COUNTERS = ['hands', 'hands_won', 'vpip', 'pfr', 'bb'] as const;
export type PositionTotals = Pick<CounterTotals, (typeof POSITION_COUNTERS)[number]>;
export const STARTING_HAND_COUNTERS = ['hands', 'bb'] as const;
export type StartingHandTotals = Pick<CounterTotals, (typeof STARTING_HAND_COUNTERS)[number]>;

/** Adds `more` to `to`, for the counters that `to` has. */
export function add<K extends string>(to: Record<K, number>, more: Readonly<Record<NoInfer<K>, number>>): void {
  for (const name in to) to[name] += more[name];
}
