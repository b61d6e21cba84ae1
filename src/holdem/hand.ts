import { applyAction, fillLegal, refusalOf } from './betting.js';
import { checkSetup, dealHand, postBlinds } from './deal.js';
import { EventKind, packCards } from './log.js';
import { countSeats, atMostOne, nextSeat } from './seats.js';
import { outcomeOf, Settlement } from './settlement.js';
import { beginStreet, HandState, liveSeats, seatsWithChips, clearSeats } from './state.js';
import {
  ActionRefusal,
  Street,
  type Act,
  type HandSetup,
  type HandView,
  type Legal,
  type HandOutcome,
} from './types.js';
import { buildPots, payPots, takeUncalled } from './pots.js';
import { evaluateHands, showHands } from './showdown.js';

/**
 * Ends the hand: uncalled chips back, pots built, hands shown where two or more are left, every pot paid. Stacks are
 * not changed. `t` and the log have the payouts.
 */
function settleHand(s: HandState, t: Settlement): void {
  const live = liveSeats(s);
  s.over = true;
  s.actor = -1;
  s.toAct = 0;
  clearSeats(t.payouts);
  clearSeats(t.values);
  t.shown = 0;
  t.showCount = 0;
  t.showdown = !atMostOne(live);
  takeUncalled(t, s.committed, live);
  if (t.returned > 0) s.log.append(EventKind.returned, t.returnedSeat, t.returned, 0);
  buildPots(t, live);
  if (t.showdown) {
    evaluateHands(s, t);
    showHands(s, t);
  }
  payPots(t, s.setup.button, s.log);
}

/**
 * One hand of no-limit hold'em. `start` posts the blinds, then one `act` follows the other until `over`. `log` has the
 * events, `outcome` the payouts. Reusable: the next `start` begins a new hand in place, without allocating. Outsiders
 * read the fields (see HandView) and never write them.
 */
export class Hand extends HandState implements HandView {
  private readonly offered: Legal = { fold: false, check: false, call: 0, raiseMin: 0, raiseMax: 0, allIn: 0 };
  /** Whether `offered` has the actor's present actions, so that the rules run once a decision. */
  private offerStands = false;
  private readonly settlement = new Settlement();
  private result: HandOutcome | undefined;

  /** Begins a hand. Throws a RangeError, with nothing changed, on a setup that no hand can be played from. */
  start(setup: HandSetup): void {
    checkSetup(setup);
    this.result = undefined;
    this.offerStands = false;
    dealHand(this, setup);
    postBlinds(this);
    this.actor = this.bigBlindSeat;
    this.passTurn();
  }

  /** The actor's legal actions; none when the hand is over. The same object every time. */
  legal(): Readonly<Legal> {
    if (!this.offerStands) {
      fillLegal(this, this.offered);
      this.offerStands = true;
    }
    return this.offered;
  }

  /**
   * Plays the actor's action. `amount` is the raise-to total of a raise and ignored otherwise. Accepts exactly the
   * actions of `legal`. Others are refused with the reason and change nothing.
   */
  act(act: Act, amount?: number): ActionRefusal {
    if (this.over) return ActionRefusal.handOver;
    const refusal = refusalOf(this.legal(), act, amount);
    if (refusal !== ActionRefusal.ok) return refusal;
    applyAction(this, act, amount);
    this.offerStands = false;
    this.passTurn();
    return ActionRefusal.ok;
  }

  /** The settled hand, built at the first call. The caller may keep it. Throws while the hand is running. */
  get outcome(): HandOutcome {
    if (!this.over || this.dealt === 0) throw new Error('the hand is not over');
    this.result ??= outcomeOf(this.settlement, this.stack);
    return this.result;
  }

  /** After an action: the next to act on this street, or the next street, or the end. */
  private passTurn(): void {
    if (atMostOne(liveSeats(this))) {
      settleHand(this, this.settlement);
    } else if (this.toAct !== 0) {
      this.actor = nextSeat(this.toAct, this.actor);
    } else if (this.street === Street.river) {
      settleHand(this, this.settlement);
    } else {
      this.closeBetting();
    }
  }

  /** Opens the next street; when at most one player could still bet, all of them and then the cards. */
  private closeBetting(): void {
    const withChips = seatsWithChips(this);
    if (atMostOne(withChips)) {
      while (this.street !== Street.river) this.openStreet();
      settleHand(this, this.settlement);
      return;
    }
    this.openStreet();
    this.toAct = withChips;
    this.actor = nextSeat(withChips, this.setup.button);
  }

  private openStreet(): void {
    const street = (this.street + 1) as Street;
    const { boardCards, log } = this;
    const count = this.boardCount;
    const { deck } = this.setup;
    const from = 2 * countSeats(this.dealt);
    const opened = street === Street.flop ? 3 : 1;
    for (let i = count; i < count + opened; i++) boardCards[i] = deck[from + i]!;
    this.boardCount = count + opened;
    beginStreet(this, street);
    const cards =
      street === Street.flop ? packCards(boardCards[0]!, boardCards[1], boardCards[2]) : packCards(boardCards[count]!);
    log.append(EventKind.street, -1, street, cards);
  }
}
