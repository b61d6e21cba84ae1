/** What a player may bring to a table, in chips. */
export interface BuyInRules {
  minimum: number;
  maximum: number;
  standard: number;
  /** What becomes of a wish outside the range: the standard buy-in, or a refusal. */
  outOfRange: 'default' | 'reject';
}

export const SEASON_BUY_IN = { minimum: 1000, maximum: 5000, standard: 2000 } as const;

/**
 * The chips to sit down with, from the wish of join_lobby and the balance (RULINGS §6). The standard buy-in shrinks to
 * a balance below it, so that a default bot can sit down after a rebuy of 1,500; a wish in range is taken at its word.
 */
export function buyInOf(
  wish: number | null,
  balance: number,
  rules: BuyInRules,
): number | 'invalid_buy_in' | 'insufficient_season_chips' {
  const inRange = wish !== null && wish >= rules.minimum && wish <= rules.maximum && Number.isInteger(wish);
  if (wish !== null && !inRange && rules.outOfRange === 'reject') return 'invalid_buy_in';
  if (balance < rules.minimum) return 'insufficient_season_chips';
  if (!inRange) return Math.min(rules.standard, balance);
  return wish > balance ? 'insufficient_season_chips' : wish;
}
