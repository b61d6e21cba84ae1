import type { HandValue } from '../cards/value.js';
import { countSeats, lowestSeat } from '../holdem/seats.js';
import { buildPots, takeUncalled } from '../holdem/pots.js';
import { Settlement } from '../holdem/settlement.js';

/** A pot before it is paid. `eligible` is a bit mask of seats. */
export interface OpenPot {
  amount: number;
  eligible: number;
}

export interface SettledChips {
  /** Main pot first. */
  pots: OpenPot[];
  total: number;
  /** The part of the last bet that nobody called; seat −1 where there is none. */
  returnedSeat: number;
  returned: number;
}

/**
 * The pots of the chips that each seat committed. `live` is a bit mask of the seats that have not folded. All of them
 * play for the `dead` chips.
 */
export function potsOfChips(committed: Int32Array, live: number, dead: number): SettledChips {
  const settlement = new Settlement();
  takeUncalled(settlement, committed, live);
  buildPots(settlement, live);
  const pots = Array.from({ length: settlement.potCount }, (_, pot) => ({
    amount: settlement.potAmount[pot]! + (pot === 0 ? dead : 0),
    eligible: settlement.potEligible[pot]!,
  }));
  const { totalPot, returnedSeat, returned } = settlement;
  return { pots, total: totalPot + dead, returnedSeat, returned };
}

/** The known hands at the showdown. Seats are bit masks. */
export interface Showdown {
  /** By seat: what its cards are worth. Without an entry they are not known. */
  values: ReadonlyMap<number, HandValue>;
  /** Seats that gave up their hand. */
  mucked: number;
}

/** The cards' result for a pot. Seats are bit masks. */
export interface PotResult {
  /** Seats that may have won it. */
  candidates: number;
  /** The candidates are its winners. */
  decided: boolean;
}

/** The cards' result for each pot. */
export const resultsOf = (pots: readonly OpenPot[], showdown: Showdown): PotResult[] =>
  pots.map(({ eligible }) => resultOf(eligible, showdown));

function resultOf(eligible: number, { values, mucked }: Showdown): PotResult {
  // A pot that one seat alone can win is that seat's, shown or not.
  const contenders = countSeats(eligible) === 1 ? eligible : eligible & ~mucked;
  if (countSeats(contenders) <= 1) return { candidates: contenders, decided: contenders !== 0 };
  let best = -1;
  let winners = 0;
  let unknown = 0;
  for (let rest = contenders; rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    const value = values.get(seat);
    if (value === undefined) {
      unknown |= 1 << seat;
      continue;
    }
    if (value > best) [best, winners] = [value, 0];
    if (value === best) winners |= 1 << seat;
  }
  return { candidates: winners | unknown, decided: unknown === 0 };
}

/** Chips of one seat from one pot. */
export interface PotShare {
  pot: number;
  seat: number;
  chips: number;
}

/**
 * The seats' shares. Pots with the same winners are divided as one. Odd chips go one at a time to the first winners
 * left of the button (protocol.md, "Rules of play"). `order` is the seats from the left of the button.
 */
export function sharesOfPots(
  pots: readonly OpenPot[],
  winners: readonly number[],
  order: readonly number[],
): PotShare[] {
  const shares: PotShare[] = [];
  let before = 0;
  for (const [pot, { amount }] of pots.entries()) {
    if (pot > 0 && winners[pot] !== winners[pot - 1]) before = 0;
    const seats = order.filter((seat) => (winners[pot]! & (1 << seat)) !== 0);
    const upTo = (chips: number, nth: number) => Math.floor((chips + seats.length - 1 - nth) / seats.length);
    for (const [nth, seat] of seats.entries()) {
      shares.push({ pot, seat, chips: upTo(before + amount, nth) - upTo(before, nth) });
    }
    before += amount;
  }
  return shares;
}

/** The least and the most that a seat may be paid, whichever way odd chips and the rake are divided. */
export function boundsOf(
  seat: number,
  pots: readonly OpenPot[],
  results: readonly PotResult[],
  rake: number,
): { least: number; most: number } {
  let least = 0;
  let most = 0;
  for (const [pot, { amount }] of pots.entries()) {
    const { candidates, decided } = results[pot]!;
    if ((candidates & (1 << seat)) === 0) continue;
    const count = decided ? countSeats(candidates) : 1;
    const share = Math.floor(amount / count);
    if (decided) least += share;
    most += share + (amount % count);
  }
  return { least: Math.max(0, least - rake), most };
}
