import type { Strategy } from '../../src/bots/index.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { BIG_BLIND, MemoryTable } from '../../src/memory/memory-table.js';

/** Bots that spar in memory: the rules of src/holdem, no wire. Every hand starts from stacks of its own. */

/** The actions of a seat over all hands. */
export interface SeatCounts {
  hands: number;
  /** Hands in which it put chips in before the flop of its own will, and hands in which it raised there. */
  vpip: number;
  pfr: number;
  /** After the flop. */
  raises: number;
  calls: number;
  folds: number;
  profit: number;
}

export interface SparringResult {
  conduct: SeatCounts[];
  /** Every choice in order, as text. */
  choices: string[];
}

/** Plays seeded hands with one strategy a seat. `stackOf` gives each seat's chips; throws on an illegal choice. */
export function playHands(
  strategies: readonly Strategy[],
  hands: number,
  seed: number,
  stackOf: (roll: (bound: number) => number) => number = () => 100 * BIG_BLIND,
  onHand: (played: number) => void = () => undefined,
): SparringResult {
  const random = seededRandom(seed);
  const conduct = strategies.map(() => ({ hands: 0, vpip: 0, pfr: 0, raises: 0, calls: 0, folds: 0, profit: 0 }));
  const choices: string[] = [];
  const table = new MemoryTable(strategies.map((_, seat) => `seat_${seat}`));
  for (let number = 0; number < hands; number++) {
    table.draw(random);
    const stacks = strategies.map(() => stackOf((bound) => uniformBelow(bound, random)));
    const name = `hand ${number} of seed ${seed}`;
    table.deal(name, number % strategies.length, stacks);
    playHand(table, strategies, conduct, choices, name);
    conduct.forEach((seat, i) => {
      seat.hands++;
      seat.profit += table.hand.outcome.finalStacks[i]! - stacks[i]!;
    });
    onHand(number + 1);
  }
  return { conduct, choices };
}

function playHand(
  table: MemoryTable,
  strategies: readonly Strategy[],
  conduct: SeatCounts[],
  choices: string[],
  name: string,
): void {
  const [paid, raised] = [new Set<number>(), new Set<number>()];
  while (!table.hand.over) {
    const turn = table.turn();
    const { seat, street, toCall, stack } = turn;
    const choice = strategies[seat]!(turn);
    const text = `${seat} ${JSON.stringify(choice)}`;
    if (!table.act(choice)) throw new Error(`${name}: ${text} was refused where ${JSON.stringify(turn)} was offered`);
    choices.push(text);
    const own = conduct[seat]!;
    // All-in for no more than the bet is a call.
    const aggressive = choice.action === 'raise' || (choice.action === 'all_in' && (toCall === 0 || stack > toCall));
    const called = choice.action === 'call' || (choice.action === 'all_in' && !aggressive);
    if (street === 'preflop') {
      if (aggressive || called) paid.add(seat);
      if (aggressive) raised.add(seat);
    } else if (aggressive) own.raises++;
    else if (called) own.calls++;
    else if (choice.action === 'fold') own.folds++;
  }
  for (const seat of paid) conduct[seat]!.vpip++;
  for (const seat of raised) conduct[seat]!.pfr++;
}
