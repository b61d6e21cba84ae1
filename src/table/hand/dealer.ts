import { assert, assertWhole } from '../../ops/assert.js';
import { priceFor } from '../../holdem/betting.js';
import { nextButton } from '../../holdem/button.js';
import { postsOf } from '../../holdem/record.js';
import { Act, ActionRefusal, type Street } from '../../holdem/types.js';
import { NO_SOCKET } from '../api.js';
import type { TableCore } from '../core.js';
import { nextHandNumber } from '../deal/decks.js';
import { ActionReason, type ActionEvent } from '../events.js';
import { handRecordOf, resultEventOf } from '../record/hand-record.js';
import { uuid4, uuid7 } from '../uuid.js';
import { MIN_PLAYERS } from '../seats/waiting.js';
import { noteTimeout, passiveDecision, timingOf, type Decision } from './decision.js';
import { turnClockOf, noteDecision } from './turn-clock.js';
import {
  countMissedHand,
  meanHandMs,
  partsWith,
  reasonToGo,
  returnPlaceOf,
  returnPosts,
  type SeatRelease,
} from './between-hands.js';

/** Decisions running that may time out before the seat is given up, within a hand or over several. */
const TIMED_OUT_LIMIT = 5;

/** Board cards open by street. */
const BOARD_CARDS = [0, 3, 4, 5] as const;

/**
 * Runs hand after hand: deals, opens turns, carries decisions out, and settles once the hand is stored. Frames leave in
 * their order (protocol.md, "A hand, frame by frame").
 */
export class Dealer {
  readonly #core: TableCore;
  readonly #seating: SeatRelease;

  constructor(core: TableCore, seating: SeatRelease) {
    this.#core = core;
    this.#seating = seating;
  }

  /** Whether another hand will follow with those who are here. */
  get handAhead(): boolean {
    const { seats, play, draining } = this.#core;
    return !play.inHand && !draining && seats.count((seat) => seat.eligible) >= MIN_PLAYERS;
  }

  /** Whether the next hand only waits for its time: no seat and no chips are on the way out any more. */
  get ready(): boolean {
    return this.handAhead && this.#core.seats.count((seat) => seat.inTransit) === 0;
  }

  startHand(): void {
    const core = this.#core;
    const { play, seats, rules, numbers, random, now } = core;
    assert(!core.draining, 'no hand begins at a table that drains');
    assert(seats.count((seat) => seat.inTransit) === 0, 'no hand begins while chips are on their way');
    const dealt = seats.eligible;
    const inHand = seats.present.filter((seat) => seat.eligible);
    assert(inHand.length >= MIN_PLAYERS, 'a hand has two players', inHand.length);
    const button = nextButton({
      previousButton: core.last.button,
      previousBigBlind: core.last.bigBlindSeat,
      dealt,
      headsUpBlinds: rules.headsUpBlinds,
    });
    assert((dealt & (1 << button)) !== 0, 'the button is dealt in', button);
    const handNumber = nextHandNumber(core.last.handNumber, rules.duplicate !== null, seats.present);
    assert(handNumber > core.last.handNumber, 'the numbers of hands rise', handNumber);
    for (const seat of seats.present) seat.sees(handNumber);
    play.deal = core.decks.deal(play.deck, 2 * inHand.length + 5, handNumber, seats.present);
    const { smallBlind, bigBlind, headsUpBlinds } = rules;
    const [stacks, returns] = [seats.all.map((seat) => seat?.stack ?? 0), returnPosts(inHand, dealt, button, rules)];
    play.hand.start({ button, smallBlind, bigBlind, dealt, returns, stacks, deck: play.deck, headsUpBlinds });
    play.begin(uuid7(numbers.nextHandAt(now), random), handNumber, now, inHand);
    if (rules.timeBankMs !== null) for (const seat of inHand) seat.tempo.refill(rules.timeBankMs);
    numbers.beginHand(play.handId);
    const deal = play.deal && core.decks.announce(play.deal, seats.present);
    const posts = postsOf(play.hand.log);
    const { players } = play;
    core.sender.handStart({ kind: 'hand_start', dealer: button, smallBlind, bigBlind, posts, players, deal });
    core.sender.holeCards();
    if (play.hand.over) this.#runOutBlinds();
    this.#goOn();
  }

