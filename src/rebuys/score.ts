/** What ranks an entry of a pool: all its chips, less a penalty for each rebuy. In chips; may be negative. */
export function scoreOf(
  entry: { chip_balance: number; chips_at_table: number; rebuys: number },
  rebuyPenalty: number,
): number {
  return entry.chip_balance + entry.chips_at_table - entry.rebuys * rebuyPenalty;
}
