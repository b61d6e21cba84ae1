import type { Hand } from '../holdem/hand.js';
import { Act, ActionRefusal, Street } from '../holdem/types.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { setupOf } from '../table/record/stored-hand.js';
import { expectedPayouts } from './all-in.js';
import type { Equities } from './equity.js';
import { positionsOf } from '../holdem/positions.js';
import { cellOfHoleCards } from './starting-hands.js';
import { atStake } from '../statistics/at-stake.js';
import { ChanceLog } from '../value/events.js';
import { handLuck, luckAdjusted } from '../value/luck.js';
import { valueFunction } from '../value/value-function.js';
import { noTotals, type CounterTotals } from './totals.js';

/** One hand as it counts for one of its players: `totals` of a single hand, and where they belong. */
export interface PlayerFacts {
  agentId: string;
  /** Index into POSITIONS. */
  position: number;
  /** Index into STARTING_HANDS. */
  place: number;
  totals: CounterTotals;
  bigBlind: number;
  /** The expected part of the pot after the last decision; null of a folded hand, and where the betting saw the river. */
  share: number | null;
}

/** Reads stored hands, by playing them again. One engine and one memory of equities for all of them. */
export class HandReader {
  readonly #chances = new ChanceLog();

  constructor(
    private readonly engine: Hand,
    /** Null: nothing is all-in-adjusted. */
    private readonly equities: Equities | null,
  ) {}

  /** The facts of every player, with or without luck. Throws an Error where the hand cannot be played again. */
  read(stored: StoredHand, withLuck = false): PlayerFacts[] {
    const { players, button, bigBlindSeat } = stored;
    const seats = players.map(({ seat }) => seat);
    const positions = positionsOf(seats, button, bigBlindSeat);
    const line = new Line(seats);
    this.#play(stored, line);
    line.settle(stored, this.equities);
    if (withLuck) line.adjust(stored, handLuck(stored, this.#chances, valueFunction()));
    return players.map(({ seat, agentId, hole }) => ({
      agentId,
      position: positions.get(seat)!,
      place: cellOfHoleCards(hole[0], hole[1]),
      totals: line.of(seat),
      bigBlind: stored.bigBlind,
      share: line.shareOf(seat),
    }));
  }

  #play(stored: StoredHand, line: Line): void {
    const { engine } = this;
    engine.start(setupOf(stored));
    this.#chances.begin(engine);
    for (const [i, { seat, act, amount, mix }] of stored.actions.entries()) {
      const { street, currentBet } = engine;
      const legal = engine.legal();
      const raises = act === Act.raise || (act === Act.allIn && engine.bet[seat]! + (amount ?? 0) > currentBet);
      line.decision({
        seat,
        street,
        act: act as Act,
        raises,
        mayRaise: legal.raiseMax > 0 || legal.allIn > legal.call,
      });
      if (mix) this.#chances.mix(engine, mix);
      const refusal = seat === engine.actor ? engine.act(act as Act, amount ?? 0) : ActionRefusal.notYourTurn;
      if (refusal !== ActionRefusal.ok)
        throw new Error(`action ${i} of hand ${stored.handId} cannot be replayed: ${refusal}`);
      this.#chances.look(engine);
    }
  }
}

interface CountedDecision {
  seat: number;
  street: Street;
  act: Act;
  /** The bet is above the price now: a bet, a raise, or an all-in for more than a call. */
  raises: boolean;
  /** The rules let the player raise (or bet), be it all-in. */
  mayRaise: boolean;
}

/** A hand in progress, as it counts for each seat. */
class Line {
  readonly #totals = new Map<number, CounterTotals>();
  #live = 0;
  /** Raises before the flop so far, who made the first and who the last. */
  #raises = 0;
  #opener = -1;
  #raiser = -1;
  /** Somebody has bet on the flop. */
  #flopBet = false;
  /** The player with an unanswered continuation bet. */
  #continued = -1;
  #street: Street = Street.preflop;
  #foldedPreflop = 0;
  #shares: Float64Array | null = null;

  constructor(seats: readonly number[]) {
    for (const seat of seats) {
      this.#totals.set(seat, { ...noTotals(), hands: 1 });
      this.#live |= 1 << seat;
    }
  }

