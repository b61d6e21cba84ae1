import {
  giveUp,
  HandViews,
  ACTS,
  type Choice,
  type SlowStrategy,
  type StrategyView,
  type Turn,
} from '../bots/index.js';
import { drawCards, seededRandom } from '../cards/shuffle.js';
import { STREETS } from '../formats/hand.js';
import { Hand } from '../holdem/hand.js';
import { ActionRefusal, MAX_SEATS, type Act, type HandSetup } from '../holdem/types.js';
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
  const views = new HandViews(hand, players);
  const setup: HandSetup = {
    button: 0,
    smallBlind: SMALL_BLIND,
    bigBlind: BIG_BLIND,
    dealt: (1 << players) - 1,
    stacks,
    deck,
    headsUpBlinds: 'standard',
  };
  const seated = new Array<SeatedMind>(players);
  const profits = new Array<number>(players);
  for (let deal = 0; deal < stretch.deals; deal++) {
    drawCards(deck, deck.length, random);
    profits.fill(0);
    const rotations = stretch.duplicate ? players : 1;
    for (let turn = 0; turn < rotations; turn++) {
      const rotation = stretch.duplicate ? turn : deal % players;
      for (let player = 0; player < players; player++) {
        seated[seatOf(player, rotation, players)] = { mind: minds[player]!, view: views.of(player) };
      }
      hand.start(setup);
      views.begin((player) => seatOf(player, rotation, players));
      const name = `${stretch.number}-${deal}-${rotation}`;
      const playing = playOut(hand, views, seated, name, (seat) => {
        tallies[playerAt(seat, rotation, players)]!.refused++;
      });
      // Most minds answer at once: then nothing is waited for.
      if (playing !== null) await playing;
      const { finalStacks } = hand.outcome;
      seated.forEach(({ mind }, seat) => {
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

/** Who sits there, and what it sees. */
interface SeatedMind {
  mind: SlowStrategy | LaterMind;
  view: StrategyView;
}

/** Plays the hand to its end; a promise where a mind took its time. */
function playOut(
  hand: Hand,
  views: HandViews,
  seated: readonly SeatedMind[],
  name: string,
  onRefusal: (seat: number) => void,
): Promise<void> | null {
  while (!hand.over) {
    const turn = views.turn(name);
    const { mind, view } = seated[turn.seat]!;
    const choice = typeof mind === 'function' ? mind(turn, view) : mind.decide(hand, name);
    if (choice instanceof Promise) {
      return choice.then(async (late) => {
        act(hand, views, turn, late, onRefusal);
        await playOut(hand, views, seated, name, onRefusal);
      });
    }
    act(hand, views, turn, choice, onRefusal);
  }
  return null;
}

function act(
  hand: Hand,
  views: HandViews,
  turn: Turn,
  choice: Choice | null | undefined,
  onRefusal: (seat: number) => void,
): void {
  const street = STREETS[hand.street]!;
  let done = choice;
  if (done === null || done === undefined || !accepted(hand, done)) {
    // As the platform takes it, a fold where checking is free is a check and no fault.
    if (!(turn.legal.check && choice?.action === 'fold')) onRefusal(turn.seat);
    done = giveUp(turn.legal);
    hand.act(ACTS[done.action]);
  }
  views.add(turn.seat, done.action, street);
}

/** Somebody's module may answer anything. */
function accepted(hand: Hand, choice: Choice): boolean {
  const known: Act | undefined = Object.hasOwn(ACTS, choice.action) ? ACTS[choice.action] : undefined;
  return known !== undefined && hand.act(known, 'amount' in choice ? choice.amount : 0) === ActionRefusal.ok;
}
