import type { Card } from '../../cards/card.js';
import type { Hand } from '../../holdem/hand.js';
import { actOf, EventKind, streetOf, unpackCards, type Post } from '../../holdem/log.js';
import { Act, MAX_SEATS, type Street } from '../../holdem/types.js';
import type { HandAction } from '../../table/effects.js';

/** What happened in a hand, in the words of hand histories: an all-in is a call, a bet or a raise there. */
export type StoryStep =
  | { kind: 'blind'; seat: number; amount: number; post: Post; allIn: boolean }
  | { kind: 'fold' | 'check'; seat: number; street: Street; timeout: boolean }
  /** `amount` is added. */
  | { kind: 'call'; seat: number; street: Street; amount: number; allIn: boolean }
  /** `to` is the player's whole bet on the street, `by` what it is above the price so far. */
  | { kind: 'bet' | 'raise'; seat: number; street: Street; to: number; by: number; allIn: boolean }
  | { kind: 'street'; street: Street; cards: Card[] }
  | { kind: 'returned'; seat: number; amount: number }
  | { kind: 'show'; seat: number; cards: Card[]; value: number }
  | { kind: 'muck'; seat: number };

/** The story of a hand that is over; `actions` are its own, for what the engine does not know of them. */
export function storyOf(hand: Hand, actions: readonly HandAction[]): StoryStep[] {
  const writer = new StoryWriter(hand);
  let action = 0;
  for (let event = 0; event < hand.log.length; event++) {
    const timeout = hand.log.kind(event) === EventKind.action && actions[action++]!.timeout;
    writer.event(event, timeout);
  }
  return writer.steps;
}

class StoryWriter {
  readonly steps: StoryStep[] = [];
  readonly #bet = new Int32Array(MAX_SEATS);
  readonly #behind: Int32Array;
  #price: number;
  /** Where the betting ended: uncalled chips go back there, before the cards that nobody bet on. */
  #betting = 0;

  constructor(private readonly hand: Hand) {
    this.#behind = Int32Array.from(hand.setup.stacks);
    this.#price = hand.setup.bigBlind;
  }

  event(event: number, timeout: boolean): void {
    const { log } = this.hand;
    const [seat, amount, detail] = [log.seat(event), log.amount(event), log.detail(event)];
    switch (log.kind(event)) {
      case EventKind.blind:
        this.#put(seat, amount);
        this.#decided({ kind: 'blind', seat, amount, post: detail as Post, allIn: this.#behind[seat] === 0 });
        break;
      case EventKind.action:
        this.#action(seat, actOf(detail), amount, streetOf(detail), timeout);
        break;
      case EventKind.street:
        this.#bet.fill(0);
        this.#price = 0;
        this.steps.push({ kind: 'street', street: amount as Street, cards: unpackCards(detail) });
        break;
      case EventKind.returned:
        this.steps.splice(this.#betting, 0, { kind: 'returned', seat, amount });
        break;
      case EventKind.show:
        this.steps.push({ kind: 'show', seat, cards: unpackCards(detail), value: amount });
        break;
      case EventKind.muck:
        this.steps.push({ kind: 'muck', seat });
        break;
      case EventKind.payout:
        // Written pot by pot elsewhere: see shares.ts.
        break;
    }
  }

  #action(seat: number, act: Act, amount: number, street: Street, timeout: boolean): void {
    if (act === Act.fold || act === Act.check) {
      return this.#decided({ kind: act === Act.fold ? 'fold' : 'check', seat, street, timeout });
    }
    const added = act === Act.raise ? amount - this.#bet[seat]! : amount;
    this.#put(seat, added);
    const [to, price, allIn] = [this.#bet[seat]!, this.#price, this.#behind[seat] === 0];
    if (to <= price) return this.#decided({ kind: 'call', seat, street, amount: added, allIn });
    this.#price = to;
    this.#decided({ kind: price === 0 ? 'bet' : 'raise', seat, street, to, by: to - price, allIn });
  }

  #put(seat: number, chips: number): void {
    this.#bet[seat] = this.#bet[seat]! + chips;
    this.#behind[seat] = this.#behind[seat]! - chips;
  }

  #decided(step: StoryStep): void {
    this.steps.push(step);
    this.#betting = this.steps.length;
  }
}
