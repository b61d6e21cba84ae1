import { IllegalAction } from './errors.js';

/** The one object that `decide` gets: the seat, the hand and what may be done, as they stand in this turn. */

export const STREETS = ['preflop', 'flop', 'turn', 'river'] as const;
export type Street = (typeof STREETS)[number];
export type ActionName = 'fold' | 'check' | 'call' | 'raise' | 'all_in';

/** A bot's action in its turn. `amount` is the raise-to total of the street, for a raise alone. */
export interface Action {
  readonly action: ActionName;
  readonly amount?: number;
}

/** An alternative of a mixed action. */
export interface MixedAction extends Action {
  /** Its probability, above 0. All sum to 1. */
  readonly p: number;
}

/** A mixed action: 1 to 8 parts. The server draws one of them (protocol.md, "Mixed actions"). */
export interface Mix {
  readonly mix: readonly MixedAction[];
}

/** A played action. Amounts are as in `player_action`. */
export interface PlayedAction {
  readonly seat: number;
  readonly name: string;
  readonly action: ActionName;
  /** Chips added for call and all_in, the raise-to total for raise, else null. */
  readonly amount: number | null;
  readonly street: Street;
  /** The player's stack, and the pot, afterwards. */
  readonly stack: number;
  readonly pot: number;
  /** Where the server acted for the player. */
  readonly reason: 'timeout' | 'left' | null;
}

/** Somebody at the table. */
export interface Player {
  readonly seat: number;
  readonly name: string;
  readonly stack: number;
  /** On this street. */
  readonly bet: number;
  /** The state of its socket. */
  readonly status: 'active' | 'away' | 'sitting_out' | 'disconnected';
  /** Dealt in and not folded. */
  readonly inHand: boolean;
  readonly folded: boolean;
}

/** Chips, and the seats that can win them. */
export interface Pot {
  readonly amount: number;
  readonly seats: readonly number[];
}

export type Position = 'button' | 'small_blind' | 'big_blind' | 'under_the_gun' | 'hijack' | 'cutoff';

/** By the number of players, in the order of the places behind the button. */
const POSITIONS: Readonly<Record<number, readonly Position[]>> = {
  2: ['button', 'big_blind'],
  3: ['button', 'small_blind', 'big_blind'],
  4: ['button', 'small_blind', 'big_blind', 'cutoff'],
  5: ['button', 'small_blind', 'big_blind', 'hijack', 'cutoff'],
  6: ['button', 'small_blind', 'big_blind', 'under_the_gun', 'hijack', 'cutoff'],
};

/** The fields of a hand. All amounts are chips. */
export interface HandFields {
  readonly handId: string;
  readonly tableId: string;
  readonly seat: number;
  readonly street: Street;
  /** Cards such as 'As' and 'Td'. */
  readonly hole: readonly string[];
  readonly board: readonly string[];
  /** All bets included, those of this street too. */
  readonly pot: number;
  /** The main pot first, then side pots. */
  readonly pots: readonly Pot[];
  /** The chips that a call adds; 0 where checking is free. Never more than the own stack. */
  readonly toCall: number;
  /** The own stack behind, and the own bet on this street. */
  readonly stack: number;
  readonly bet: number;
  /** The seat of the button. */
  readonly button: number;
  /** The own seat's position; null at a table with a button that does not tell it. */
  readonly position: Position | null;
  readonly smallBlind: number;
  readonly bigBlind: number;
  /** Everybody at the table, by seat, oneself included. */
  readonly players: readonly Player[];
  readonly canCheck: boolean;
  readonly canCall: boolean;
  readonly canRaise: boolean;
  readonly canFold: boolean;
  readonly canAllIn: boolean;
  /** Raise-to totals of the street; 0 where no raise is offered. */
  readonly minRaise: number;
  readonly maxRaise: number;
  /** The actions by street, without blinds. */
  readonly history: Readonly<Record<Street, readonly PlayedAction[]>>;
  /** When the kit answers by itself: ms since 1970. */
  readonly deadline: number;
  /** The ms in the time bank when the turn was sent. Null: this turn has none (protocol.md, "Time bank"). */
  readonly timeBankMs: number | null;
}

/** Node's inspector, and so console.log, asks an object under this name how it wants to be shown. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A hand never changes: each turn has its own. Its parts may be worked out when they are read. */
export class Hand implements HandFields {
  readonly #fields: HandFields;
  #wanted: AbortController | null = null;
  #isCancelled = false;

  constructor(fields: HandFields) {
    this.#fields = fields;
  }

