import { selectLeft, type PoolLeft } from './pool-phase.js';
import { retrying, type Database } from './database.js';

export interface EmptyingOptions {
  sql: Database;
  poolId: string;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  signal: AbortSignal;
  /** Called, and awaited, before each further look: closes tables of this node that were opened again. */
  again: () => unknown;
  /** Called once, if seats are left for long. */
  late: (left: PoolLeft) => void;
}

/** How soon it looks again: at first, and at last. */
const LOOK_MS = 200;
const LONGEST_LOOK_MS = 1000;
const LATE_MS = 10_000;
/** A table without a seat that stays open for so long is nobody's: the end of its pool closes the row. */
const EMPTY_TABLES_MS = 20_000;

/** Resolves once no node has a table of a pool that closes. Rejects once the signal is aborted. */
export async function untilEmpty({ sql, poolId, clock, signal, again, late }: EmptyingOptions): Promise<void> {
  const since = clock.now();
  let seatedAt = since;
  let isLate = false;
  for (let pause = LOOK_MS; ; pause = Math.min(2 * pause, LONGEST_LOOK_MS)) {
    const left = await retrying(() => selectLeft(sql, poolId), { signal });
    signal.throwIfAborted();
    const now = clock.now();
    if (left.seats > 0) seatedAt = now;
    if (left.seats === 0 && (left.tables === 0 || now - seatedAt >= EMPTY_TABLES_MS)) return;
    if (!isLate && now - since >= LATE_MS) {
      isLate = true;
      late(left);
    }
    await passed(pause, clock, signal);
    await again();
  }
}

/** Rejects once the signal is aborted. */
function passed(ms: number, clock: EmptyingOptions['clock'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
