import { randomUUID } from 'node:crypto';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { RandomSource } from '../../src/cards/random.js';
import type { Hand } from '../../src/holdem/hand.js';
import { Act } from '../../src/holdem/types.js';
import { RandomTable } from './random-table.js';
import type { HandRecord } from '../../src/table/effects.js';

/** Every kind of play: folds, calls, bets of all sizes, and all-ins (few before the flop). */
export function wildPlay(random: RandomSource): (hand: Hand) => void {
  return (hand) => {
    const legal = hand.legal();
    const dice = uniformBelow(20, random);
    const shoves = hand.boardCount > 0 || uniformBelow(12, random) === 0;
    if (dice < 5 && legal.fold) hand.act(Act.fold);
    else if (dice === 5 && legal.allIn > 0 && shoves) hand.act(Act.allIn);
    else if (dice > 13 && legal.raiseMax > 0) {
      const spread = Math.min(legal.raiseMax - legal.raiseMin, 100) + 1;
      hand.act(Act.raise, legal.raiseMin + uniformBelow(spread, random));
    } else hand.act(legal.check ? Act.check : Act.call);
  };
}

/** Hands of two to six agents, always the same ones, with stacks from a few chips to many. */
export function wildHands(count: number, seed: number): { agents: string[]; hands: HandRecord[] } {
  const random = seededRandom(seed);
  const agents = Array.from({ length: 6 }, () => randomUUID());
  const hands: HandRecord[] = [];
  while (hands.length < count) {
    const players = 2 + uniformBelow(5, random);
    const seats = [0, 1, 2, 3, 4, 5].slice(uniformBelow(7 - players, random)).slice(0, players);
    const seated = seats.map((seat) => ({
      agentId: agents[seat]!,
      seat,
      sitting: randomUUID(),
      stack: 1 + uniformBelow([300, 3000, 3000][uniformBelow(3, random)]!, random),
    }));
    const randomTable = new RandomTable(randomUUID(), randomUUID(), seated, random);
    const play = wildPlay(random);
    for (let n = 0; n < 6 && seated.filter(({ stack }) => stack > 0).length > 1; n++) {
      // Not random, so that the hands of a seed differ only in their posts.
      randomTable.returns = n === 3 ? 1 << (hands.length % 6) : 0;
      hands.push(randomTable.play(play));
    }
  }
  return { agents, hands };
}