  get handId(): string {
    return this.#fields.handId;
  }
  get tableId(): string {
    return this.#fields.tableId;
  }
  get seat(): number {
    return this.#fields.seat;
  }
  get street(): Street {
    return this.#fields.street;
  }
  get hole(): readonly string[] {
    return this.#fields.hole;
  }
  get board(): readonly string[] {
    return this.#fields.board;
  }
  get pot(): number {
    return this.#fields.pot;
  }
  get pots(): readonly Pot[] {
    return this.#fields.pots;
  }
  get toCall(): number {
    return this.#fields.toCall;
  }
  get stack(): number {
    return this.#fields.stack;
  }
  get bet(): number {
    return this.#fields.bet;
  }
  get button(): number {
    return this.#fields.button;
  }
  get position(): Position | null {
    return this.#fields.position;
  }
  get smallBlind(): number {
    return this.#fields.smallBlind;
  }
  get bigBlind(): number {
    return this.#fields.bigBlind;
  }
  get players(): readonly Player[] {
    return this.#fields.players;
  }
  get canCheck(): boolean {
    return this.#fields.canCheck;
  }
  get canCall(): boolean {
    return this.#fields.canCall;
  }
  get canRaise(): boolean {
    return this.#fields.canRaise;
  }
  get canFold(): boolean {
    return this.#fields.canFold;
  }
  get canAllIn(): boolean {
    return this.#fields.canAllIn;
  }
  get minRaise(): number {
    return this.#fields.minRaise;
  }
  get maxRaise(): number {
    return this.#fields.maxRaise;
  }
  get history(): Readonly<Record<Street, readonly PlayedAction[]>> {
    return this.#fields.history;
  }
  get deadline(): number {
    return this.#fields.deadline;
  }
  get timeBankMs(): number | null {
    return this.#fields.timeBankMs;
  }

