import type { SlowStrategy } from '../bots/index.js';
import { seededRandom } from '../cards/shuffle.js';
import { MemoryTable, type TurnAnswer } from '../memory/memory-table.js';
import type { LaterMind, MindMaker } from './minds.js';

/**
 * Duplicate play at one table. Each deal is played once from every rotation of the players, so every player holds the
 * cards of every seat once. The rest of the luck is how others play them.
 */

/** The seat of `player` in one of `players` rotations. */
export const seatOf = (player: number, rotation: number, players: number): number => (player + rotation) % players;

/** The player on a seat. */
export const playerAt = (seat: number, rotation: number, players: number): number =>
  (seat - rotation + players) % players;

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

/** The results of one player. Chips whole. */
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
/** Seeds of the dice of mixed actions lie so far from those of cards. */
const DICE_APART = 2 ** 40;

/** Plays a stretch with minds of its own; a mind that throws ends it, with its error. */
export async function playStretch(stretch: MatchStretch, makers: readonly MindMaker[]): Promise<MatchTally[]> {
  const players = makers.length;
  const seed = (stretch.seed + stretch.number * APART) % 2 ** 48;
  const minds = makers.map((make, player) => make(seed + player + 1));
  const tallies = makers.map((): MatchTally => ({ deals: 0, hands: 0, profit: 0, squares: 0, refused: 0 }));
  const random = seededRandom(seed);
  const stacks = new Array<number>(players).fill(stretch.stack);
  const table = new MemoryTable(makers.map((_, player) => `player_${player + 1}`));
  table.dice = seededRandom((seed + DICE_APART) % 2 ** 48);
  const { hand } = table;
  const seated = new Array<SlowStrategy | LaterMind>(players);
  const profits = new Array<number>(players);
  const answerOf: TurnAnswer = (turn) => {
    const mind = seated[turn.seat]!;
    return typeof mind === 'function' ? mind(turn) : mind.decide(hand, turn.handId);
  };
  for (let deal = 0; deal < stretch.deals; deal++) {
    table.draw(random);
    profits.fill(0);
    const rotations = stretch.duplicate ? players : 1;
    for (let turn = 0; turn < rotations; turn++) {
      const rotation = stretch.duplicate ? turn : deal % players;
      for (let player = 0; player < players; player++) {
        seated[seatOf(player, rotation, players)] = minds[player]!;
      }
      const name = `${stretch.number}-${deal}-${rotation}`;
      table.deal(name, 0, stacks, (player) => seatOf(player, rotation, players));
      const playing = table.playOut(answerOf, (seat) => {
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
