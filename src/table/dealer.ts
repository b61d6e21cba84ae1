import { nextButton } from '../holdem/button.js';
import { Act, Refusal, type Street } from '../holdem/types.js';
import { NO_SOCKET, type LeaveReason, type SocketId } from './api.js';
import type { TableCore } from './core.js';
import { ActionReason } from './events.js';
import { recordOf, resultOf } from './record.js';
import type { Seat } from './seat.js';
import { uuid4, uuid7 } from './uuid.js';
import { MIN_PLAYERS } from './waiting.js';

/** A decision to be carried out: a client's, or the one made for a player that is late or gone. */
export interface Decision {
  act: Act;
  /** Raise-to total; NaN where the action has no amount. */
  amount: number;
  reason: ActionReason;
  clientId: string | null;
  requested: number | null;
  /** Who reads action_ack, before all else; nobody when no client decided. */
  ackTo: SocketId;
}

/** The door's part in the end of a hand. */
export interface Exits {
  /** Gives a seat up. */
  release(seat: Seat, reason: LeaveReason): void;
  /** Takes off what a stack has above the maximum. */
  skim(seat: Seat, handId: string): void;
}

/** Board cards open by street. */
const BOARD_CARDS = [0, 3, 4, 5] as const;

/**
 * Runs hand after hand: deals, opens turns, carries decisions out, and settles once the hand is stored. Frames leave in
 * the order of RULINGS §1.
 */
export class Dealer {
  readonly #core: TableCore;
  readonly #door: Exits;

  constructor(core: TableCore, door: Exits) {
    this.#core = core;
    this.#door = door;
  }

  /** Whether another hand will follow with those who are here. */
  get handAhead(): boolean {
    const { seats, play, draining } = this.#core;
    return !play.inHand && !draining && seats.count((seat) => seat.eligible) >= MIN_PLAYERS;
  }

  /** Whether the next hand only waits for its time: no seat and no chips are on the way out any more. */
  get ready(): boolean {
    return this.handAhead && this.#core.seats.count((seat) => seat.releasing !== null || seat.excess > 0) === 0;
  }

  startHand(): void {
    const core = this.#core;
    const { play, seats, rules, numbers, random, now } = core;
    const dealt = seats.eligible;
    const inHand = seats.present.filter((seat) => seat.eligible);
    const button = nextButton({
      previousButton: core.button,
      previousBigBlind: core.bigBlindSeat,
      dealt,
      headsUpBlinds: rules.headsUpBlinds,
    });
    play.deal = core.decks.deal(play.deck, 2 * inHand.length + 5, core.handNumber + 1, seats.present);
    const { smallBlind, bigBlind, headsUpBlinds } = rules;
    const stacks = seats.all.map((seat) => seat?.stack ?? 0);
    play.hand.start({ button, smallBlind, bigBlind, dealt, stacks, deck: play.deck, headsUpBlinds });
    play.begin(uuid7(now, random), now, inHand);
    numbers.beginHand(play.handId);
    core.summaryStale = true;
    const deal = play.deal && core.decks.tell(play.deal, seats.present);
    core.teller.handStart({ kind: 'hand_start', dealer: button, smallBlind, bigBlind, players: play.players, deal });
    core.teller.holeCards();
    if (play.hand.over) this.#runOutBlinds();
    this.#goOn();
  }

