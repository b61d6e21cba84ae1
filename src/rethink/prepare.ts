import { CARD_NAMES, DECK_SIZE, parseCard } from '../cards/card.js';
import { seededRandom, uniformBelow } from '../cards/shuffle.js';
import { Hand } from '../holdem/hand.js';
import { ActionRefusal, type HandSetup } from '../holdem/types.js';
import { ACT_NUMBERS } from '../table/frames/words.js';
import type { RecordedHand } from './recorded.js';

/** A recorded hand that a table can play again, with cards for all places. */
export interface PreparedHand {
  hand: RecordedHand;
  /** Cards in dealing order. */
  deck: readonly number[];
  setup: HandSetup;
  /** The seat dealt in before the button: from there the button moves to its place. */
  buttonBefore: number;
}

/** Why a hand is left out. */
export type Unplayable = 'return_post' | 'other_rules' | 'no_cards_fit';

/** Unknown cards are drawn so many times at most, until the hand ends as recorded. */
const TRIES = 500;

const engine = new Hand();

/**
 * Deals unseen cards so that the hand ends as it is recorded: stacks, and the players that showed. The cards depend on the
 * hand alone. Returns the reason where there are none.
 */
export function prepared(hand: RecordedHand): PreparedHand | Unplayable {
  if (hand.posts.some(({ kind }) => kind === 'return')) return 'return_post';
  const seats = hand.players.map(({ seat }) => seat);
  const order = [...seats].sort((a, b) => leftOf(a, hand.button) - leftOf(b, hand.button));
  const known = knownCards(hand, order);
  const random = seededRandom(parseInt(hand.hand_id.replaceAll('-', '').slice(-12), 16));
  const stacks = Array.from({ length: 6 }, (_, seat) => startOf(hand, seat));
  const dealt = seats.reduce((mask, seat) => mask | (1 << seat), 0);
  const { button, small_blind: smallBlind, big_blind: bigBlind } = hand;
  for (let tries = 0; tries < TRIES; tries++) {
    const deck = filled(known, (below) => uniformBelow(below, random));
    const setup: HandSetup = {
      button,
      smallBlind,
      bigBlind,
      headsUpBlinds: 'standard',
      returns: 0,
      dealt,
      stacks,
      deck,
    };
    const end = playedTo(hand, setup);
    if (end === 'refused') return 'other_rules';
    if (end === 'fits') return { hand, deck, setup, buttonBefore: order.at(-2)! };
    // With all cards known another draw changes nothing.
    if (!known.includes(null)) return 'other_rules';
  }
  return 'no_cards_fit';
}

/** Places from the left of the button, which is last. */
const leftOf = (seat: number, button: number): number => (seat - button - 1 + 64) % 64;

const startOf = ({ players }: RecordedHand, seat: number): number =>
  players.find((player) => player.seat === seat)?.stack_start ?? 0;

/** In dealing order: two rounds from the left of the button, then the board. */
function knownCards(hand: RecordedHand, order: readonly number[]): (number | null)[] {
  const holeOf = (seat: number) => (seat === hand.seat ? hand.hole_cards : (hand.shown_cards[String(seat)] ?? []));
  const card = (name: string | undefined) => (name === undefined ? null : parseCard(name));
  return [
    ...order.map((seat) => card(holeOf(seat)[0])),
    ...order.map((seat) => card(holeOf(seat)[1])),
    ...Array.from({ length: 5 }, (_, i) => card(hand.board[i])),
  ];
}

function filled(known: readonly (number | null)[], below: (n: number) => number): number[] {
  const left = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !known.includes(card));
  return known.map((card) => card ?? left.splice(below(left.length), 1)[0]!);
}

/** Whether the hand with these cards ends as recorded. */
function playedTo(hand: RecordedHand, setup: HandSetup): 'fits' | 'differs' | 'refused' {
  engine.start(setup);
  for (const { seat, action, amount } of hand.actions) {
    if (engine.over || engine.actor !== seat) return 'refused';
    if (engine.act(ACT_NUMBERS[action], amount ?? 0) !== ActionRefusal.ok) return 'refused';
  }
  if (!engine.over) return 'refused';
  const { finalStacks, shown } = engine.outcome;
  const showed = Object.keys(hand.shown_cards).reduce((mask, seat) => mask | (1 << Number(seat)), 0);
  const fits = hand.players.every(({ seat, stack_end: end }) => finalStacks[seat] === end);
  return fits && shown === showed ? 'fits' : 'differs';
}

/** Cards in dealing order, as RiggedRandom takes them. */
export const deckText = (deck: readonly number[]): string => deck.map((card) => CARD_NAMES[card]!).join(' ');
