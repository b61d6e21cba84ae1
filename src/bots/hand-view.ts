import type { Card } from '../cards/card.js';
import type { Hand } from '../holdem/hand.js';
import { Act, MAX_SEATS, type Legal } from '../holdem/types.js';
import type { StreetName } from '../formats/hand.js';
import type { ActionView, Choice, SeatView, StrategyView, Turn } from './strategy.js';

/** What the rules call what a bot says. */
export const ACTS: Readonly<Record<Choice['action'], Act>> = {
  fold: Act.fold,
  check: Act.check,
  call: Act.call,
  raise: Act.raise,
  all_in: Act.allIn,
};

/**
 * A hand in memory as its players see it. Each player has a view of its own, which shows its own cards at any time.
 * Everything in a view is frozen, and nothing in it leads to the hand: authors' modules read it.
 */
export class HandViews {
  readonly #table: SharedTable;
  readonly #views: readonly StrategyView[];
  readonly #seats: readonly { is: number }[];

  /** `players` are numbered from 0; where each one sits is said by `begin`. */
  constructor(hand: Hand, players: number) {
    this.#table = new SharedTable(hand);
    this.#seats = Array.from({ length: players }, () => ({ is: 0 }));
    this.#views = this.#seats.map((seat) => Object.freeze(new HandView(this.#table, seat)));
  }

  /** A new hand, in which each player sits at `seatOf` it. */
  begin(seatOf: (player: number) => number): void {
    this.#seats.forEach((seat, player) => (seat.is = seatOf(player)));
    this.#table.begin();
  }

  /** What the actor has done. */
  add(seat: number, action: Choice['action'], street: StreetName): void {
    this.#table.add(Object.freeze({ seat, action, street }));
  }

  of(player: number): StrategyView {
    return this.#views[player]!;
  }

  /** The turn that is open in the hand. */
  turn(handId: string): Turn {
    const { actor: seat } = this.#table.hand;
    const legal: Readonly<Legal> = Object.freeze({ ...this.#table.hand.legal() });
    return Object.freeze({ handId, seat, legal });
  }
}

/** What all players see of the hand. Parts that did not change since somebody looked are the same objects. */
class SharedTable {
  readonly #actions: ActionView[] = [];
  #seats: readonly SeatView[] = [];
  #shownActions: readonly ActionView[] = [];
  #shownBoard: readonly Card[] = [];
  #seatsStand = false;

  constructor(readonly hand: Hand) {}

  /** A new hand: what was done before belongs to another one. */
  begin(): void {
    this.#actions.length = 0;
    this.#shownActions = NOTHING;
    this.#shownBoard = NOTHING;
    this.#seats = NOTHING;
    this.#seatsStand = false;
  }

  add(action: ActionView): void {
    this.#actions.push(action);
    this.#seatsStand = false;
  }

  get board(): readonly Card[] {
    const { boardCards, boardCount } = this.hand;
    if (this.#shownBoard.length !== boardCount) {
      this.#shownBoard = Object.freeze(Array.from({ length: boardCount }, (_, i) => boardCards[i]!));
    }
    return this.#shownBoard;
  }

  get seats(): readonly SeatView[] {
    if (!this.#seatsStand) {
      const before = this.#seats;
      const { dealt } = this.hand;
      const seats: SeatView[] = [];
      for (let seat = 0; seat < MAX_SEATS; seat++) {
        if ((dealt & (1 << seat)) !== 0) seats.push(this.#seatOf(seat, before[seats.length]));
      }
      this.#seats = Object.freeze(seats);
      this.#seatsStand = true;
    }
    return this.#seats;
  }

  get actions(): readonly ActionView[] {
    if (this.#shownActions.length !== this.#actions.length) this.#shownActions = Object.freeze([...this.#actions]);
    return this.#shownActions;
  }

  #seatOf(seat: number, before: SeatView | undefined): SeatView {
    const stack = this.hand.stack[seat]!;
    const bet = this.hand.bet[seat]!;
    const folded = (this.hand.folded & (1 << seat)) !== 0;
    if (before?.stack === stack && before.bet === bet && before.folded === folded) return before;
    return Object.freeze({ seat, name: `seat_${seat}`, stack, bet, inHand: true, folded });
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

/** One player's view. */
class HandView implements StrategyView {
  readonly #table: SharedTable;
  readonly #seat: { is: number };

  constructor(table: SharedTable, seat: { is: number }) {
    this.#table = table;
    this.#seat = seat;
  }

  get holeCards(): readonly [Card, Card] {
    const { hole } = this.#table.hand;
    const { is } = this.#seat;
    return Object.freeze([hole[2 * is]!, hole[2 * is + 1]!]);
  }

  get board(): readonly Card[] {
    return this.#table.board;
  }

  get button(): number {
    return this.#table.hand.setup.button;
  }

  get smallBlind(): number {
    return this.#table.hand.setup.smallBlind;
  }

  get bigBlind(): number {
    return this.#table.hand.setup.bigBlind;
  }

  get pot(): number {
    return this.#table.hand.pot;
  }

  get seats(): readonly SeatView[] {
    return this.#table.seats;
  }

  get actions(): readonly ActionView[] {
    return this.#table.actions;
  }
}

for (const shown of [HandView, HandView.prototype]) Object.freeze(shown);
