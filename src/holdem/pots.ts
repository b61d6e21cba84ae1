import { EventKind, type HandLog } from './log.js';
import { countSeats, lowestSeat, nextSeat } from './seats.js';
import type { Settlement } from './settlement.js';
import { MAX_SEATS } from './types.js';

/** Takes the uncalled part of the highest bet off the contributions: what no other seat has matched goes back first. */
export function takeUncalled(t: Settlement, committed: Int32Array, live: number): void {
  let seat = lowestSeat(live);
  for (let rest = live; rest !== 0; rest &= rest - 1) {
    if (committed[lowestSeat(rest)]! > committed[seat]!) seat = lowestSeat(rest);
  }
  let matched = 0;
  let total = 0;
  for (let other = 0; other < MAX_SEATS; other++) {
    const chips = committed[other]!;
    t.contributed[other] = chips;
    total += chips;
    if (other !== seat && chips > matched) matched = chips;
  }
  const uncalled = Math.max(0, committed[seat]! - matched);
  t.returned = uncalled;
  t.returnedSeat = uncalled > 0 ? seat : -1;
  t.contributed[seat] = committed[seat]! - uncalled;
  t.totalPot = total - uncalled;
}

/**
 * Splits the contributions into pots, one for each distinct contribution of a live seat, main pot first. Each pot's
 * eligible set is smaller than the one before, so that equal sets never stand apart. Folded chips stay in.
 */
export function buildPots(t: Settlement, live: number): void {
  t.potCount = 0;
  let base = 0;
  let left = t.totalPot;
  for (let eligible = live; eligible !== 0;) {
    const level = lowestContribution(t, eligible);
    const above = seatsAbove(t, eligible, level);
    const amount = above === 0 ? left : layer(t, base, level);
    t.potAmount[t.potCount] = amount;
    t.potEligible[t.potCount] = eligible;
    t.potCount++;
    left -= amount;
    base = level;
    eligible = above;
  }
}

function lowestContribution(t: Settlement, seats: number): number {
  let lowest = t.contributed[lowestSeat(seats)]!;
  for (let rest = seats; rest !== 0; rest &= rest - 1) {
    const chips = t.contributed[lowestSeat(rest)]!;
    if (chips < lowest) lowest = chips;
  }
  return lowest;
}

function seatsAbove(t: Settlement, seats: number, level: number): number {
  let above = 0;
  for (let rest = seats; rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    if (t.contributed[seat]! > level) above |= 1 << seat;
  }
  return above;
}

/** Everybody's chips between two levels of contribution. */
function layer(t: Settlement, base: number, level: number): number {
  let amount = 0;
  for (let seat = 0; seat < MAX_SEATS; seat++) {
    const chips = t.contributed[seat]!;
    if (chips > base) amount += Math.min(chips, level) - base;
  }
  return amount;
}

/**
 * Pays every pot to the best hands among its eligible seats, by `t.values`. Pots that go to the same winners are
 * divided as one: with the beaten hands out of the way their eligible sets are equal.
 */
export function payPots(t: Settlement, button: number, log: HandLog): void {
  for (let pot = 0; pot < t.potCount; pot++) t.potWinners[pot] = bestSeats(t, t.potEligible[pot]!);
  for (let pot = 0; pot < t.potCount;) {
    const first = pot;
    let amount = 0;
    for (; pot < t.potCount && t.potWinners[pot] === t.potWinners[first]; pot++) amount += t.potAmount[pot]!;
    share(t, first, amount, button, log);
  }
}

function bestSeats(t: Settlement, eligible: number): number {
  let best = -1;
  let winners = 0;
  for (let rest = eligible; rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    const value = t.values[seat]!;
    if (value > best) {
      best = value;
      winners = 1 << seat;
    } else if (value === best) {
      winners |= 1 << seat;
    }
  }
  return winners;
}

/** Equal shares; odd chips go one at a time clockwise from the first winner left of the button. */
function share(t: Settlement, pot: number, amount: number, button: number, log: HandLog): void {
  const winners = t.potWinners[pot]!;
  const count = countSeats(winners);
  const equal = Math.floor(amount / count);
  const odd = amount - equal * count;
  let seat = button;
  for (let i = 0; i < count; i++) {
    seat = nextSeat(winners, seat);
    const chips = i < odd ? equal + 1 : equal;
    t.payouts[seat] = t.payouts[seat]! + chips;
    log.append(EventKind.payout, seat, chips, pot);
  }
}
