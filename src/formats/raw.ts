import type { AmountUnit, PostWord } from './hand.js';

/** One hand as a file states it, before it is reconciled. Each statement has its line, from 1 within the file. */
export interface RawHand {
  handId: string | null;
  tableId: string | null;
  title: string;
  handNumber: number | null;
  startedAt: string | null;
  unit: AmountUnit;
  smallBlind: number;
  bigBlind: number;
  /** The least bet of a street. */
  leastBet: number;
  /** The seat may be empty. */
  button: number;
  /** In seat order, with seats below MAX_SEATS. */
  seats: readonly RawSeat[];
  statements: readonly Statement[];
  /** `engine`: the rules of src/holdem accept each action. `room`: other rooms let a player fold for nothing. */
  rules: 'engine' | 'room';
  /** Rooms pay an odd chip as they like, and some state no rake although they take one. */
  rake: 'none' | 'stated' | 'implied';
  /** The last line of the hand. */
  lastLine: number;
}

export interface RawSeat {
  seat: number;
  name: string;
  stack: number;
  slug: string | null;
  own: boolean;
  line: number;
}

export type Statement = StatementBody & { line: number };

type StatementBody =
  /** `owed` is posted up to the stack. `stated` is null where the file names no amount. */
  | { kind: 'post'; seat: number; word: PostWord; owed: number; stated: number | null; allIn?: boolean }
  | RawAction
  | { kind: 'street'; cards: readonly string[]; before: readonly string[] | null }
  | { kind: 'returned'; seat: number; chips: number }
  | { kind: 'dealt'; seat: number; cards: readonly string[] }
  /** `cards` is null where the file shows the cards that were dealt. */
  | { kind: 'shown'; seat: number; cards: readonly string[] | null; words: string | null }
  | { kind: 'mucked'; seat: number; cards: readonly string[] | null }
  | { kind: 'won'; seat: number; chips: number }
  /** `pots` is empty where the file names the whole pot alone. Pots are without the rake. */
  | { kind: 'total'; pot: number; pots: readonly number[]; rake: number | null }
  | { kind: 'board'; cards: readonly string[] }
  | { kind: 'end'; seat: number; stack: number }
  | { kind: 'collected'; seat: number; chips: number }
  /** `street` counts from 0. Null: the player was in to the end. */
  | { kind: 'folded'; seat: number; street: number | null };

export interface RawAction {
  kind: 'action';
  seat: number;
  /** `pass` is a check or a call, whichever the price makes of it. */
  action: 'fold' | 'check' | 'call' | 'bet' | 'raise' | 'all_in' | 'pass';
  /** Chips that the action adds. */
  added: number | null;
  /** The whole bet of the street after it. */
  to: number | null;
  /** The amount that a raise adds to the price. */
  by: number | null;
  /** The file states that the player is all-in. */
  allIn: boolean;
  reason: 'timeout' | 'left' | null;
}
