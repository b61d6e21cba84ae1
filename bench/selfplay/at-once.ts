import type { Strategy } from '../../src/bots/index.js';

/** A bot that costs nothing: what is left is the engine, the hand and the telling. It calls, and bets one time in eight. */
export const createStrategy = (seed: number): Strategy => {
  let turns = seed;
  return (hand) => {
    if ((turns++ & 7) === 0 && hand.canRaise) return { action: 'raise', amount: hand.minRaise };
    return { action: hand.canCheck ? 'check' : 'call' };
  };
};
