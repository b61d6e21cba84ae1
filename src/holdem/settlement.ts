import { MAX_SEATS, type HandOutcome, type Pot } from './types.js';

/** The numbers of a settled hand, reused from hand to hand; `Outcome` is the public copy of them. */
export class Settlement {
  returnedSeat = -1;
  returned = 0;
  totalPot = 0;
  readonly contributed = new Int32Array(MAX_SEATS);
  readonly payouts = new Int32Array(MAX_SEATS);
  potCount = 0;
  readonly potAmount = new Int32Array(MAX_SEATS);
  readonly potEligible = new Int32Array(MAX_SEATS);
  readonly potWinners = new Int32Array(MAX_SEATS);
  showdown = false;
  shown = 0;
  showCount = 0;
  /** Seats in showdown order; the first `showCount` count. */
  readonly showOrder = new Int32Array(MAX_SEATS);
  readonly values = new Int32Array(MAX_SEATS);
}

/** A copy of the settled hand for the world outside; `stack` is the chips behind at the end, not paid out yet. */
export function outcomeOf(t: Settlement, stack: Int32Array): HandOutcome {
  const pots: Pot[] = [];
  for (let i = 0; i < t.potCount; i++) {
    pots.push({ amount: t.potAmount[i]!, eligible: t.potEligible[i]!, winners: t.potWinners[i]! });
  }
  const finalStacks = stack.map((chips, seat) => chips + t.payouts[seat]!);
  if (t.returnedSeat >= 0) finalStacks[t.returnedSeat] = finalStacks[t.returnedSeat]! + t.returned;
  return {
    totalPot: t.totalPot,
    pots,
    payouts: t.payouts.slice(),
    contributed: t.contributed.slice(),
    returnedSeat: t.returnedSeat,
    returned: t.returned,
    showdown: t.showdown,
    shown: t.shown,
    showOrder: Array.from(t.showOrder.subarray(0, t.showCount)),
    values: t.values.slice(),
    finalStacks,
  };
}