  /** Aborted when this decision is no longer wanted: the turn is over, or was answered for you. */
  get signal(): AbortSignal {
    this.#wanted ??= new AbortController();
    if (this.#isCancelled) this.#wanted.abort();
    return this.#wanted.signal;
  }

  /** For the kit: this decision is no longer wanted. */
  cancel(): void {
    this.#isCancelled = true;
    this.#wanted?.abort();
  }

  /** All fields, for JSON.stringify and console.log. */
  toJSON(): HandFields {
    const { handId, tableId, seat, street, hole, board, pot, pots, toCall, stack, bet, button, position } = this;
    const { smallBlind, bigBlind, players, canCheck, canCall, canRaise, canFold, canAllIn } = this;
    const { minRaise, maxRaise, history, deadline, timeBankMs } = this;
    return {
      handId,
      tableId,
      seat,
      street,
      hole,
      board,
      pot,
      pots,
      toCall,
      stack,
      bet,
      button,
      position,
      smallBlind,
      bigBlind,
      players,
      canCheck,
      canCall,
      canRaise,
      canFold,
      canAllIn,
      minRaise,
      maxRaise,
      history,
      deadline,
      timeBankMs,
    };
  }

  [INSPECT](): HandFields {
    return this.toJSON();
  }

  /** Stacks behind, by seat. */
  get stacks(): Readonly<Record<number, number>> {
    return Object.fromEntries(this.players.map(({ seat, stack }) => [seat, stack]));
  }

  /** On this street. */
  get highestBet(): number {
    return Math.max(0, ...this.players.map(({ bet }) => bet));
  }

  /** The actions of this hand, in order. */
  get actions(): readonly PlayedAction[] {
    return STREETS.flatMap((street) => this.history[street]);
  }

  // ---- what may be done

  /** Throws IllegalAction where there is a bet to call. */
  check(): Action {
    if (!this.canCheck) throw new IllegalAction(`cannot check: ${this.toCall} to call`);
    return { action: 'check' };
  }

  /** A check where there is nothing to call. */
  call(): Action {
    return this.canCall ? { action: 'call' } : this.check();
  }

  /** A check where checking is free: folding is not offered there. */
  fold(): Action {
    return { action: this.canCheck ? 'check' : 'fold' };
  }

  /** The whole stack, or the nearest thing to it: a call. */
  allIn(): Action {
    return this.canAllIn ? { action: 'all_in' } : this.call();
  }

  /**
   * Raises to a total of the street, brought into what is allowed. If no raise is offered, it is an all-in if the total
   * asks for one and exceeds a call, else a call or a check.
   */
  raiseTo(total: number): Action {
    if (Number.isNaN(total)) throw new IllegalAction('raiseTo was given no number');
    if (this.canRaise) {
      return { action: 'raise', amount: Math.floor(Math.min(Math.max(total, this.minRaise), this.maxRaise) + 0.5) };
    }
    if (this.canAllIn && total >= this.bet + this.stack && this.stack > this.toCall) return { action: 'all_in' };
    return this.call();
  }

  /** Raises to so much above the highest bet. */
  raiseBy(chips: number): Action {
    return this.raiseTo(this.highestBet + chips);
  }

  /** Raises by a fraction of the pot as it would be after a call. */
  raisePot(fraction = 1): Action {
    return this.raiseTo(this.highestBet + Math.floor(fraction * (this.pot + this.toCall) + 0.5));
  }

  /** The kit's own action if it must act by itself: a check, else a fold. */
  get safe(): Action {
    return this.fold();
  }
}

/** The most parts of a mix; its probabilities sum to 1 but for so much. */
const [MIX_PARTS, MIX_ERROR] = [8, 1e-6];

/** The result of `decide`, an action or a mix, if it is legal. Throws IllegalAction with the reason. */
export function legalChoice(hand: Hand, answer: unknown): Action | Mix {
  const { mix } = read(answer);
  return mix === undefined ? legalAction(hand, answer) : legalMix(hand, mix);
}

function legalMix(hand: Hand, parts: unknown): Mix {
  if (!Array.isArray(parts) || parts.length < 1 || parts.length > MIX_PARTS) {
    throw new IllegalAction(`a mix is a list of 1 to ${MIX_PARTS} parts, not ${JSON.stringify(parts)}`);
  }
  const mix = parts.map((part: unknown): MixedAction => {
    const { p } = read(part);
    if (typeof p !== 'number' || !(p > 0)) {
      throw new IllegalAction(`each part of a mix needs a probability p above 0: ${JSON.stringify(part)}`);
    }
    return { ...legalAction(hand, part), p };
  });
  const sum = mix.reduce((before, { p }) => before + p, 0);
  if (Math.abs(sum - 1) > MIX_ERROR) throw new IllegalAction(`the probabilities of a mix sum to ${sum}, not to 1`);
  return { mix };
}

/** An action, if it is legal. Throws IllegalAction with the reason. */
export function legalAction(hand: Hand, answer: unknown): Action {
  const { action, amount } = read(answer);
  const offered: Readonly<Record<ActionName, boolean>> = {
    fold: hand.canFold,
    check: hand.canCheck,
    call: hand.canCall,
    raise: hand.canRaise,
    all_in: hand.canAllIn,
  };
  if (!isActionName(action, offered)) {
    throw new IllegalAction(`decide returned ${JSON.stringify(answer)}, which is no action`);
  }
  if (action === 'fold' && hand.canCheck) return hand.fold();
  if (!offered[action]) throw new IllegalAction(`${action} is not offered now`);
  if (action !== 'raise') return { action };
  if (typeof amount !== 'number' || !Number.isInteger(amount)) {
    throw new IllegalAction(`a raise needs an amount in whole chips, not ${JSON.stringify(amount)}`);
  }
  if (amount < hand.minRaise || amount > hand.maxRaise) {
    throw new IllegalAction(`raise to ${amount}: allowed is ${hand.minRaise} to ${hand.maxRaise}`);
  }
  return { action, amount };
}

const isActionName = (action: unknown, offered: object): action is ActionName =>
  typeof action === 'string' && Object.hasOwn(offered, action);

function read(answer: unknown): { action?: unknown; amount?: unknown; mix?: unknown; p?: unknown } {
  return typeof answer === 'object' && answer !== null ? answer : { action: answer };
}

/** The name of a seat's place among those who were dealt in. */
export function positionOf(seat: number, button: number, dealtIn: readonly number[]): Position | null {
  const order = [...dealtIn].sort((a, b) => behind(a, button) - behind(b, button));
  return POSITIONS[order.length]?.[order.indexOf(seat)] ?? null;
}

/** Places from the button on; more than any table has seats. */
export const behind = (seat: number, button: number): number => (seat - button + 64) % 64;

/**
 * Main and side pots of what each seat has put in. Chips of folded seats above the last level belong to the last pot.
 */
export function potsOf(contributions: ReadonlyMap<number, number>, folded: ReadonlySet<number>): Pot[] {
  const live = [...contributions].filter(([seat, chips]) => !folded.has(seat) && chips > 0);
  const levels = [...new Set(live.map(([, chips]) => chips))].sort((a, b) => a - b);
  return levels.map((level, n) => {
    const below = levels[n - 1] ?? 0;
    const top = n === levels.length - 1 ? Infinity : level;
    const parts = [...contributions.values()].map((chips) => Math.min(chips, top) - Math.min(chips, below));
    const seats = live.filter(([, chips]) => chips >= level).map(([seat]) => seat);
    return { amount: parts.reduce((sum, part) => sum + part, 0), seats: seats.sort((a, b) => a - b) };
  });
}
