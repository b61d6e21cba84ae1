import type * as real from '../../../src/seasons/leaderboard.js';

/** Stands for src/seasons/leaderboard.ts: the bots of the simulation never ask for standings, and nobody else looks. */
export class Leaderboard implements Pick<real.Leaderboard, 'start' | 'stop' | 'page' | 'total' | 'rankOf'> {
  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): void {
    // Nothing runs.
  }

  page(): Promise<real.NamedStanding[]> {
    return Promise.resolve([]);
  }

  total(): Promise<number> {
    return Promise.resolve(0);
  }

  rankOf(): Promise<{ rank: number; total: number }> {
    return Promise.resolve({ rank: 1, total: 1 });
  }
}
