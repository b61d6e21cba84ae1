import {
  positionOf,
  potsOf,
  type ActionName,
  type HandFields,
  type PlayedAction,
  type Player,
  type Position,
  type Pot,
} from '../../sdk/typescript/src/hand.js';
import { CARD_NAMES } from '../cards/card.js';
import { STREETS, type StreetName } from '../formats/hand.js';
import type { Hand } from '../holdem/hand.js';
import { MAX_SEATS } from '../holdem/types.js';

/** ms for a turn in memory, where no clock runs: a bot that plans its time finds the platform's usual clock. */
const TURN_MS = 120_000;

const ACTIONS: readonly ActionName[] = ['fold', 'check', 'call', 'raise', 'all_in'];
/** Numbers that an action is kept as. */
const WIDTH = 6;

const NOTHING: readonly never[] = Object.freeze([]);
const NO_HISTORY = Object.freeze({ preflop: NOTHING, flop: NOTHING, turn: NOTHING, river: NOTHING });

/**
 * One hand as its players see it: its beginning, and its actions. Actions are only ever added. The number of actions
 * before a turn identifies the turn. Views are worked out when they are read, and turns that show the same share them.
 */
export class SeenHand {
  readonly button: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly #dealt: number;
  /** Chips by seat after the blinds: behind, and bet. */
  readonly #stacks: Int32Array;
  readonly #bets: Int32Array;
  readonly #cards: Uint8Array;
  readonly #holes: (readonly string[])[] = [];
  readonly #board: string[] = [];
  #shownBoard: readonly string[] = NOTHING;
  /** The actions, WIDTH numbers each: seat, place in ACTIONS, street, amount (-1: none), and stack and pot after it. */
  readonly #done: number[] = [];
  readonly #played: PlayedAction[] = [];
  #pot: number;
  /** The number of actions by street, and the actions of each street as they were shown last. */
  readonly #counts = [0, 0, 0, 0];
  readonly #shown: (readonly PlayedAction[])[] = [NOTHING, NOTHING, NOTHING, NOTHING];
  #history: HandFields['history'] = NO_HISTORY;
  #historyOf = 0;
  readonly #stackNow: Int32Array;
  readonly #betNow: Int32Array;
  #foldedNow = 0;
  #streetNow = 0;
  /** The players as they were shown last, and to which turn. */
  #players: readonly Player[] = NOTHING;
  #playersAt = -1;

  constructor(
    readonly handId: string,
    hand: Hand,
    private readonly names: readonly string[],
  ) {
    ({ button: this.button, smallBlind: this.smallBlind, bigBlind: this.bigBlind } = hand.setup);
    this.#dealt = hand.dealt;
    this.#stacks = hand.stack.slice();
    this.#bets = hand.bet.slice();
    this.#cards = hand.hole.slice();
    this.#pot = hand.pot;
    this.#stackNow = hand.stack.slice();
    this.#betNow = hand.bet.slice();
  }

  /** How many actions there were so far. */
  get length(): number {
    return this.#done.length / WIDTH;
  }

  /** Adds an action on `street`, with the rest of the seat's stack. */
  add(seat: number, action: ActionName, street: number, stack: number): void {
    this.#open(street);
    const added = this.#stackNow[seat]! - stack;
    this.#stackNow[seat] = stack;
    this.#betNow[seat]! += added;
    this.#pot += added;
    if (action === 'fold') this.#foldedNow |= 1 << seat;
    const amount = action === 'raise' ? this.#betNow[seat]! : added > 0 ? added : -1;
    this.#done.push(seat, ACTIONS.indexOf(action), street, amount, stack, this.#pot);
    this.#counts[street]!++;
  }

  /** The actions from one to before another, as players are told them. */
  #playedFrom(first: number, end: number): readonly PlayedAction[] {
    const of = this.#done;
    for (let i = this.#played.length; i < end; i++) {
      const [seat, amount] = [of[i * WIDTH]!, of[i * WIDTH + 3]!];
      const action = ACTIONS[of[i * WIDTH + 1]!]!;
      const [street, stack, pot] = [STREETS[of[i * WIDTH + 2]!]!, of[i * WIDTH + 4]!, of[i * WIDTH + 5]!];
      const name = this.names[seat]!;
      const done = { seat, name, action, amount: amount < 0 ? null : amount, street, stack, pot, reason: null };
      this.#played.push(Object.freeze(done));
    }
    return Object.freeze(this.#played.slice(first, end));
  }

  #open(street: number): void {
    if (street === this.#streetNow) return;
    this.#streetNow = street;
    this.#betNow.fill(0);
  }

