import type { Act, Street } from './types.js';

/**
 * The events of a hand as numbers: records of `EVENT_SIZE` Int32 words, in the order of events. The same setup and the
 * same actions always give the same words.
 *
 * | kind     | seat       | amount                             | detail                                        |
 * | -------- | ---------- | ---------------------------------- | --------------------------------------------- |
 * | blind    | who posted | chips posted (less when short)     | 0 small blind, 1 big blind, 2 return post     |
 * | action   | who acted  | fold, check 0; call, all-in chips  | act (bits 0–7), street it was taken on        |
 * |          |            | added; raise the raise-to total    | (bits 8–15)                                   |
 * | street   | −1         | the street now open                | its new cards, 6 bits each, card + 1, 0 = none |
 * | returned | who got it | uncalled chips that went back      | 0                                             |
 * | show     | who showed | evaluator value of the hand        | the two cards, 6 bits each, card + 1          |
 * | muck     | who mucked | 0                                  | 0                                             |
 * | payout   | who won    | chips won from this pot and those  | index of the pot, 0 = main pot                |
 * |          |            | after it that the same seats win   |                                               |
 *
 * The order of a log: blinds, return posts from the left of the button, then actions and streets as they come, and
 * `returned` if any. Then come `show` and `muck` in showdown order, and `payout` pot by pot, winners clockwise from the
 * left of the button.
 */
export const EventKind = { blind: 0, action: 1, street: 2, returned: 3, show: 4, muck: 5, payout: 6 } as const;
export type EventKind = (typeof EventKind)[keyof typeof EventKind];

/** The detail of a `blind` event. */
export const Post = { smallBlind: 0, bigBlind: 1, return: 2 } as const;
export type Post = (typeof Post)[keyof typeof Post];

export const EVENT_SIZE = 4;

/** Room for the longest ordinary hand; a raising war beyond it makes the log grow once or twice. */
const INITIAL_EVENTS = 128;

/** An append-only list of events that is emptied, never thrown away, between hands. */
export class HandLog {
  /** The words; only the first `length * EVENT_SIZE` count. Replaced by a longer array when it grows. */
  words = new Int32Array(INITIAL_EVENTS * EVENT_SIZE);
  /** Number of events. */
  length = 0;

  clear(): void {
    this.length = 0;
  }

  append(kind: EventKind, seat: number, amount: number, detail: number): void {
    const at = this.length * EVENT_SIZE;
    if (at === this.words.length) this.grow();
    const words = this.words;
    words[at] = kind;
    words[at + 1] = seat;
    words[at + 2] = amount;
    words[at + 3] = detail;
    this.length++;
  }

  kind(event: number): EventKind {
    return this.words[event * EVENT_SIZE]! as EventKind;
  }

  seat(event: number): number {
    return this.words[event * EVENT_SIZE + 1]!;
  }

  amount(event: number): number {
    return this.words[event * EVENT_SIZE + 2]!;
  }

  detail(event: number): number {
    return this.words[event * EVENT_SIZE + 3]!;
  }

  /** The bytes of the log so far, copied. */
  bytes(): Uint8Array {
    return new Uint8Array(this.words.slice(0, this.length * EVENT_SIZE).buffer);
  }

  private grow(): void {
    const longer = new Int32Array(this.words.length * 2);
    longer.set(this.words);
    this.words = longer;
  }
}

/** The act of an `action` event's detail. */
export function actOf(detail: number): Act {
  return (detail & 0xff) as Act;
}

/** The street an `action` event was taken on. */
export function streetOf(detail: number): Street {
  return (detail >> 8) as Street;
}

/** Up to three cards as one detail word; −1 for a place not used. */
export function packCards(first: number, second = -1, third = -1): number {
  return (first + 1) | ((second + 1) << 6) | ((third + 1) << 12);
}

/** The cards of a `street` or `show` event's detail. */
export function unpackCards(detail: number): number[] {
  const cards: number[] = [];
  for (let rest = detail; rest !== 0; rest >>= 6) cards.push((rest & 63) - 1);
  return cards;
}
