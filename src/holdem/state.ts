import { HandLog } from './log.js';
import { MAX_SEATS, Street } from './types.js';

/** The longest deck a hand takes: two cards a seat and five on the board. */
export const MAX_HAND_CARDS = 2 * MAX_SEATS + 5;

/** The setup as the hand keeps it: its own copies, so that the caller may reuse what it passed. */
export class OwnSetup {
  button = 0;
  smallBlind = 0;
  bigBlind = 0;
  dealt = 0;
  returns = 0;
  readonly stacks = new Int32Array(MAX_SEATS);
  readonly deck = new Uint8Array(MAX_HAND_CARDS);
  headsUpBlinds: 'standard' | 'ring' = 'standard';
}

/**
 * The numbers of one running hand. Chips by seat are Int32Arrays, sets of seats are bit masks; nothing here is
 * allocated after construction. The rules that move these numbers are in deal.ts, betting.ts and settle.ts.
 */
export class HandState {
  readonly setup = new OwnSetup();
  smallBlindSeat = -1;
  bigBlindSeat = -1;
  street: Street = Street.preflop;
  actor = -1;
  over = true;
  readonly stack = new Int32Array(MAX_SEATS);
  readonly bet = new Int32Array(MAX_SEATS);
  readonly committed = new Int32Array(MAX_SEATS);
  dealt = 0;
  folded = 0;
  allIn = 0;
  pot = 0;
  currentBet = 0;
  readonly boardCards = new Uint8Array(5);
  boardCount = 0;
  readonly hole = new Uint8Array(2 * MAX_SEATS);
  readonly log = new HandLog();

  /** Size of the last full raise of the street, at least a big blind: the least that the next one must add. */
  lastRaise = 0;
  /** Seats that must still act before the street's betting is over. */
  toAct = 0;
  /** Seats that have acted on this street; posting a blind is no act. */
  acted = 0;
  /** Bets and raises on this street, all-ins among them, and actions in the hand. */
  raises = 0;
  actions = 0;
  /** See HandSetup. */
  unbounded = false;
  /** The last seat to bet or raise on this street, −1 for none. Blinds do not count. */
  lastAggressor = -1;
}

/** Seats dealt in and not folded. */
export function liveSeats(s: HandState): number {
  return s.dealt & ~s.folded;
}

/** Live seats with chips behind. */
export function seatsWithChips(s: HandState): number {
  return s.dealt & ~s.folded & ~s.allIn;
}

/** Resets the bets for a street after the flop is dealt or later. */
export function beginStreet(s: HandState, street: Street): void {
  s.street = street;
  clearSeats(s.bet);
  s.currentBet = 0;
  s.lastRaise = s.setup.bigBlind;
  s.lastAggressor = -1;
  s.raises = 0;
  s.acted = 0;
}

/** Zeroes a number by seat; for so few places a loop is faster than `fill`. */
export function clearSeats(numbers: Int32Array): void {
  for (let seat = 0; seat < MAX_SEATS; seat++) numbers[seat] = 0;
}