  /** Notes the board cards that are open by now. */
  see({ boardCards, boardCount }: Hand): number {
    while (this.#board.length < boardCount) this.#board.push(CARD_NAMES[boardCards[this.#board.length]!]!);
    return boardCount;
  }

  holeOf(seat: number): readonly string[] {
    const [first, second] = [this.#cards[2 * seat]!, this.#cards[2 * seat + 1]!];
    return (this.#holes[seat] ??= Object.freeze([CARD_NAMES[first]!, CARD_NAMES[second]!]));
  }

  boardOf(count: number): readonly string[] {
    if (this.#shownBoard.length !== count) this.#shownBoard = Object.freeze(this.#board.slice(0, count));
    return this.#shownBoard;
  }

  /** The history of a turn that so many actions came before. */
  historyAt(before: number): HandFields['history'] {
    if (this.#historyOf === before) return this.#history;
    let first = 0;
    for (let street = 0; street < STREETS.length; street++) {
      const end = Math.min(before, first + this.#counts[street]!);
      if (this.#shown[street]!.length !== end - first) this.#shown[street] = this.#playedFrom(first, end);
      first = end;
    }
    const [preflop, flop, turn, river] = this.#shown;
    this.#historyOf = before;
    return (this.#history = Object.freeze({ preflop: preflop!, flop: flop!, turn: turn!, river: river! }));
  }

  /** The players of a turn that so many actions came before, on `street`. */
  playersAt(before: number, street: number): readonly Player[] {
    if (this.#playersAt === before) return this.#players;
    const { stacks, bets, folded } = this.#chipsAt(before, street);
    const last = this.#players;
    const players: Player[] = [];
    for (let seat = 0; seat < MAX_SEATS; seat++) {
      if ((this.#dealt & (1 << seat)) === 0) continue;
      const [stack, bet, isFolded] = [stacks[seat]!, bets[seat]!, (folded & (1 << seat)) !== 0];
      const same = last[players.length];
      if (same?.stack === stack && same.bet === bet && same.folded === isFolded) players.push(same);
      else players.push(this.#playerOf(seat, stack, bet, isFolded));
    }
    this.#playersAt = before;
    return (this.#players = Object.freeze(players));
  }

  #playerOf(seat: number, stack: number, bet: number, folded: boolean): Player {
    const name = this.names[seat]!;
    return Object.freeze({ seat, name, stack, bet, status: 'active', inHand: !folded, folded } as const);
  }

  #chipsAt(before: number, street: number): { stacks: Int32Array; bets: Int32Array; folded: number } {
    // The present turn is the usual one to look at.
    if (before === this.length) {
      this.#open(street);
      return { stacks: this.#stackNow, bets: this.#betNow, folded: this.#foldedNow };
    }
    const [stacks, bets] = [this.#stacks.slice(), this.#bets.slice()];
    let [folded, open] = [0, 0];
    for (let i = 0; i < before; i++) {
      const [seat, on, stack] = [this.#done[i * WIDTH]!, this.#done[i * WIDTH + 2]!, this.#done[i * WIDTH + 4]!];
      if (ACTIONS[this.#done[i * WIDTH + 1]!] === 'fold') folded |= 1 << seat;
      if (on !== open) bets.fill(0);
      open = on;
      bets[seat]! += stacks[seat]! - stack;
      stacks[seat] = stack;
    }
    if (street !== open) bets.fill(0);
    return { stacks, bets, folded };
  }

  potsAt(before: number, street: number): readonly Pot[] {
    const { stacks, folded } = this.#chipsAt(before, street);
    const [putIn, out] = [new Map<number, number>(), new Set<number>()];
    for (const { seat } of this.playersAt(before, street)) {
      putIn.set(seat, this.#stacks[seat]! + this.#bets[seat]! - stacks[seat]!);
      if ((folded & (1 << seat)) !== 0) out.add(seat);
    }
    const pots = potsOf(putIn, out);
    for (const pot of pots) Object.freeze(Object.freeze(pot).seats);
    return Object.freeze(pots);
  }

  positionOf(seat: number): Position | null {
    const dealtIn = Array.from({ length: MAX_SEATS }, (_, i) => i).filter((i) => (this.#dealt & (1 << i)) !== 0);
    return positionOf(seat, this.button, dealtIn);
  }
}

/** The turn of a hand's actor. Chips and offers are noted at once. All else is worked out when it is read. */
export class SeenTurn implements HandFields {
  readonly tableId = 'memory';
  readonly timeBankMs = null;
  readonly seat: number;
  readonly pot: number;
  readonly toCall: number;
  readonly stack: number;
  readonly bet: number;
  readonly canCheck: boolean;
  readonly canCall: boolean;
  readonly canRaise: boolean;
  readonly canFold: boolean;
  readonly canAllIn: boolean;
  readonly minRaise: number;
  readonly maxRaise: number;
  readonly #seen: SeenHand;
  readonly #street: number;
  readonly #open: number;
  readonly #before: number;
  #deadline = 0;

  constructor(seen: SeenHand, hand: Hand) {
    const { fold, check, call, raiseMin, raiseMax, allIn } = hand.legal();
    const seat = hand.actor;
    this.#seen = seen;
    this.#street = hand.street;
    this.#open = seen.see(hand);
    this.#before = seen.length;
    this.seat = seat;
    this.pot = hand.pot;
    this.stack = hand.stack[seat]!;
    this.bet = hand.bet[seat]!;
    this.canFold = fold;
    this.canCheck = check;
    this.canCall = call > 0;
    this.toCall = call;
    this.canRaise = raiseMax > 0;
    this.minRaise = raiseMin;
    this.maxRaise = raiseMax;
    this.canAllIn = allIn > 0;
  }

  get handId(): string {
    return this.#seen.handId;
  }
  get street(): StreetName {
    return STREETS[this.#street]!;
  }
  get button(): number {
    return this.#seen.button;
  }
  get smallBlind(): number {
    return this.#seen.smallBlind;
  }
  get bigBlind(): number {
    return this.#seen.bigBlind;
  }
  get hole(): readonly string[] {
    return this.#seen.holeOf(this.seat);
  }
  get board(): readonly string[] {
    return this.#seen.boardOf(this.#open);
  }
  get players(): readonly Player[] {
    return this.#seen.playersAt(this.#before, this.#street);
  }
  get history(): HandFields['history'] {
    return this.#seen.historyAt(this.#before);
  }
  get pots(): readonly Pot[] {
    return this.#seen.potsAt(this.#before, this.#street);
  }
  get position(): Position | null {
    return this.#seen.positionOf(this.seat);
  }
  get deadline(): number {
    return (this.#deadline ||= Date.now() + TURN_MS);
  }
}
