import type * as real from '../../../src/seasons/board.js';

/** Stands for src/seasons/board.ts: the bots of the simulation never ask for standings, and nobody else looks. */
export class Board implements Pick<real.Board, 'start' | 'stop' | 'page' | 'rankOf'> {
  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): void {
    // Nothing runs.
  }

  page(): Promise<real.NamedStanding[]> {
    return Promise.resolve([]);
  }

  rankOf(): Promise<{ rank: number; total: number }> {
    return Promise.resolve({ rank: 1, total: 1 });
  }
}