  of(seat: number): CounterTotals {
    return this.#totals.get(seat)!;
  }

  shareOf(seat: number): number | null {
    return (this.#live & (1 << seat)) === 0 ? null : (this.#shares?.[seat] ?? null);
  }

  decision(made: CountedDecision): void {
    const { seat, street, act } = made;
    this.#street = street;
    if (act !== Act.fold && this.#continued !== seat) this.#continued = -1;
    if (street === Street.preflop) this.#preflop(made);
    else this.#postflop(made);
    if (street === Street.flop) this.#flop(made);
    if (act !== Act.fold) return;
    this.#live &= ~(1 << seat);
    if (street === Street.preflop) this.#foldedPreflop |= 1 << seat;
  }

  #preflop({ seat, act, raises, mayRaise }: CountedDecision): void {
    const totals = this.of(seat);
    if (act > Act.check) totals.vpip = 1;
    if (raises) totals.pfr = 1;
    if (this.#raises === 1 && this.#raiser !== seat && mayRaise) {
      totals.three_bet_chances = 1;
      if (raises) totals.three_bets = 1;
    }
    if (this.#raises === 2 && this.#opener === seat && this.#raiser !== seat) {
      totals.three_bets_faced = 1;
      if (act === Act.fold) totals.three_bet_folds = 1;
    }
    if (!raises) return;
    if (this.#raises === 0) this.#opener = seat;
    this.#raises++;
    this.#raiser = seat;
  }

  #flop({ seat, raises, mayRaise }: CountedDecision): void {
    if (seat === this.#raiser && !this.#flopBet && mayRaise) {
      const totals = this.of(seat);
      totals.cbet_chances = 1;
      if (raises) {
        totals.cbets = 1;
        this.#continued = seat;
      }
    }
    if (raises) this.#flopBet = true;
  }

  #postflop({ seat, act, raises }: CountedDecision): void {
    const totals = this.of(seat);
    if (raises) totals.bets_and_raises++;
    else if (act > Act.check) totals.calls++;
  }

  /** Takes the end of the hand: the cards that were seen, and the results. */
  settle(stored: StoredHand, equities: Equities | null): void {
    const { players, boardCount, bigBlind } = stored;
    const showdown = (this.#live & (this.#live - 1)) !== 0;
    const expected = equities && expectedPayouts(stored, this.#live, this.#street, equities);
    this.#shares = expected && expected.map((chips) => chips / stored.totalPot);
    if (this.#continued >= 0 && !showdown) this.of(this.#continued).cbets_won = 1;
    for (const { seat, stackStart, contributed, payout } of players) {
      const totals = this.of(seat);
      const profit = payout - contributed;
      const adjusted = expected === null ? profit : expected[seat]! - contributed;
      totals.profit = profit;
      totals.hands_won = Number(profit > 0);
      totals.flops = Number(boardCount > 0 && (this.#foldedPreflop & (1 << seat)) === 0);
      if (showdown && (this.#live & (1 << seat)) !== 0) {
        totals.showdowns = 1;
        totals.showdowns_won = Number(payout > 0);
        totals.showdown_profit = profit;
      }
      totals.bb = profit / bigBlind;
      totals.bb_squares = totals.bb ** 2;
      totals.adjusted_bb = adjusted / bigBlind;
      totals.adjusted_bb_squares = totals.adjusted_bb ** 2;
      const others = players.filter((other) => other.seat !== seat).map((other) => other.stackStart);
      const { risk, chance } = atStake(stackStart, others);
      totals.bb_risk = risk / bigBlind;
      totals.bb_chance = chance / bigBlind;
      totals.staked_hands = 1;
    }
  }
  /** Takes the luck of each seat, in big blinds. */
  adjust({ players, bigBlind }: StoredHand, luck: ArrayLike<number>): void {
    for (const { seat, contributed, payout } of players) {
      const totals = this.of(seat);
      totals.luck_hands = 1;
      totals.luck_millionths = luckAdjusted(payout - contributed, bigBlind, luck[seat]!);
      totals.luck_bb_squares = (totals.luck_millionths / 1e6) ** 2;
    }
  }
}
