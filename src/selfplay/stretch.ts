import type { Action, Hand as HandToDecide } from '../../sdk/typescript/src/hand.js';
import { legalAction } from '../../sdk/typescript/src/hand.js';
import { IllegalAction } from '../../sdk/typescript/src/errors.js';
import { MemoryTable, type SlowStrategy } from '../bots/index.js';
import { drawCards, seededRandom } from '../cards/shuffle.js';
import { Hand } from '../holdem/hand.js';
import { MAX_SEATS, type HandSetup } from '../holdem/types.js';
import type { LaterMind, MindMaker } from './minds.js';

/**
 * Duplicate play at one table: each deal is played once from every rotation of the players, so that everybody holds the
 * cards of every seat once. What is left of luck is how others play them.
 */

/** The seat of `player` in one of `players` rotations. */
export const seatOf = (player: number, rotation: number, players: number): number => (player + rotation) % players;

/** Who sits there. */
export const playerAt = (seat: number, rotation: number, players: number): number =>
  (seat - rotation + players) % players;

/** Chips, as at a public table. */
export const [SMALL_BLIND, BIG_BLIND] = [10, 20];

/** A stretch of a match: its deals depend on nothing but its number, so threads may share a match as they like. */
export interface MatchStretch {
  seed: number;
  number: number;
  deals: number;
  /** Every deal from every rotation; otherwise from one, and the next deal from the next. */
  duplicate: boolean;
  /** Chips that everybody begins each hand with. */
  stack: number;
}

/** Of one player. Chips whole. */
export interface MatchTally {
  deals: number;
  hands: number;
  /** Won less lost, over all hands; and the sum of the squares of each deal's. */
  profit: number;
  squares: number;
  /** Choices that the rules did not allow: it checked or folded instead. */
  refused: number;
}

/** Seeds of stretches lie so far apart; any odd number does. */
const APART = 1_000_003;

/** Plays a stretch with minds of its own; a mind that throws ends it, with its error. */
export async function playStretch(stretch: MatchStretch, makers: readonly MindMaker[]): Promise<MatchTally[]> {
  const players = makers.length;
  const seed = (stretch.seed + stretch.number * APART) % 2 ** 48;
  const minds = makers.map((make, player) => make(seed + player + 1));
  const tallies = makers.map((): MatchTally => ({ deals: 0, hands: 0, profit: 0, squares: 0, refused: 0 }));
  const random = seededRandom(seed);
  const deck = new Uint8Array(2 * MAX_SEATS + 5);
  const stacks = new Array<number>(players).fill(stretch.stack);
  const hand = new Hand();
  const table = new MemoryTable(
    hand,
    makers.map((_, player) => `player_${player + 1}`),
  );
  const setup: HandSetup = {
    button: 0,
    smallBlind: SMALL_BLIND,
    bigBlind: BIG_BLIND,
    dealt: (1 << players) - 1,
    stacks,
    deck,
    headsUpBlinds: 'standard',
  };
  const seated = new Array<SlowStrategy | LaterMind>(players);
  const profits = new Array<number>(players);
  for (let deal = 0; deal < stretch.deals; deal++) {
    drawCards(deck, deck.length, random);
    profits.fill(0);
    const rotations = stretch.duplicate ? players : 1;
    for (let turn = 0; turn < rotations; turn++) {
      const rotation = stretch.duplicate ? turn : deal % players;
      for (let player = 0; player < players; player++) {
        seated[seatOf(player, rotation, players)] = minds[player]!;
      }
      hand.start(setup);
      const name = `${stretch.number}-${deal}-${rotation}`;
      table.begin(name, (player) => seatOf(player, rotation, players));
      const playing = playOut(hand, table, seated, (seat) => {
        tallies[playerAt(seat, rotation, players)]!.refused++;
      });
      // Most minds answer at once: then nothing is waited for.
      if (playing !== null) await playing;
      const { finalStacks } = hand.outcome;
      seated.forEach((mind, seat) => {
        if (typeof mind !== 'function') mind.ended(hand, name, seat);
      });
      for (let seat = 0; seat < players; seat++) {
        profits[playerAt(seat, rotation, players)]! += finalStacks[seat]! - stretch.stack;
      }
    }
    for (let player = 0; player < players; player++) {
      const [tally, profit] = [tallies[player]!, profits[player]!];
      tally.deals++;
      tally.hands += rotations;
      tally.profit += profit;
      tally.squares += profit * profit;
    }
  }
  return tallies;
}

/** Plays the hand to its end; a promise where a mind took its time. */
function playOut(
  hand: Hand,
  table: MemoryTable,
  seated: readonly (SlowStrategy | LaterMind)[],
  onRefusal: (seat: number) => void,
): Promise<void> | null {
  while (!hand.over) {
    const turn = table.turn();
    const mind = seated[turn.seat]!;
    const answer = typeof mind === 'function' ? mind(turn) : mind.decide(hand, turn.handId);
    if (answer instanceof Promise) {
      return answer.then(async (late) => {
        act(table, turn, late, onRefusal);
        await playOut(hand, table, seated, onRefusal);
      });
    }
    act(table, turn, answer, onRefusal);
  }
  return null;
}

/** As the kit takes it: what is not allowed is a check or a fold, and a fold where checking is free is no fault. */
function act(table: MemoryTable, turn: HandToDecide, answer: unknown, onRefusal: (seat: number) => void): void {
  let action: Action;
  try {
    action = legalAction(turn, answer);
  } catch (error) {
    if (!(error instanceof IllegalAction)) throw error;
    onRefusal(turn.seat);
    action = turn.safe;
  }
  if (!table.act(action)) throw new Error(`${turn.handId}: the rules refuse ${JSON.stringify(action)}`);
}
