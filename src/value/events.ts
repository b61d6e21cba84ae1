import { Settlement } from '../holdem/settlement.js';
import type { Hand } from '../holdem/hand.js';
import { liveSeats } from '../holdem/state.js';
import { buildPots, takeUncalled } from '../holdem/pots.js';
import { MAX_SEATS, Street } from '../holdem/types.js';

/** Board cards that are open on a street. */
export const OPEN_CARDS = [0, 3, 4, 5] as const;

/** A moment of a hand at which the next board cards come, with what is known before them. Chips by seat. */
export interface ChanceEvent {
  /** The street that the event ends. */
  street: Street;
  /** Nobody can bet any more: all missing cards come at once. */
  closed: boolean;
  live: number;
  /** Chips behind. */
  stack: Int32Array;
  /** The pots so far, without uncalled chips. */
  pots: Settlement;
}

/** Collects the chance events of a hand that is being played: look after the start and after every action. */
export class ChanceLog {
  readonly events: ChanceEvent[] = [];
  #street: Street = Street.preflop;
  readonly #committed = new Int32Array(MAX_SEATS);
  readonly #stack = new Int32Array(MAX_SEATS);

  begin(hand: Hand): void {
    this.events.length = 0;
    this.#street = Street.preflop;
    this.look(hand);
  }

  look(hand: Hand): void {
    const live = liveSeats(hand);
    this.#committed.set(hand.committed);
    this.#stack.set(hand.stack);
    const { street, over } = hand;
    if (street === this.#street || (live & (live - 1)) === 0) return;
    const pots = new Settlement();
    takeUncalled(pots, this.#committed, live);
    buildPots(pots, live);
    this.events.push({ street: this.#street, closed: over, live, stack: this.#stack.slice(), pots });
    this.#street = street;
  }
}
