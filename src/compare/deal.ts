import { DECK_SIZE } from '../cards/card.js';
import { drawCards, seededRandom } from '../cards/shuffle.js';
import { Street } from '../holdem/types.js';
import { seatOf } from '../selfplay/stretch.js';
import { seedFrom } from './dice.js';
import { partedAt, type TestedHand, type PlayerMind, type TestTable } from './table.js';

/** Plays one deal with both bots: every rotation, and what parts once more with other cards. */

export interface DealSettings {
  seed: number;
  /** Chips that everybody begins each hand with. */
  stack: number;
  /** Plays of a hand from the decision on at which the two bots part, with new cards and dice for the rest. */
  repeats: number;
}

/** One deal. Chips; the differences are the new bot's less the old bot's. */
export interface DealResult {
  /** The mean of a hand over all rotations. */
  difference: number;
  /** The same by the seat of the tested bot (0 is the button), and by the street on which the bots parted. */
  bySeat: number[];
  byStreet: number[];
  /** Hands that were played, of both bots together. */
  hands: number;
  /** Pairs of hands, and pairs in which the bots did not act alike. */
  pairs: number;
  parted: number;
  /** By bot: the sum of its first plays' profits, their squares, and its refused choices. */
  profit: [number, number];
  squares: [number, number];
  refused: [number, number];
}

/** The minds of a hand by player, of the old bot's side (0) or the new bot's (1). */
export type SideMinds = (side: 0 | 1, deal: number, rotation: number) => readonly PlayerMind[];

/** Open board cards by street. */
const OPEN = [0, 3, 4, 5] as const;

const CARDS = 1;
const REDEAL = 2;
const BOARDS = 3;

/** `tables`: one for each side. */
export async function playDeal(
  deal: number,
  { seed, stack, repeats }: DealSettings,
  players: number,
  minds: SideMinds,
  tables: readonly [TestTable, TestTable],
): Promise<DealResult> {
  const deck = new Uint8Array(DECK_SIZE);
  drawCards(deck, DECK_SIZE, seededRandom(seedFrom(seed, CARDS, deal)));
  const result: DealResult = {
    difference: 0,
    bySeat: new Array<number>(players).fill(0),
    byStreet: [0, 0, 0, 0],
    hands: 0,
    pairs: players,
    parted: 0,
    profit: [0, 0],
    squares: [0, 0],
    refused: [0, 0],
  };
  for (let rotation = 0; rotation < players; rotation++) {
    const handId = `${deal}-${rotation}`;
    const plan = { handId, rotation, stack, boards: seedFrom(seed, BOARDS, deal, rotation) };
    const [ours, theirs] = [minds(0, deal, rotation), minds(1, deal, rotation)];
    const first = tables[0].play({ ...plan, deck, minds: ours });
    const old = first instanceof Promise ? await first : first;
    const second = tables[1].play({ ...plan, deck, minds: theirs, other: old.acts });
    const young = second instanceof Promise ? await second : second;
    note(result, [old, young]);
    const step = partedAt(old.acts, young.acts);
    if (step < 0) continue;
    const street = (old.acts[step] ?? young.acts[step])!.street;
    let difference = young.profit - old.profit;
    // The last street has no more cards to come.
    const times = street === Street.river ? 1 : repeats;
    for (let redeal = 1; redeal < times; redeal++) {
      const other = redealt(deck, 2 * players + OPEN[street], seedFrom(seed, REDEAL, deal, rotation, redeal));
      const [again, anew] = [0, 1].map((side) =>
        tables[side]!.play({
          ...plan,
          deck: other,
          minds: minds(side as 0 | 1, deal, rotation),
          given: { acts: (side === 0 ? old : young).acts.slice(0, step + 1), redeal },
        }),
      );
      const one = again instanceof Promise ? await again : again!;
      const two = anew instanceof Promise ? await anew : anew!;
      result.hands += 2;
      difference += two.profit - one.profit;
    }
    const mean = difference / times;
    result.parted++;
    result.difference += mean / players;
    result.byStreet[street]! += mean / players;
    result.bySeat[seatOf(0, rotation, players)]! += mean;
  }
  return result;
}

function note(result: DealResult, hands: readonly TestedHand[]): void {
  hands.forEach(({ chips, refused }, bot) => {
    result.hands++;
    result.profit[bot]! += chips;
    result.squares[bot]! += chips * chips;
    result.refused[bot]! += refused;
  });
}

/** The same deck up to a card; all others are drawn anew. */
function redealt(deck: Uint8Array, kept: number, seed: number): Uint8Array {
  const order = new Uint8Array(DECK_SIZE);
  drawCards(order, DECK_SIZE, seededRandom(seed));
  const known = new Set(deck.subarray(0, kept));
  const other = deck.slice();
  let place = kept;
  for (const card of order) if (!known.has(card)) other[place++] = card;
  return other;
}