  /** The blinds alone decided the hand: no turn, only the state with the blinds in it and then the board. */
  #runOutBlinds(): void {
    this.#core.sendState();
    this.#sendBoard();
  }

  /**
   * Carries out the decision of the player in turn, and brings the hand to the next open turn or to its end. A refused
   * decision changes nothing, and the turn stays open.
   */
  decide(decision: Decision): ActionRefusal {
    assert(this.#core.play.phase === 'betting', 'a decision belongs to an open hand', this.#core.play.phase);
    const refusal = this.#carryOut(decision);
    if (refusal === ActionRefusal.ok) this.#goOn();
    return refusal;
  }

  /** The turn's time is up: fold, or check when checking is free. */
  timeOut(): void {
    const { play } = this.#core;
    const { actor } = play;
    if (actor === null) return;
    noteTimeout(this.#core, actor);
    play.timeouts[actor.index] = play.timeouts[actor.index]! + 1;
    if (++actor.timedOut >= TIMED_OUT_LIMIT) this.#seating.expel(actor);
    this.decide(passiveDecision(play, ActionReason.timeout));
  }

  /** The actor is on its way out: its turns end as soon as they come. */
  passLeaver(): void {
    this.decide(passiveDecision(this.#core.play, ActionReason.left));
  }

  /** Sends the state and gives the turn to the next player, passing over those on their way out; or ends the hand. */
  #goOn(): void {
    const core = this.#core;
    const { play } = core;
    while (!play.hand.over) {
      const { actor } = play;
      assert(actor !== null, 'the turn of an open hand is a seat of the hand', play.hand.actor);
      assert(!play.isOut(actor), 'a player that folded has no turn', actor.index);
      play.openTurn(uuid4(core.random), core.now, turnClockOf(actor, core));
      core.sendState();
      if (actor.staying) {
        core.sender.yourTurn(actor);
        return;
      }
      this.#carryOut(passiveDecision(play, ActionReason.left));
    }
    this.#finish();
  }

  /** Puts the decision to the engine and sends what came of it: acknowledgement, player_action, new board cards. */
  #carryOut(decision: Decision): ActionRefusal {
    const { play, sender, numbers } = this.#core;
    const { hand, turnToken } = play;
    const { act, reason, clientId, requested, freeFold, mix } = decision;
    const { actor: seat, street, pot: potBefore } = hand;
    assert(play.seats[seat] !== null, 'the player that decides is in the hand', seat);
    const stackBefore = hand.stack[seat]!;
    const toCall = priceFor(hand, seat);
    const refusal = hand.act(act, decision.amount);
    if (refusal !== ActionRefusal.ok) return refusal;

    const timing = reason === ActionReason.timeout ? timingOf(play, this.#core.now) : null;
    const added = stackBefore - hand.stack[seat]!;
    assert(added >= 0 && added <= stackBefore, 'a decision puts in what the player has', added);
    assert(hand.pot === potBefore + added || hand.over, 'the pot grows by what was put in', hand.pot);
    const amount = act === Act.raise ? decision.amount : act === Act.fold || act === Act.check ? null : added;
    this.#note(seat, { act, amount, street, reason, mix });
    play.closeTurn();
    if (decision.ackTo !== NO_SOCKET) sender.answers.ack(decision.ackTo, clientId, numbers.handId, decision);
    sender.action({
      kind: 'player_action',
      seat,
      nameJson: play.nameOf(seat),
      act,
      amount,
      street,
      reason,
      potBefore,
      toCall,
      stackBefore,
      added,
      turnToken,
      clientId,
      freeFold,
      requested,
      mix,
      timing,
    });
    this.#sendBoard();
    return ActionRefusal.ok;
  }

  /** Keeps the action for the record of the hand. Deciding in time ends a row of missed hands. */
  #note(
    seat: number,
    { act, amount, street, reason, mix }: Pick<ActionEvent, 'act' | 'amount' | 'street' | 'reason' | 'mix'>,
  ): void {
    const { play, now } = this.#core;
    const timeout = reason === ActionReason.timeout;
    assert(mix === null || mix.number === play.actions.length, 'a mix is drawn for the action that it becomes');
    play.actions.push({ seat, act, amount, street, at: now - play.startedAt, timeout, ...(mix && { mix }) });
    const player = play.seats[seat] ?? null;
    assert(player !== null, 'the player that acted is in the hand', seat);
    noteDecision(player, play, reason, now);
    if (reason !== ActionReason.player) return;
    play.decided |= 1 << seat;
    player.missedHands = 0;
    player.timedOut = 0;
  }

  /** Sends the board cards that the engine has opened and nobody has been sent yet, street by street. */
  #sendBoard(): void {
    const { play, sender, rules } = this.#core;
    const { hand } = play;
    while (play.boardCount < hand.boardCount) {
      const street = (play.street + 1) as Street;
      assert(street < BOARD_CARDS.length, 'no street follows the river', street);
      const from = rules.boardEvents === 'new' ? play.boardCount : 0;
      play.street = street;
      play.boardCount = BOARD_CARDS[street];
      const cards = Array.from(hand.boardCards.subarray(from, play.boardCount));
      sender.event({ kind: 'community_cards', street, cards });
    }
  }

  /** Ends a hand without a result. Stacks are settled only with one, so they are what they were before the hand. */
  voidHand(): void {
    const { play, numbers } = this.#core;
    if (play.phase !== 'betting') return;
    assert(numbers.handId === play.handId, 'the hand that is void is the one in play', play.handId);
    play.end();
    numbers.endHand();
  }

  /** The hand is over: it is stored before anybody hears of its result. */
  #finish(): void {
    const core = this.#core;
    assert(core.play.hand.over, 'a hand is stored once it is over');
    const record = handRecordOf(core, core.play.hand.outcome);
    core.play.store(record.seqReserved);
    core.effect({ kind: 'commit', record });
  }

  /** The hand is stored: stacks are settled, the result is sent, seats that are out are given up. */
  settle(): void {
    const core = this.#core;
    const { play, numbers, sender, seats } = core;
    const { hand } = play;
    assert(play.phase === 'storing', 'a hand is settled once it is stored', play.phase);
    assert(play.handNumber > core.last.handNumber, 'a hand is settled once', play.handNumber);
    const { outcome } = hand;
    const dealtIn = play.seats.filter((seat) => seat !== null);
    numbers.stored(play.seqReserved);
    for (const seat of dealtIn) {
      assert(seats.all[seat.index] === seat, 'a player keeps its seat until the hand is stored', seat.index);
      seat.stack = outcome.finalStacks[seat.index]!;
      assertWhole(seat.stack, 'a stack after a hand');
      countMissedHand(seat, play, core.rules.missedHandsLimit);
      seat.blinds.played(returnPlaceOf(hand, seat.index), dealtIn.length);
    }
    core.handMs = meanHandMs(core.handMs, core.now - play.startedAt + core.rules.betweenHandsMs);
    core.last = { handNumber: play.handNumber, button: hand.setup.button, bigBlindSeat: hand.bigBlindSeat };
    core.nextHandAt = core.now + core.rules.betweenHandsMs;
    play.end();
    const out = dealtIn.map((seat) => ({ seat, reason: reasonToGo(seat, core.rules.bigBlind) }));
    for (const { seat, reason } of out) if (reason !== null) seat.leave(reason, { movesOn: partsWith(seat, reason) });
    core.sendState();
    sender.result(resultEventOf(core, outcome));
    numbers.endHand();
    core.handsChanged();
    for (const { seat, reason } of out) {
      if (reason === null) this.#seating.skim(seat, play.handId);
      else this.#seating.release(seat, reason);
    }
  }
}
