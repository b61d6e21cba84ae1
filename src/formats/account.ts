import { isKnownPair, worthOf } from './card-text.js';
import { dealingOrder } from './places.js';
import { MAX_SEATS } from '../holdem/types.js';
import type { HandMove, ReplayHand, StreetName } from './hand.js';
import { potsOfChips, resultsOf, sharesOfPots, type OpenPot } from './payout.js';

/** Chips that a seat won from one pot, which is named as PokerStars does. */
export interface NamedShare {
  seat: number;
  chips: number;
  pot: string;
}

/** The result of a hand: its pots, their winners, and the final stacks. */
export class Account {
  readonly board: readonly string[];
  readonly foldedOn = new Map<number, StreetName>();
  /** Cards by seat, for players that were in to the end. */
  readonly shown = new Map<number, readonly string[]>();
  readonly pots: readonly OpenPot[];
  /** The sum of all pots, with the rake. */
  readonly total: number;
  /** Two players or more were in to the end. */
  readonly showdown: boolean;
  /** The pots were paid by the rules, without a rake. */
  readonly byRule: boolean;
  /** The winners' shares of each pot, the last side pot first. */
  readonly shares: readonly NamedShare[];
  /** The first seat that won. */
  readonly winner: number;
  readonly #put = new Map<number, number>();
  readonly #won = new Map<number, number>();
  readonly #names: ReadonlyMap<number, string>;
  /** Dead chips by seat: all players play for them. */
  readonly #dead = new Map<number, number>();

  constructor(private readonly hand: ReplayHand) {
    this.#names = new Map(hand.players.map(({ seat, name }) => [seat, name]));
    this.board = hand.moves.flatMap((move) => (move.kind === 'street' ? move.cards : []));
    let street: StreetName = 'preflop';
    for (const move of hand.moves) {
      if (move.kind === 'street') street = move.street;
      else this.#take(move, street);
    }
    const live = hand.players.flatMap(({ seat }) => (this.foldedOn.has(seat) ? [] : [seat]));
    this.showdown = live.length > 1;
    const mask = live.reduce((all, seat) => all | (1 << seat), 0);
    const dead = [...this.#dead.values()].reduce((sum, chips) => sum + chips, 0);
    const { pots, total } = potsOfChips(this.#committed(), mask, dead);
    [this.pots, this.total] = [pots, total];
    const shares = this.#byRule(live);
    this.byRule = shares !== null;
    this.shares = shares ?? [...this.#won].map(([seat, chips]) => ({ seat, chips, pot: 'pot' }));
    this.winner = hand.players.find(({ seat }) => this.payout(seat) > 0)?.seat ?? live[0]!;
  }

  /** An ante of everybody counts for side pots. Another is dead. */
  get #allAnte(): boolean {
    const { moves, players } = this.hand;
    return moves.filter((move) => move.kind === 'post' && move.blind === 'ante').length === players.length;
  }

  #committed(): Int32Array {
    const committed = new Int32Array(MAX_SEATS);
    for (const [seat, chips] of this.#put) committed[seat] = chips - (this.#dead.get(seat) ?? 0);
    return committed;
  }

  name(seat: number): string {
    return this.#names.get(seat)!;
  }

  /** Chips put into the pots, without an uncalled part. */
  contributed(seat: number): number {
    return this.#put.get(seat) ?? 0;
  }

  payout(seat: number): number {
    return this.#won.get(seat) ?? 0;
  }

  stackEnd(seat: number): number {
    const { stack } = this.hand.players.find((player) => player.seat === seat)!;
    return stack - this.contributed(seat) + this.payout(seat);
  }

  #take(move: Exclude<HandMove, { kind: 'street' }>, street: StreetName): void {
    const { seat } = move;
    const add = (to: Map<number, number>, chips: number) => to.set(seat, (to.get(seat) ?? 0) + chips);
    switch (move.kind) {
      case 'post':
        if (move.blind === 'dead' || (move.blind === 'ante' && !this.#allAnte)) add(this.#dead, move.chips);
        add(this.#put, move.chips);
        return;
      case 'action':
        if (move.action === 'fold') this.foldedOn.set(seat, street);
        add(this.#put, move.chips);
        return;
      case 'returned':
        add(this.#put, -move.chips);
        return;
      case 'won':
        add(this.#won, move.chips);
        return;
      case 'shown':
        if (!this.foldedOn.has(seat)) this.shown.set(seat, move.cards);
        return;
      case 'mucked':
        return;
    }
  }

  /** The shares by the rules; null where the hand was paid otherwise, or its cards do not decide the pots. */
  #byRule(live: readonly number[]): NamedShare[] | null {
    const values = new Map(
      [...this.shown].flatMap(([seat, cards]) =>
        isKnownPair(cards) && this.board.length === 5 ? [[seat, worthOf(cards, this.board)] as const] : [],
      ),
    );
    const mucked = live.reduce((mask, seat) => (this.shown.has(seat) ? mask : mask | (1 << seat)), 0);
    const results = resultsOf(this.pots, { values, mucked });
    if (results.some(({ decided }) => !decided)) return null;
    const { button, players } = this.hand;
    const order = dealingOrder(players.map(({ seat }) => seat), button); // prettier-ignore
    const shares = sharesOfPots(this.pots, results.map(({ candidates }) => candidates), order); // prettier-ignore
    const paid = (seat: number) => shares.reduce((sum, share) => sum + (share.seat === seat ? share.chips : 0), 0);
    if (players.some(({ seat }) => paid(seat) !== this.payout(seat))) return null;
    const count = this.pots.length;
    const named = shares
      .filter(({ chips }) => chips > 0)
      .map(({ pot, ...share }) => ({ ...share, at: pot, pot: potName(pot, count) }));
    return named.sort((a, b) => b.at - a.at).map(({ seat, chips, pot }) => ({ seat, chips, pot }));
  }
}

/** As PokerStars names the pots. */
export const potName = (pot: number, count: number): string =>
  count === 1 ? 'pot' : pot === 0 ? 'main pot' : count === 2 ? 'side pot' : `side pot-${pot}`;
