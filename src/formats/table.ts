import { applyAction, fillLegal, putChips, refusalOf } from '../holdem/betting.js';
import { atMostOne, lowestSeat, nextSeat } from '../holdem/seats.js';
import { beginStreet, HandState, liveSeats, seatsWithChips } from '../holdem/state.js';
import { potsOfChips, type SettledChips } from './payout.js';
import { MAX_SEATS, type Act, type ActionRefusal, type Legal, type Street } from '../holdem/types.js';

/**
 * The chips of a hand that a file states. The rules are those of src/holdem. Posts and boards come from the file, so
 * a hand may have antes, straddles, dead blinds and a dead button.
 */
export class FileTable {
  readonly #state = new HandState();
  readonly #legal: Legal = { fold: false, check: false, call: 0, raiseMin: 0, raiseMax: 0, allIn: 0 };
  #dead = 0;

  constructor(
    private readonly button: number,
    players: readonly { seat: number; stack: number }[],
    leastBet: number,
  ) {
    const state = this.#state;
    state.setup.bigBlind = leastBet;
    state.unbounded = true;
    state.over = false;
    for (const { seat, stack } of players) {
      state.dealt |= 1 << seat;
      state.stack[seat] = stack;
    }
  }

  get street(): Street {
    return this.#state.street;
  }

  /** The seat to act, −1 where the betting of the street is over. */
  get actor(): number {
    return this.#state.actor;
  }

  /** Bit mask of the seats that have not folded. */
  get live(): number {
    return liveSeats(this.#state);
  }

  get price(): number {
    return this.#state.currentBet;
  }

  stack(seat: number): number {
    return this.#state.stack[seat]!;
  }

  bet(seat: number): number {
    return this.#state.bet[seat]!;
  }

  /** A post that is a part of the bet. */
  postLive(seat: number, chips: number): void {
    putChips(this.#state, seat, chips);
  }

  /** A post of everybody: it counts for side pots, and not for the bet. */
  postAnte(seat: number, chips: number): void {
    putChips(this.#state, seat, chips);
    this.#state.bet[seat] = this.bet(seat) - chips;
  }

  /** Chips of one player that all in the hand play for. */
  postDead(seat: number, chips: number): void {
    this.postAnte(seat, chips);
    this.#state.committed[seat] = this.#state.committed[seat]! - chips;
    this.#dead += chips;
  }

  /** Opens the betting before the flop. `opener` is the seat before the first to act. */
  open(price: number, opener: number): void {
    const state = this.#state;
    state.currentBet = price;
    state.lastRaise = Math.max(price, state.setup.bigBlind);
    state.toAct = seatsWithChips(state) & ~this.#covering();
    state.actor = opener;
    this.#passTurn();
  }

  /** The actor's legal actions. */
  legal(): Readonly<Legal> {
    fillLegal(this.#state, this.#legal);
    return this.#legal;
  }

  /** Why the rules refuse an action of the actor. */
  refusal(act: Act, to = 0): ActionRefusal {
    return refusalOf(this.legal(), act, to);
  }

  /** Carries out an action of the actor. */
  act(act: Act, to = 0): void {
    applyAction(this.#state, act, to);
    this.#passTurn();
  }

  /** A call of less than the price, which matches all bets: the others are all-in for less than the price. */
  callShort(chips: number): void {
    const state = this.#state;
    state.toAct &= ~(1 << state.actor);
    putChips(state, state.actor, chips);
    this.#passTurn();
  }

  /** The highest bet of another live player, and whether all with that bet are all-in. */
  get rivals(): { bet: number; allIn: boolean } {
    const state = this.#state;
    let bet = 0;
    for (let rest = this.live & ~(1 << state.actor); rest !== 0; rest &= rest - 1) {
      bet = Math.max(bet, this.bet(lowestSeat(rest)));
    }
    return { bet, allIn: (seatsWithChips(state) & ~(1 << state.actor)) === 0 };
  }

  /** Ends the betting where the actor has nothing to decide: the others are all-in for no more than its bet. */
  endIdleTurn(): void {
    const state = this.#state;
    if (state.actor < 0) return;
    const { bet, allIn } = this.rivals;
    if (!allIn || bet > this.bet(state.actor)) return;
    state.toAct = 0;
    state.actor = -1;
  }

  openStreet(street: Street): void {
    const state = this.#state;
    beginStreet(state, street);
    const withChips = seatsWithChips(state);
    if (atMostOne(withChips)) return;
    state.toAct = withChips;
    state.actor = nextSeat(withChips, this.button);
  }

  /** Whether at most one player is left. */
  get uncontested(): boolean {
    return atMostOne(this.live);
  }

  /** The pots, main pot first, and the part of the last bet that nobody called. */
  settle(): SettledChips {
    return potsOfChips(this.#state.committed, this.live, this.#dead);
  }

  /** A seat with a bet above all that the others have makes no decision. */
  #covering(): number {
    const state = this.#state;
    const reach = (seat: number) => this.bet(seat) + this.stack(seat);
    for (let rest = state.dealt; rest !== 0; rest &= rest - 1) {
      const seat = lowestSeat(rest);
      let most = 0;
      for (let other = 0; other < MAX_SEATS; other++) if (other !== seat) most = Math.max(most, reach(other));
      if (this.bet(seat) > 0 && this.bet(seat) >= most) return 1 << seat;
    }
    return 0;
  }

  #passTurn(): void {
    const state = this.#state;
    const next = !this.uncontested && state.toAct !== 0;
    state.actor = next ? nextSeat(state.toAct, state.actor) : -1;
  }
}
