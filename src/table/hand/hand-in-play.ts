import { assert } from '../../ops/assert.js';
import { Hand } from '../../holdem/hand.js';
import { MAX_SEATS, Street } from '../../holdem/types.js';
import { MAX_HAND_CARDS } from '../../holdem/state.js';
import type { Deal } from '../deal/deal.js';
import type { DealtPlayer } from '../events.js';
import type { Seat } from '../seats/seat.js';
import type { HandAction } from '../effects.js';

/** The clock of a turn (protocol.md, "Time"). Times in ms. */
export interface TurnClock {
  ms: number;
  /** The ms in the player's time bank. Null if the turn has none. */
  bankMs: number | null;
}

/** idle: no cards dealt. betting: a hand is played. storing: a finished hand's result is being stored. */
export type Phase = 'idle' | 'betting' | 'storing';

/**
 * The hand on the table: the engine, who plays it on which seat, the open turn, and how much of it has been sent. One
 * object serves hand after hand.
 */
export class HandInPlay {
  readonly hand = new Hand();
  readonly deck = new Uint8Array(MAX_HAND_CARDS);
  /** The proof of the deck, if there is a commitment. */
  deal: Deal | null = null;
  phase: Phase = 'idle';
  handId = '';
  handNumber = 0;
  startedAt = 0;
  /** By seat number; null where not dealt in. A player keeps the seat until the hand is stored. */
  readonly seats: (Seat | null)[] = Array.from({ length: MAX_SEATS }, () => null);
  /** The dealt-in players in seat order, as they were named when the hand began. */
  players: DealtPlayer[] = [];
  /** Their entries in your_turn, up to the stack. */
  turnEntries: readonly Uint8Array[] = [];
  actions: HandAction[] = [];
  /** Decisions of each seat in this hand that were timed out, and a mask of the seats that decided themselves. */
  readonly timeouts = new Uint8Array(MAX_SEATS);
  decided = 0;
  /** The bound of table_seq that is stored with the hand, once it is over. */
  seqReserved = 0;

  /** The open turn: its token, and the times when it began and when it runs out. */
  turnToken = '';
  turnOpenedAt = 0;
  turnDeadline = Infinity;
  /** Its clock as it began, and the actor's time bank then (null: none). */
  turnClockMs = 0;
  turnBankMs: number | null = null;
  /** Time in which the platform stood still meanwhile: it is not the player's. */
  turnLagMs = 0;
  /** Recent withdrawals from time banks. */
  #drawn: { at: number; ms: number }[] = [];

  /** How much of the board has been sent. In a run-out the engine is at the river before the cards are sent. */
  street: Street = Street.preflop;
  boardCount = 0;

  begin(handId: string, handNumber: number, startedAt: number, dealt: readonly Seat[]): void {
    assert(this.phase === 'idle', 'a hand begins once the one before is over', this.phase);
    assert(dealt.length >= 2, 'a hand has two players', dealt.length);
    this.phase = 'betting';
    this.handId = handId;
    this.handNumber = handNumber;
    this.startedAt = startedAt;
    this.seats.fill(null);
    for (const seat of dealt) this.seats[seat.index] = seat;
    this.players = dealt.map(({ index, player, nameJson }) => ({ seat: index, agentId: player.agentId, nameJson }));
    this.turnEntries = dealt.map(({ turnEntry }) => turnEntry);
    this.actions = [];
    this.timeouts.fill(0);
    this.decided = 0;
    this.street = Street.preflop;
    this.boardCount = 0;
    this.closeTurn();
  }

  /** The hand is over and is being stored, with this bound of table_seq. */
  store(seqReserved: number): void {
    assert(this.phase === 'betting', 'a hand is stored once', this.phase);
    assert(this.turnToken === '', 'no turn is open in a hand that is over');
    this.phase = 'storing';
    this.seqReserved = seqReserved;
  }

  /** Nothing is dealt any more: the hand is stored, or void. */
  end(): void {
    assert(this.phase !== 'idle', 'a hand ends once');
    this.closeTurn();
    this.phase = 'idle';
  }

  openTurn(token: string, now: number, { ms, bankMs }: TurnClock): void {
    assert(this.phase === 'betting', 'a turn opens in a hand', this.phase);
    assert(this.turnToken === '', 'one turn is open at a time');
    assert(ms > 0, 'a turn has time', ms);
    this.turnToken = token;
    this.turnOpenedAt = now;
    this.turnClockMs = ms;
    this.turnBankMs = bankMs;
    this.turnLagMs = 0;
    this.turnDeadline = now + ms;
  }

  closeTurn(): void {
    this.turnToken = '';
    this.turnDeadline = Infinity;
  }

  /** In this time nobody could answer: what of it fell into the open turn is added to its clock. */
  stood(from: number, to: number): void {
    if (this.turnDeadline === Infinity) return;
    const lost = Math.max(0, to - Math.max(from, this.turnOpenedAt));
    this.turnDeadline += lost;
    this.turnLagMs += lost;
  }

  /** The ms left of the open turn, at this time in epoch microseconds. */
  leftMs(micros: number): number {
    return this.turnDeadline - micros / 1000;
  }

  /** How long the player of the open turn has thought. */
  usedMs(now: number): number {
    return Math.max(0, now - this.turnOpenedAt - this.turnLagMs);
  }

  /** A time bank gave so much. */
  drew(now: number, ms: number): void {
    if (ms > 0) this.#drawn.push({ at: now, ms });
  }

  /** The ms that all time banks of the table have given since then. */
  drawnSince(since: number): number {
    if (this.#drawn.length === 0) return 0;
    this.#drawn = this.#drawn.filter(({ at }) => at > since);
    return this.#drawn.reduce((sum, { ms }) => sum + ms, 0);
  }

  /** A hand is running or its result is being stored. */
  get inHand(): boolean {
    return this.phase !== 'idle';
  }

  /** Whether the seat was dealt into the hand that is running or being stored. */
  has(seat: Seat): boolean {
    return this.inHand && this.seats[seat.index] === seat;
  }

  /** While others decide: whether the seat has folded or was not dealt in, so that no turn can come to it in this hand. */
  isOut(seat: Seat): boolean {
    if (this.phase !== 'betting') return false;
    return this.seats[seat.index] !== seat || (this.hand.folded & (1 << seat.index)) !== 0;
  }

  /** The seat in turn, or null. */
  get actor(): Seat | null {
    return this.phase === 'betting' && this.hand.actor >= 0 ? (this.seats[this.hand.actor] ?? null) : null;
  }

  /** The name a dealt-in seat had when the hand began, as a JSON string. */
  nameOf(seat: number): string {
    const player = this.players.find((each) => each.seat === seat);
    assert(player !== undefined, 'the seat is in the hand', seat);
    return player.nameJson;
  }

  /** The chips in front of a player as last sent: those of the hand while one runs, else the settled stack. */
  stackOf(seat: Seat): number {
    return this.has(seat) ? this.hand.stack[seat.index]! : seat.stack;
  }

  /** The chips of a seat's bet on the street last sent. */
  betOf(seat: Seat): number {
    if (!this.has(seat)) return 0;
    // Before the flop all that was committed is the bet, also when the engine has run on to the river.
    return this.street === Street.preflop ? this.hand.committed[seat.index]! : this.hand.bet[seat.index]!;
  }
}
