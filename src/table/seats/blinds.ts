import { assert, assertWhole } from '../../ops/assert.js';
import { smallBlindSeat } from '../../holdem/deal.js';
import { nextButton, type ButtonInput } from '../../holdem/button.js';
import { atMostOne, countSeats, nextSeat } from '../../holdem/seats.js';

/**
 * Blinds of a player over its stays in a pool (protocol.md, "Return posts"). A big blind pays for one orbit. A player
 * that leaves with fewer paid hands than it would play before its next big blind has dodged that blind.
 */

/** The pool's memory of a player that left a table by itself; see Sitting. */
export interface BlindDebt {
  /** Hands that its last big blind still pays for. */
  paidHands: number;
  /** It came back in the small blind once, which took the place of the post. Only a big blind allows that again. */
  excused: boolean;
}

/** The least time for which a leave is remembered. */
const LEAST_MS = 300_000;
/** Hands of an orbit at a full table. */
const ORBIT = 6;

/** The ms for which a leave is remembered at a table with hands of this length. */
export const memoryMs = (handMs: number): number => Math.max(LEAST_MS, Math.ceil(ORBIT * handMs));

/** A seat's part in it. */
export class SeatBlinds implements BlindDebt {
  /** due: its first hand here takes a big blind. */
  #part: 'new' | 'due' | 'dealt' = 'new';
  paidHands = 0;
  excused = false;

  /** The player came back; `before`: hands until this seat is the big blind. */
  comesBack({ paidHands, excused }: BlindDebt, before: number): void {
    assertWhole(paidHands, 'the hands that a big blind pays for');
    assertWhole(before, 'the hands before a big blind');
    this.paidHands = paidHands;
    this.excused = excused;
    assert(this.#part === 'new', 'a player comes back before its first hand here', this.#part);
    if (before > paidHands) this.#part = 'due';
  }

  /** Its first hand takes a big blind. */
  get due(): boolean {
    return this.#part === 'due';
  }

  /** After a hand of so many players that it was dealt. */
  played(place: 'big_blind' | 'small_blind' | 'other', players: number): void {
    assert(players >= 2, 'a hand has two players', players);
    if (place === 'big_blind') {
      this.paidHands = players - 1;
      this.excused = false;
    } else {
      this.paidHands = Math.max(0, this.paidHands - 1);
      if (this.due && place === 'small_blind') this.excused = true;
    }
    this.#part = 'dealt';
  }

  /** The debt to remember when its player leaves by itself. Null for none. */
  get debt(): BlindDebt | null {
    const { paidHands, excused } = this;
    return this.#part === 'new' ? null : { paidHands, excused };
  }
}

/** How many hands are dealt before the seat is the big blind, if everybody stays. Alone at a table: a whole orbit. */
export function handsToBigBlind(seat: number, input: Required<ButtonInput>): number {
  const { dealt, headsUpBlinds } = input;
  if (atMostOne(dealt)) return ORBIT;
  const small = smallBlindSeat(dealt, nextButton(input), headsUpBlinds);
  let hands = 0;
  for (let big = nextSeat(dealt, small); big !== seat && hands < countSeats(dealt); big = nextSeat(dealt, big)) hands++;
  assert(hands <= countSeats(dealt), 'a seat is the big blind within an orbit', hands);
  return hands;
}
