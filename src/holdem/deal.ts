import { DECK_SIZE } from '../cards/card.js';
import { EventKind, Post } from './log.js';
import { atMostOne, countSeats, lowestSeat, nextSeat } from './seats.js';
import { seatsWithChips, type HandState } from './state.js';
import { putChips } from './betting.js';
import { MAX_SEATS, Street, type HandSetup } from './types.js';

/** So that every sum of chips in the hand fits an Int32. */
const MAX_CHIPS = 2 ** 31 - 1;

/** Throws a RangeError, naming what is wrong, unless a hand can be played from this setup. Changes nothing. */
export function checkSetup(setup: HandSetup): void {
  const { button, smallBlind, bigBlind, dealt, returns = 0 } = setup;
  if (!Number.isInteger(dealt) || dealt < 0 || dealt >> MAX_SEATS !== 0 || atMostOne(dealt)) {
    throw new RangeError(`dealt is no mask of at least two of ${MAX_SEATS} seats: ${dealt}`);
  }
  if (!Number.isInteger(button) || button < 0 || button >= MAX_SEATS || (dealt & (1 << button)) === 0) {
    throw new RangeError(`the button is not dealt in: ${button}`);
  }
  if (!Number.isInteger(smallBlind) || !Number.isInteger(bigBlind) || smallBlind < 1 || smallBlind > bigBlind) {
    throw new RangeError(`not a pair of blinds: ${smallBlind}/${bigBlind}`);
  }
  if (!Number.isInteger(returns) || (returns & ~dealt) !== 0) {
    throw new RangeError(`a return post of a seat that is not dealt in: ${returns}`);
  }
  let total = bigBlind;
  for (let rest = dealt; rest !== 0; rest &= rest - 1) {
    const stack = setup.stacks[lowestSeat(rest)];
    if (stack === undefined || !Number.isInteger(stack) || stack < 1) {
      throw new RangeError(`seat ${lowestSeat(rest)} has no stack to play: ${stack}`);
    }
    total += stack;
  }
  if (total > MAX_CHIPS) throw new RangeError(`more chips in the hand than ${MAX_CHIPS}: ${total}`);
  checkDeck(setup.deck, 2 * countSeats(dealt) + 5);
}

function checkDeck(deck: ArrayLike<number>, needed: number): void {
  let low = 0;
  let high = 0;
  for (let i = 0; i < needed; i++) {
    const card = deck[i];
    if (card === undefined || !Number.isInteger(card) || card < 0 || card >= DECK_SIZE) {
      throw new RangeError(`deck place ${i} of ${needed} holds no card: ${card}`);
    }
    const bit = 1 << (card & 31);
    if (((card < 32 ? low : high) & bit) !== 0) throw new RangeError(`card ${card} is twice in the deck`);
    if (card < 32) low |= bit;
    else high |= bit;
  }
}

/** Resets the state to a hand dealt from `setup`: stacks full, hole cards out, no blind posted yet. */
export function dealHand(s: HandState, setup: HandSetup): void {
  const own = s.setup;
  own.button = setup.button;
  own.smallBlind = setup.smallBlind;
  own.bigBlind = setup.bigBlind;
  own.dealt = setup.dealt;
  own.returns = setup.returns ?? 0;
  own.headsUpBlinds = setup.headsUpBlinds;
  for (let seat = 0; seat < MAX_SEATS; seat++) {
    const stack = (setup.dealt & (1 << seat)) === 0 ? 0 : setup.stacks[seat]!;
    own.stacks[seat] = stack;
    s.stack[seat] = stack;
    s.bet[seat] = 0;
    s.committed[seat] = 0;
  }
  s.dealt = setup.dealt;
  s.folded = 0;
  s.allIn = 0;
  s.pot = 0;
  s.boardCount = 0;
  s.actions = 0;
  s.unbounded = setup.unbounded === true;
  s.street = Street.preflop;
  s.over = false;
  s.log.clear();
  dealHoleCards(s, setup.deck);
}

/** One card to everybody from the left of the button, then the second; the next five are the board. */
function dealHoleCards(s: HandState, deck: ArrayLike<number>): void {
  const players = countSeats(s.dealt);
  const own = s.setup.deck;
  const needed = 2 * players + 5;
  for (let i = 0; i < needed; i++) own[i] = deck[i]!;
  let seat = s.setup.button;
  for (let i = 0; i < players; i++) {
    seat = nextSeat(s.dealt, seat);
    s.hole[2 * seat] = own[i]!;
    s.hole[2 * seat + 1] = own[players + i]!;
  }
}

/** Heads-up the button is the small blind, unless the ring form is asked for. */
export function smallBlindSeat(dealt: number, button: number, headsUpBlinds: HandSetup['headsUpBlinds']): number {
  const left = nextSeat(dealt, button);
  return headsUpBlinds === 'standard' && nextSeat(dealt, left) === button ? button : left;
}

/**
 * Posts the blinds, then the return posts, and opens the betting before the flop. A post is live: it is the bet of its
 * seat, which still acts in its turn. A blind posted short leaves the price at the full big blind.
 */
export function postBlinds(s: HandState): void {
  const { button, smallBlind, bigBlind, headsUpBlinds, returns } = s.setup;
  s.smallBlindSeat = smallBlindSeat(s.dealt, button, headsUpBlinds);
  s.bigBlindSeat = nextSeat(s.dealt, s.smallBlindSeat);
  postBlind(s, s.smallBlindSeat, smallBlind, Post.smallBlind);
  postBlind(s, s.bigBlindSeat, bigBlind, Post.bigBlind);
  if (returns !== 0) postReturns(s);
  s.currentBet = bigBlind;
  s.lastRaise = bigBlind;
  s.lastAggressor = -1;
  s.raises = 0;
  s.acted = 0;
  s.toAct = seatsWithChips(s) & ~coveringSeat(s);
}

/** Each seat that comes back, from the left of the button, brings its bet up to a big blind. */
function postReturns(s: HandState): void {
  const { returns, button, bigBlind } = s.setup;
  let seat = button;
  for (let due = returns & ~(1 << s.bigBlindSeat) & ~s.allIn; due !== 0; due &= ~(1 << seat)) {
    seat = nextSeat(due, seat);
    const lacking = bigBlind - s.bet[seat]!;
    if (lacking > 0) postBlind(s, seat, lacking, Post.return);
  }
}

/**
 * The seat with a post above the whole stack of every opponent, as a mask. It makes no decision, so heads-up the hand
 * goes straight to showdown, or ends with the other's call or fold.
 */
function coveringSeat(s: HandState): number {
  if (coversAll(s, s.bigBlindSeat)) return 1 << s.bigBlindSeat;
  if (coversAll(s, s.smallBlindSeat)) return 1 << s.smallBlindSeat;
  for (let rest = s.setup.returns; rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    if (coversAll(s, seat)) return 1 << seat;
  }
  return 0;
}

function coversAll(s: HandState, seat: number): boolean {
  const bet = s.bet[seat]!;
  for (let rest = s.dealt & ~(1 << seat); rest !== 0; rest &= rest - 1) {
    if (s.setup.stacks[lowestSeat(rest)]! > bet) return false;
  }
  return true;
}

function postBlind(s: HandState, seat: number, blind: number, which: Post): void {
  const chips = Math.min(blind, s.stack[seat]!);
  putChips(s, seat, chips);
  s.log.append(EventKind.blind, seat, chips, which);
}
