import { setFlagsFromString } from 'node:v8';

/**
 * A heap may grow to three times what was alive in it before all of it is looked through. A shard's blocks under way
 * are external memory. V8 counts them as growth, and looks through a small heap again and again. Its helper threads run
 * on the cores that tables want.
 */
const GROWTH = '--heap-growing-percent=200';
/** New objects are collected by the thread that made them: few live so long that sharing them out is worth waking others. */
const ALONE = '--no-parallel-scavenge';

/**
 * Has V8 collect garbage less often, and with fewer helpers: docs/explanation/performance.md, "What keeps it low", has
 * the figures. The flags hold for the whole process and are read at each collection. So once in the main thread is
 * enough for the threads of all shards and fronts. Node 20, 22 and 24 know both. V8 says a word to stderr about one
 * that it does not know, and goes on without it. How much a heap may hold at all stays as it is.
 */
export function collectSeldom(): void {
  for (const flag of [GROWTH, ALONE]) setFlagsFromString(flag);
}
