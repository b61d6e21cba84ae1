import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import type { SelfplayEntrant } from './minds.js';
import type { MatchStretch, MatchTally } from './stretch.js';
import type { SelfplayTask } from './task.js';

export interface SelfplayOptions {
  entrants: readonly SelfplayEntrant[];
  /** Deals; each is as many hands as there are bots where it is played as a duplicate. */
  deals: number;
  duplicate: boolean;
  seed: number;
  /** Chips that everybody begins each hand with. */
  stack: number;
  threads: number;
}

export interface SelfplayResult {
  tallies: readonly MatchTally[];
  /** Hands that were played, and seconds it took. */
  hands: number;
  seconds: number;
  /** It was ended before all was played. */
  ended: boolean;
}

/** Deals of one stretch: so many that asking for it costs nothing, so few that threads end together. */
const STRETCH = 250;

/** Plays a match; the result does not depend on the number of threads. Aborting ends it with what was played. */
export async function playSelfplay(
  { entrants, deals, duplicate, seed, stack, threads }: SelfplayOptions,
  onHands: (hands: number) => void,
  abort: AbortSignal,
): Promise<SelfplayResult> {
  const filename = fileURLToPath(new URL('../../workers/selfplay.js', import.meta.url));
  const pool = new Piscina({ ...POOL_OPTIONS, filename, minThreads: threads, maxThreads: threads });
  const sources = entrants.map(({ source }) => source);
  const tallies = entrants.map((): MatchTally => ({ deals: 0, hands: 0, profit: 0, squares: 0, refused: 0 }));
  const stretches = Math.ceil(deals / STRETCH);
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < stretches && !abort.aborted) {
      const number = next++;
      const stretch: MatchStretch = {
        seed,
        number,
        deals: Math.min(STRETCH, deals - number * STRETCH),
        duplicate,
        stack,
      };
      const played = (await pool.run({ sources, stretch } satisfies SelfplayTask)) as MatchTally[];
      played.forEach((more, player) => add(tallies[player]!, more));
      onHands(tallies[0]!.hands);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, lane));
    const { hands, deals: played } = tallies[0]!;
    return { tallies, hands, seconds: (performance.now() - started) / 1000, ended: played < deals };
  } finally {
    await pool.destroy();
  }
}

function add(to: MatchTally, more: MatchTally): void {
  for (const name of Object.keys(more) as (keyof MatchTally)[]) to[name] += more[name];
}
