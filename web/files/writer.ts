import { MAX_SEATS } from '../../src/holdem/types.js';
import { CHIPS } from '../../src/formats/hand.js';
import type { ActionWord, ReplayPlayer, HandMove, PostWord, ReplayHand, StreetName } from '../../src/formats/hand.js';

/** A file that cannot be replayed; the message is for its reader. */
export class FileError extends Error {
  override name = 'FileError';
}

interface Chips {
  start: number;
  stack: number;
  bet: number;
  committed: number;
  folded: boolean;
}

const OPENED: readonly StreetName[] = ['flop', 'turn', 'river'];

/** Puts the moves of a hand together, as files of all forms tell them, and keeps count of the chips. */
export class HandWriter {
  readonly moves: HandMove[] = [];
  readonly #chips: Map<number, Chips>;
  #opened = 0;
  #price = 0;

  constructor(readonly players: readonly ReplayPlayer[]) {
    if (players.length < 2) throw new FileError('A hand has two players or more.');
    if (players.length > MAX_SEATS) throw new FileError(`Tables of more than ${MAX_SEATS} players cannot be shown.`);
    this.#chips = new Map(
      players.map(({ seat, stack }) => [seat, { start: stack, stack, bet: 0, committed: 0, folded: false }]),
    );
  }

  post(seat: number, amount: number, blind: PostWord): void {
    const chips = Math.min(amount, this.#of(seat).stack);
    this.#put(seat, chips);
    if (blind === 'ante') this.#of(seat).bet -= chips;
    else this.#price = Math.max(this.#price, amount);
    this.moves.push({ kind: 'post', seat, chips, blind });
  }

  fold(seat: number): void {
    this.#of(seat).folded = true;
    this.#add(seat, 'fold', 0);
  }

  checkOrCall(seat: number): void {
    const { bet, stack } = this.#of(seat);
    const chips = Math.min(stack, Math.max(0, this.#price - bet));
    this.#add(seat, chips === 0 ? 'check' : 'call', chips);
  }

  /** A bet or a raise, named by the whole bet of the street. */
  raiseTo(seat: number, to: number): void {
    this.#add(seat, this.#price === 0 ? 'bet' : 'raise', to - this.#of(seat).bet);
  }

  /** All or a part of the stack, by the chips that are added. */
  add(seat: number, action: ActionWord, chips: number): void {
    this.#add(seat, action, chips);
  }

  street(cards: readonly string[]): void {
    const street = OPENED[this.#opened++];
    if (street === undefined) throw new FileError('A hand has three streets after the deal.');
    for (const chips of this.#chips.values()) chips.bet = 0;
    this.#price = 0;
    this.moves.push({ kind: 'street', street, cards });
  }

  /** How many streets are open after the deal. */
  get opened(): number {
    return this.#opened;
  }

  show(seat: number, cards: readonly string[], words: string | null = null): void {
    this.moves.push({ kind: 'shown', seat, cards, words });
  }

  muck(seat: number): void {
    this.moves.push({ kind: 'mucked', seat });
  }

  win(seat: number, chips: number): void {
    if (chips > 0) this.moves.push({ kind: 'won', seat, chips });
  }

  /** What nobody called goes back, after the last action. */
  returnUncalled(): void {
    const byChips = [...this.#chips].sort(([, a], [, b]) => b.committed - a.committed);
    const [most, next] = byChips;
    if (most === undefined || next === undefined) return;
    const chips = most[1].committed - next[1].committed;
    if (chips <= 0 || most[1].folded) return;
    most[1].committed -= chips;
    most[1].stack += chips;
    const last = this.moves.findLastIndex(({ kind }) => kind === 'action' || kind === 'post') + 1;
    this.moves.splice(last, 0, { kind: 'returned', seat: most[0], chips });
  }

  /** Who won, by the stacks at the end. */
  settle(finish: ReadonlyMap<number, number>): void {
    for (const [seat, stack] of finish) this.win(seat, stack - this.#of(seat).stack);
  }

  /** The one who is left, where all others have folded. */
  settleUncontested(): void {
    const live = [...this.#chips].filter(([, { folded }]) => !folded);
    if (live.length !== 1) return;
    this.win(
      live[0]![0],
      [...this.#chips.values()].reduce((sum, { committed }) => sum + committed, 0),
    );
  }

  hand(rest: Omit<ReplayHand, 'players' | 'moves' | 'unit' | 'rake'>): ReplayHand {
    return {
      ...rest,
      unit: CHIPS,
      rake: 0,
      players: [...this.players].sort((a, b) => a.seat - b.seat),
      moves: this.moves,
    };
  }

  #add(seat: number, action: ActionWord, chips: number): void {
    const state = this.#of(seat);
    if (!Number.isFinite(chips) || chips < 0 || chips > state.stack) {
      throw new FileError(`Seat ${seat + 1} bets ${chips} of ${state.stack} chips.`);
    }
    this.#put(seat, chips);
    this.#price = Math.max(this.#price, state.bet);
    this.moves.push({ kind: 'action', seat, action, chips, reason: null });
  }

  #put(seat: number, chips: number): void {
    const state = this.#of(seat);
    state.stack -= chips;
    state.bet += chips;
    state.committed += chips;
  }

  #of(seat: number): Chips {
    const chips = this.#chips.get(seat);
    if (chips === undefined) throw new FileError(`Nobody sits on seat ${seat + 1}.`);
    return chips;
  }
}

const CARD = /^(?:[2-9TJQKA][cdhs]|\?\?)$/;

/** Cards written one behind the other, or apart: "AhKd", "Ah Kd". */
export function cardsOf(text: string): string[] {
  const cards = text.replace(/\s+/g, '').replace(/10/g, 'T').match(/../g) ?? [];
  const odd = cards.find((card) => !CARD.test(card));
  if (odd !== undefined) throw new FileError(`"${odd}" is no card.`);
  return cards;
}

/** Seats as a table of six has them: those of larger tables close up. */
export function seatsOf(seats: readonly number[]): number[] {
  if (seats.every((seat) => seat >= 0 && seat < MAX_SEATS) && new Set(seats).size === seats.length) return [...seats];
  const order = [...seats].sort((a, b) => a - b);
  return seats.map((seat) => order.indexOf(seat));
}

/** Two known cards, or null. */
export const holeOf = (cards: readonly string[]): readonly [string, string] | null =>
  cards.length === 2 && !cards.includes('??') ? [cards[0]!, cards[1]!] : null;
