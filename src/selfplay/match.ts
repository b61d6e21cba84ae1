import type { SelfplayEntrant } from './minds.js';
import { BotEnded, type LineCounts, type LineLimits } from './stdio/bot.js';
import type { MatchStretch, MatchTally } from './stretch.js';
import { selfplayTask, type SelfplayTask, type SelfplayTaskResult } from './task.js';
import { MatchThreads } from './threads.js';

export interface SelfplayOptions {
  entrants: readonly SelfplayEntrant[];
  /** Deals; each is as many hands as there are bots where it is played as a duplicate. */
  deals: number;
  duplicate: boolean;
  seed: number;
  /** Chips that everybody begins each hand with. */
  stack: number;
  threads: number;
  /** Tables of each thread that play at once where a bot is a command. */
  tables?: number;
  /** Where commands run; this process's folder by default. */
  folder?: string;
  limits?: LineLimits;
}

export interface SelfplayResult {
  tallies: readonly MatchTally[];
  /** By player; null where it is no command. */
  lines: readonly (LineCounts | null)[];
  /** Hands that were played, and seconds it took. */
  hands: number;
  seconds: number;
  /** It was ended before all was played. */
  ended: boolean;
}

/** Deals of one stretch: so many that asking for it costs nothing, so few that threads end together. */
const STRETCH = 250;
/** Where a bot is a command, a stretch is a table's share: so few deals that all tables end together. */
const LINE_STRETCH = 16;

/** Tables of a thread that wait for a command at once: more make lines longer, and no faster. */
export const LINE_TABLES = 64;
export const LINE_LIMITS: LineLimits = { startMs: 120_000, lineMs: 30_000 };

/**
 * Plays a match; the result does not depend on the numbers of threads and tables. Aborting ends it with what was played.
 * Rejects with BotEnded where a command ends.
 */
export async function playSelfplay(
  { entrants, deals, duplicate, seed, stack, threads, ...more }: SelfplayOptions,
  onHands: (hands: number) => void,
  abort: AbortSignal,
): Promise<SelfplayResult> {
  const { folder = process.cwd(), limits = LINE_LIMITS } = more;
  const isLine = entrants.some(({ isCommand }) => isCommand);
  const tables = isLine ? (more.tables ?? LINE_TABLES) : 1;
  const size = isLine ? LINE_STRETCH : STRETCH;
  // Lines of this process's own stdin are read in its own thread.
  const isCaller = entrants.some(({ isCommand, source }) => isCommand && source === '-');
  const pool = isCaller ? null : new MatchThreads<SelfplayTask, SelfplayTaskResult>('selfplay.js', threads, tables);
  const tallies = entrants.map((): MatchTally => ({ deals: 0, hands: 0, profit: 0, squares: 0, refused: 0 }));
  const lines = entrants.map(({ isCommand }) => (isCommand ? { turns: 0, late: 0, unreadable: 0 } : null));
  const stretches = Math.ceil(deals / size);
  const started = performance.now();
  let next = 0;
  let ended: string | null = null;
  const lane = async () => {
    while (next < stretches && !abort.aborted && ended === null) {
      const number = next++;
      const stretch: MatchStretch = { seed, number, deals: Math.min(size, deals - number * size), duplicate, stack };
      const task: SelfplayTask = { entrants, stretch, tables, folder, limits };
      const played = await (pool === null ? selfplayTask(task) : pool.run(task));
      played.lines.forEach((counts, player) => counts !== null && add(lines[player]!, counts));
      if (played.ended !== null) ended ??= played.ended;
      else {
        played.tallies.forEach((tally, player) => add(tallies[player]!, tally));
        onHands(tallies[0]!.hands);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: (pool === null ? 1 : threads) * tables }, lane));
    if (ended !== null) throw new BotEnded(ended);
    const { hands, deals: played } = tallies[0]!;
    return { tallies, lines, hands, seconds: (performance.now() - started) / 1000, ended: played < deals };
  } finally {
    await pool?.close();
  }
}

function add<T extends Record<keyof T, number>>(to: T, more: T): void {
  for (const name of Object.keys(more) as (keyof T)[]) (to[name] as number) += more[name];
}
