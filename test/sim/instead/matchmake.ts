import * as real from '../../../src/lobby/matching/matchmake.js';
import { machine } from '../machine/machine.js';

/** src/lobby/matching/matchmake.ts, with a look at the order of the waiting players. */
export const matchmake: typeof real.matchmake = (situation, rules) => {
  machine().inLine?.(situation.waiting);
  return real.matchmake(situation, rules);
};
