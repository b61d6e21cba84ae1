import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entrantsOf } from '../../src/selfplay/minds.js';
import { playSelfplay } from '../../src/selfplay/match.js';
import { BIG_BLIND } from '../../src/memory/memory-table.js';
import { cpuTimes } from '../host/cpu.js';

const HERE = import.meta.dirname;
const AT_ONCE = fileURLToPath(new URL('at-once.js', import.meta.url));
const SOURCE = join(HERE, '../../../bench/selfplay');

/** Bots that decide at once behind a pipe, by language. */
export const TRIVIAL = {
  Python: `python3 -B ${join(SOURCE, 'trivial.py')} --stdio`,
  Node: `${process.execPath} ${join(HERE, 'trivial.js')}`,
} as const;

/** Seconds in which both processes start and compile. */
const STARTING = 2;

export interface PipeRates {
  /** Decisions a second of both processes' CPU time, the engine's and the bot's. */
  perCore: number;
  /** Decisions a second by the clock. */
  perSecond: number;
}

/** A command against a bot of this process, on one thread. The CPU time of the pair's other bot and of the rules counts. */
export async function overPipe(command: string, seconds: number, tables?: number): Promise<PipeRates> {
  const stop = new AbortController();
  const begun = performance.now() + 1000 * STARTING;
  let from: { at: number; hands: number; cpuMs: number } | null = null;
  let to = { at: 0, hands: 0, cpuMs: 0 };
  const look = (hands: number) => {
    const { process: own, children } = cpuTimes(process.pid);
    return { at: performance.now(), hands, cpuMs: own + children };
  };
  const onHands = (hands: number) => {
    const now = performance.now();
    if (from === null) {
      if (now >= begun) from = look(hands);
    } else if (!stop.signal.aborted && now >= from.at + 1000 * seconds) {
      to = look(hands);
      stop.abort();
    }
  };
  const { lines, hands } = await playSelfplay(
    {
      entrants: entrantsOf(AT_ONCE, (path) => path, [command]),
      deals: 1e9,
      duplicate: true,
      seed: 1,
      stack: 100 * BIG_BLIND,
      threads: 1,
      ...(tables === undefined ? {} : { tables }),
    },
    onHands,
    stop.signal,
  );
  const start = from as { at: number; hands: number; cpuMs: number } | null;
  if (start === null) throw new Error(`${command} played nothing in ${STARTING} s`);
  const decisions = (lines[1]!.turns / hands) * (to.hands - start.hands);
  return { perCore: (1000 * decisions) / (to.cpuMs - start.cpuMs), perSecond: (1000 * decisions) / (to.at - start.at) };
}
