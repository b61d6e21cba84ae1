import type { SelfplayEntrant } from '../selfplay/minds.js';
import { BotEnded, type LineCounts, type LineLimits } from '../selfplay/stdio/bot.js';
import { MatchThreads } from '../selfplay/threads.js';
import type { DealResult, DealSettings } from './deal.js';
import type { CompareTask, CompareTaskResult } from './task.js';

export interface CompareOptions extends DealSettings {
  /** The old bot, the new bot, then the field. */
  bots: readonly SelfplayEntrant[];
  threads: number;
  /** Pairs of tables of each thread that play at once where a bot is a command. */
  tables: number;
  /** Where commands run. */
  folder: string;
  limits: LineLimits;
  /** The two bots have dice of their own: to compare a bot with itself. */
  isApart?: boolean;
}

/** Deals of a task: asking for it costs nothing beside them. A command has a deal at each pair of tables. */
const [DEALS, LINE_DEALS] = [10, 1];

/**
 * Plays deals until `onDeal` returns false or it is aborted. `onDeal` gets the deals in their order, whatever threads
 * play them. Resolves to the traffic with commands, by bot. Rejects with BotEnded where a command ends.
 */
export async function playCompare(
  { bots, threads, folder, limits, isApart = false, ...more }: CompareOptions,
  onDeal: (deal: DealResult) => boolean,
  abort: AbortSignal,
): Promise<(LineCounts | null)[]> {
  const isLine = bots.some(({ isCommand }) => isCommand);
  const [tables, size] = isLine ? [more.tables, LINE_DEALS] : [1, DEALS];
  const settings = { seed: more.seed, stack: more.stack, repeats: isLine ? 1 : more.repeats, isApart };
  const pool = new MatchThreads<CompareTask, CompareTaskResult>('compare.js', threads, tables);
  const lines = bots.map(({ isCommand }): LineCounts | null =>
    isCommand ? { turns: 0, late: 0, unreadable: 0 } : null,
  );
  const early = new Map<number, DealResult[]>();
  let [next, due, goesOn] = [0, 0, true];
  let ended: string | null = null;
  const giveOut = () => {
    for (let deals = early.get(due); deals !== undefined && goesOn; deals = early.get(due)) {
      early.delete(due++);
      for (const deal of deals) if (goesOn) goesOn = onDeal(deal);
    }
  };
  const lane = async () => {
    while (goesOn && !abort.aborted) {
      const number = next++;
      const task: CompareTask = { bots, first: number * size, deals: size, settings, tables, folder, limits };
      const played = await pool.run(task);
      if (played.ended !== null) {
        ended ??= played.ended;
        goesOn = false;
        return;
      }
      played.lines.forEach((counts, bot) => {
        const sum = lines[bot];
        if (counts === null || sum === null || sum === undefined) return;
        for (const name of Object.keys(counts) as (keyof LineCounts)[]) sum[name] += counts[name];
      });
      early.set(number, played.deals);
      giveOut();
    }
  };
  try {
    await Promise.all(Array.from({ length: threads * tables }, lane));
    if (ended !== null) throw new BotEnded(ended);
    return lines;
  } finally {
    await pool.close();
  }
}
