import { Counter, type Registry } from 'prom-client';
import type { BusCounts } from '../nodes/peer.js';

/** Name, help, label, and what there is by its values. */
type Row = readonly [name: string, help: string, label: string, values: (counts: BusCounts) => Record<string, number>];

const ROWS: readonly Row[] = [
  [
    'poker_bus_posts_total',
    'Posts between this node and others',
    'direction',
    ({ postsSent, postsRead }) => ({ sent: postsSent, read: postsRead }),
  ],
  [
    'poker_bus_bytes_total',
    'Bytes of the posts between this node and others',
    'direction',
    ({ bytesSent, bytesRead }) => ({ sent: bytesSent, read: bytesRead }),
  ],
  [
    'poker_bus_dropped_total',
    'Posts that were not read (again, late, unreadable, strange), and what was said while there was no link (unlinked)',
    'reason',
    ({ again, late, unreadable, strange, dropped }) => ({ again, late, unreadable, strange, unlinked: dropped }),
  ],
  ['poker_bus_breaks_total', 'Links to other nodes that broke', 'reason', ({ broken }) => broken],
];

/** What the bus between nodes has counted, asked at scrape time; null: there is none at the moment. */
export function busTotals(registry: Registry, counts: () => Readonly<BusCounts> | null): void {
  for (const [name, help, label, values] of ROWS) {
    new Counter({
      ...{ name, help, labelNames: [label], registers: [registry] },
      collect() {
        this.reset();
        const now = counts();
        if (now === null) return;
        for (const [value, count] of Object.entries(values(now))) this.inc({ [label]: value }, count);
      },
    });
  }
}
