import { getHeapStatistics } from 'node:v8';

/** The heap of a thread, in bytes. */
export interface Heap {
  used: number;
  limit: number;
}

/** Above this share of its limit a heap is collected again and again, and its thread crawls. */
const NEAR = 0.85;
/** How often it is said of a heap that stays there. In ms. */
const SAY_MS = 60_000;

/** The heap of the calling thread. */
export function ownHeap(): Heap {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return { used, limit };
}

/** Warns of heaps near their limits. */
export class HeapWatch {
  readonly #saidAt = new Map<string, number>();

  constructor(
    private readonly log: { warn(detail: object, message: string): void },
    private readonly now: () => number = () => performance.now(),
  ) {}

  see(thread: string, heap: Heap | undefined): void {
    if (heap === undefined || heap.used < NEAR * heap.limit) return;
    const now = this.now();
    if (now - (this.#saidAt.get(thread) ?? -Infinity) < SAY_MS) return;
    this.#saidAt.set(thread, now);
    const detail = { thread, heap_mb: inMb(heap.used), heap_limit_mb: inMb(heap.limit) };
    this.log.warn(detail, 'a heap is near its limit: raise it with NODE_OPTIONS=--max-old-space-size=MB');
  }
}

const inMb = (bytes: number) => Math.round(bytes / 1_048_576);
