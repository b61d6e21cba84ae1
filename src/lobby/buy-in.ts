/** What a player may bring to a table, in chips. */
export interface BuyInRules {
  minimum: number;
  maximum: number;
  standard: number;
  /** What becomes of a wish outside the range: the standard buy-in, or a refusal. */
  outOfRange: 'default' | 'reject';
  /** What becomes of a wish in range that the balance does not cover: the whole balance, or a refusal. */
  aboveBalance: 'clamp' | 'reject';
}

export const SEASON_BUY_IN = { minimum: 1000, maximum: 5000, standard: 2000 } as const;

/**
 * The chips to sit down with, from the wish of join_lobby and the balance (protocol.md, "Buy-in"). What the balance
 * does not cover shrinks to it, since most bots ask for 2,000 for ever and a rebuy gives 1,500.
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
