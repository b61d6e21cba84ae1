import { MAX_SEATS } from '../../holdem/types.js';
import type { TableView } from '../strategy.js';

/**
 * What others may hold, by what they did before the flop: the share of the best starting hands that does so. Round
 * figures of what players at full tables do; 1: anything.
 */
const RANGE = { anything: 1, limp: 0.55, call: 0.3, open: 0.22, reraise: 0.09 } as const;

const seen = new Float32Array(MAX_SEATS);

/**
 * The ranges of those who may still win besides the hero, seat by seat. `balance` (0–1) widens them: who plays by
 * frequencies does not read others.
 */
export function rangesOf(view: TableView, hero: number, balance: number): number[] {
  readActions(view);
  const ranges: number[] = [];
  for (const { seat, inHand, folded } of view.seats) {
    if (seat !== hero && inHand && !folded) ranges.push(seen[seat]! + (RANGE.anything - seen[seat]!) * balance);
  }
  return ranges;
}

function readActions({ actions }: TableView): void {
  seen.fill(RANGE.anything);
  let raises = 0;
  for (const { seat, action, street } of actions) {
    if (street !== 'preflop') return;
    if (action === 'raise' || action === 'all_in') seen[seat] = raises++ === 0 ? RANGE.open : RANGE.reraise;
    else if (action === 'call') seen[seat] = Math.min(seen[seat]!, raises === 0 ? RANGE.limp : RANGE.call);
  }
}
