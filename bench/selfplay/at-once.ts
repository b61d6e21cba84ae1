import { type Choice, type Strategy } from '../../src/bots/index.js';

/** A bot that costs nothing: what is left is the engine, the view and the telling. It calls, and bets one time in eight. */
export const createStrategy = (seed: number): Strategy => {
  let turns = seed;
  return ({ legal }): Choice => {
    if ((turns++ & 7) === 0 && legal.raiseMax > 0) return { action: 'raise', amount: legal.raiseMin };
    return { action: legal.check ? 'check' : 'call' };
  };
};
