/** The chips that a player may bring to a table. */
export interface BuyInRules {
  minimum: number;
  maximum: number;
  standard: number;
  /** A wish outside the range becomes the standard buy-in, or is refused. */
  outOfRange: 'default' | 'reject';
  /** A wish above the balance becomes the whole balance, or is refused. */
  aboveBalance: 'clamp' | 'reject';
}

export const SEASON_BUY_IN = { minimum: 1000, maximum: 5000, standard: 2000 } as const;

/**
 * The chips to sit down with, from the wish of join_lobby and the balance (protocol.md, "Buy-in"). A wish above the
 * balance shrinks to the balance: most bots always ask for 2,000, and a rebuy gives 1,500.
 */
export function buyInOf(
  wish: number | null,
  balance: number,
  rules: BuyInRules,
): number | 'invalid_buy_in' | 'insufficient_season_chips' {
  const inRange = wish !== null && wish >= rules.minimum && wish <= rules.maximum;
  if (wish !== null && !inRange && rules.outOfRange === 'reject') return 'invalid_buy_in';
  if (balance < rules.minimum) return 'insufficient_season_chips';
  if (!inRange) return Math.min(rules.standard, balance);
  return wish > balance && rules.aboveBalance === 'reject' ? 'insufficient_season_chips' : Math.min(wish, balance);
}