  /** The blinds alone decided the hand: no turn, only the state with the blinds in it and then the board. */
  #runOutBlinds(): void {
    this.#core.tellState();
    this.#tellBoard();
  }

  /**
   * Carries out the decision of the player whose turn it is and brings the hand to the next open turn or to its end. A
   * refused decision changes nothing, and the turn stays open.
   */
  decide(decision: Decision): Refusal {
    const refusal = this.#carryOut(decision);
    if (refusal === Refusal.ok) this.#goOn();
    return refusal;
  }

  /** The turn's time is up: fold, or check when checking is free. */
  timeOut(): void {
    const { play } = this.#core;
    const seat = play.hand.actor;
    play.timeouts[seat] = play.timeouts[seat]! + 1;
    this.decide(this.#passive(ActionReason.timeout));
  }

  /** The actor is on its way out: its turns end as soon as they come. */
  passLeaver(): void {
    this.decide(this.#passive(ActionReason.left));
  }

  #passive(reason: ActionReason): Decision {
    const act = this.#core.play.hand.legal().check ? Act.check : Act.fold;
    return { act, amount: NaN, reason, clientId: null, requested: null, ackTo: NO_SOCKET };
  }

  /** Tells the state and gives the turn to the next player, passing over those on their way out; or ends the hand. */
  #goOn(): void {
    const core = this.#core;
    const { play } = core;
    while (!play.hand.over) {
      play.turnToken = uuid4(core.random);
      play.turnDeadline = core.now + core.rules.actionTimeoutMs;
      core.tellState();
      const actor = play.actor!;
      if (actor.staying) {
        core.teller.yourTurn(actor);
        return;
      }
      this.#carryOut(this.#passive(ActionReason.left));
    }
    this.#finish();
  }

  /** Puts the decision to the engine and tells what came of it: acknowledgement, player_action, new board cards. */
  #carryOut(decision: Decision): Refusal {
    const { play, teller, random, numbers } = this.#core;
    const { hand } = play;
    const { act, reason, clientId, requested } = decision;
    const { actor: seat, street, pot: potBefore } = hand;
    const stackBefore = hand.stack[seat]!;
    const toCall = hand.legal().call;
    const refusal = hand.act(act, decision.amount);
    if (refusal !== Refusal.ok) return refusal;

    play.closeTurn();
    const added = stackBefore - hand.stack[seat]!;
    const amount = act === Act.raise ? decision.amount : act === Act.fold || act === Act.check ? null : added;
    this.#note(seat, act, amount, street, reason);
    if (decision.ackTo !== NO_SOCKET) teller.ack(decision.ackTo, clientId, numbers.handId);
    teller.action({
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
      publicId: uuid4(random),
      clientId,
      requested,
    });
    this.#tellBoard();
    return Refusal.ok;
  }

  /** Keeps the action for the record of the hand. Deciding in time ends a row of missed hands. */
  #note(seat: number, act: Act, amount: number | null, street: Street, reason: ActionReason): void {
    const { play, now } = this.#core;
    play.actions.push({
      seat,
      act,
      amount,
      street,
      at: now - play.startedAt,
      timeout: reason === ActionReason.timeout,
    });
    if (reason !== ActionReason.player) return;
    play.decided |= 1 << seat;
    play.seats[seat]!.missedHands = 0;
  }

  /** Tells the board cards that the engine has opened and nobody was told yet, street by street. */
  #tellBoard(): void {
    const { play, teller, rules } = this.#core;
    const { hand } = play;
    while (play.boardCount < hand.boardCount) {
      const street = (play.street + 1) as Street;
      const from = rules.boardEvents === 'new' ? play.boardCount : 0;
      play.street = street;
      play.boardCount = BOARD_CARDS[street];
      const cards = Array.from(hand.boardCards.subarray(from, play.boardCount));
      teller.event({ kind: 'community_cards', street, cards });
    }
  }

  /** Ends a hand without a result. Stacks are settled only with one, so they are what they were before the hand. */
  voidHand(): void {
    const { play, numbers } = this.#core;
    if (play.phase !== 'betting') return;
    play.closeTurn();
    play.phase = 'idle';
    numbers.endHand();
  }

  /** The hand is over: it is stored before anybody hears of its result. */
  #finish(): void {
    const core = this.#core;
    core.play.phase = 'storing';
    core.effect({ kind: 'commit', record: recordOf(core, core.play.hand.outcome) });
  }

  /** The hand is stored: stacks are settled, the result is told, seats that are out are given up. */
  settle(): void {
    const core = this.#core;
    const { play, numbers, teller } = core;
    const { hand } = play;
    const { outcome } = hand;
    const dealtIn = play.seats.filter((seat) => seat !== null);
    for (const seat of dealtIn) {
      seat.stack = outcome.finalStacks[seat.index]!;
      this.#countMissedHand(seat);
    }
    core.handNumber++;
    core.button = hand.setup.button;
    core.bigBlindSeat = hand.bigBlindSeat;
    core.nextHandAt = core.now + core.rules.betweenHandsMs;
    play.phase = 'idle';
    const out = dealtIn.map((seat) => ({ seat, reason: this.#reasonToGo(seat) }));
    for (const { seat, reason } of out) seat.leaving ??= reason;
    core.tellState();
    teller.result(resultOf(core, outcome));
    numbers.endHand();
    core.summaryStale = true;
    for (const { seat, reason } of out) {
      if (reason === null) this.#door.skim(seat, play.handId);
      else this.#door.release(seat, reason);
    }
  }

  #countMissedHand(seat: Seat): void {
    const { play, rules } = this.#core;
    const missed = play.timeouts[seat.index]! > 0 && (play.decided & (1 << seat.index)) === 0;
    if (!missed) return;
    seat.missedHands++;
    if (seat.missedHands >= rules.missedHandsLimit) seat.away = true;
  }

  /** Why a seat is given up after the hand, or null. Who asked to leave has left, with whatever it had. */
  #reasonToGo(seat: Seat): LeaveReason | null {
    if (seat.leaving === 'left') return 'left';
    if (seat.isBust(this.#core.rules.bigBlind)) return 'busted';
    if (seat.away) return seat.connected ? 'left' : 'disconnected';
    return seat.leaving;
  }
}
