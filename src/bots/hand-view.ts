import type { Card } from '../cards/card.js';
import type { Hand } from '../holdem/hand.js';
import { Act, MAX_SEATS } from '../holdem/types.js';
import type { ActionView, Choice, SeatView, StreetName, TableView } from './strategy.js';

export const STREETS: readonly StreetName[] = ['preflop', 'flop', 'turn', 'river'];

/** What the rules call what a bot says. */
export const ACTS: Readonly<Record<Choice['action'], Act>> = {
  fold: Act.fold,
  check: Act.check,
  call: Act.call,
  raise: Act.raise,
  all_in: Act.allIn,
};

/**
 * A hand in memory as the player sees it whose turn it is. Read from the hand when somebody looks, into the same objects
 * each time: millions of turns a minute shall make no garbage. Who wants to keep what it saw copies it.
 */
export class HandView implements TableView {
  readonly #actions: ActionView[] = [];
  readonly #seats: SeatView[] = [];
  readonly #board: Card[] = [];
  #seatsStand = false;

  constructor(private readonly hand: Hand) {}

  /** A new hand: what was done before belongs to another one. */
  begin(): void {
    this.#actions.length = 0;
    this.#board.length = 0;
    this.#seatsStand = false;
    const { dealt } = this.hand;
    this.#seats.length = 0;
    for (let seat = 0; seat < MAX_SEATS; seat++) {
      if ((dealt & (1 << seat)) !== 0) this.#seats.push(this.#seatOf(seat));
    }
  }

  /** What the actor has done. */
  add(action: ActionView): void {
    this.#actions.push(action);
    this.#seatsStand = false;
  }

  get holeCards(): readonly [Card, Card] {
    const { hole, actor } = this.hand;
    return [hole[2 * actor]!, hole[2 * actor + 1]!];
  }

  get board(): readonly Card[] {
    const { boardCards, boardCount } = this.hand;
    while (this.#board.length < boardCount) this.#board.push(boardCards[this.#board.length]!);
    return this.#board;
  }

  get button(): number {
    return this.hand.setup.button;
  }

  get smallBlind(): number {
    return this.hand.setup.smallBlind;
  }

  get bigBlind(): number {
    return this.hand.setup.bigBlind;
  }

  get pot(): number {
    return this.hand.pot;
  }

  get seats(): readonly SeatView[] {
    if (!this.#seatsStand) {
      const { stack, bet, folded } = this.hand;
      for (const view of this.#seats) {
        view.stack = stack[view.seat]!;
        view.bet = bet[view.seat]!;
        view.folded = (folded & (1 << view.seat)) !== 0;
      }
      this.#seatsStand = true;
    }
    return this.#seats;
  }

  get actions(): readonly ActionView[] {
    return this.#actions;
  }

  #seatOf(seat: number): SeatView {
    const { stack, bet } = this.hand;
    return { seat, name: `seat_${seat}`, stack: stack[seat]!, bet: bet[seat]!, inHand: true, folded: false };
  }
}
