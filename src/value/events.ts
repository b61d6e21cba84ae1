import { Settlement } from '../holdem/settlement.js';
import type { Hand } from '../holdem/hand.js';
import { atMostOne } from '../holdem/seats.js';
import { liveSeats } from '../holdem/state.js';
import { buildPots, takeUncalled } from '../holdem/pots.js';
import { Act, MAX_SEATS, Street } from '../holdem/types.js';
import type { DrawnMix, MixedPart } from '../table/mix.js';

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

/** A mixed action: a moment of a hand at which chance draws one of its parts. */
export interface MixEvent {
  /** Board cards came so many times before it. */
  after: number;
  /** Number of the part that was drawn. Nothing else of the event depends on the draw. */
  drawn: number;
  /** The probability of each part, and the hand as the part leaves it: before the cards that may come next. */
  parts: readonly { p: number; left: ChanceEvent }[];
}

/** The moments of a hand at which chance decides, each kind in order. */
export interface Chances {
  readonly events: readonly ChanceEvent[];
  readonly mixes: readonly MixEvent[];
}

/** Collects the chances of a hand that is being played: look after the start and after every action. */
export class ChanceLog implements Chances {
  readonly events: ChanceEvent[] = [];
  readonly mixes: MixEvent[] = [];
  #street: Street = Street.preflop;
  readonly #committed = new Int32Array(MAX_SEATS);
  readonly #stack = new Int32Array(MAX_SEATS);

  begin(hand: Hand): void {
    this.events.length = 0;
    this.mixes.length = 0;
    this.#street = Street.preflop;
    this.look(hand);
  }

  look(hand: Hand): void {
    const live = liveSeats(hand);
    this.#committed.set(hand.committed);
    this.#stack.set(hand.stack);
    const { street, over } = hand;
    if (street === this.#street || (live & (live - 1)) === 0) return;
    const pots = potsOf(this.#committed, live);
    this.events.push({ street: this.#street, closed: over, live, stack: this.#stack.slice(), pots });
    this.#street = street;
  }

  /** Takes a mixed action of the player to act, before what was drawn of it is played. */
  mix(hand: Hand, { parts, part }: Pick<DrawnMix, 'parts' | 'part'>): void {
    this.mixes.push({
      after: this.events.length,
      drawn: part,
      parts: parts.map((each) => ({ p: each.p, left: afterPart(hand, each) })),
    });
  }
}

function potsOf(committed: Int32Array, live: number): Settlement {
  const pots = new Settlement();
  takeUncalled(pots, committed, live);
  buildPots(pots, live);
  return pots;
}

/** A hand as a part of the actor's mix leaves it. A fold where checking is free is a check. */
function afterPart(hand: Hand, { act, amount }: Pick<MixedPart, 'act' | 'amount'>): ChanceEvent {
  const { actor: seat, street, currentBet } = hand;
  const [committed, stack] = [hand.committed.slice(), hand.stack.slice()];
  const owed = currentBet - hand.bet[seat]!;
  const folds = act === Act.fold && owed > 0;
  let chips = 0;
  if (act === Act.call) chips = Math.min(owed, stack[seat]!);
  else if (act === Act.raise) chips = amount! - hand.bet[seat]!;
  else if (act === Act.allIn) chips = stack[seat]!;
  committed[seat] = committed[seat]! + chips;
  stack[seat] = stack[seat]! - chips;
  const live = liveSeats(hand) & ~(folds ? 1 << seat : 0);
  return { street, closed: nobodyBets(committed, stack, live), live, stack, pots: potsOf(committed, live) };
}

/** Whether at most one live seat has chips, and that seat owes none. */
function nobodyBets(committed: Int32Array, stack: Int32Array, live: number): boolean {
  let [withChips, most, least] = [0, 0, Infinity];
  for (let seat = 0; seat < MAX_SEATS; seat++) {
    if ((live & (1 << seat)) === 0) continue;
    most = Math.max(most, committed[seat]!);
    if (stack[seat] === 0) continue;
    withChips |= 1 << seat;
    least = Math.min(least, committed[seat]!);
  }
  return atMostOne(live) || withChips === 0 || (atMostOne(withChips) && least === most);
}
