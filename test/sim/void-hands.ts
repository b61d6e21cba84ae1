import { ensure } from './broken.js';
import type { Thread } from './machine/kernel.js';
import type { WatchedTable } from './watched-table.js';
import type { World } from './world.js';

/** A hand in play is void only where the shard of its table ended, or its node: nobody else's end costs one. */
export class VoidHands {
  /** The node of each shard's thread. */
  readonly #nodes = new WeakMap<Thread, string>();
  readonly #killed = new WeakSet<Thread>();

  constructor(private readonly world: World) {}

  started(thread: Thread, shard: number): void {
    this.#nodes.set(thread, this.world.vault.holders.get(shard) ?? '');
  }

  killed(thread: Thread): void {
    this.#killed.add(thread);
  }

  /** The thread of a shard has ended, whoever ended it. */
  ended(thread: Thread): void {
    for (const table of this.world.tables.values()) {
      if (table.thread === thread && table.owns) this.judge(table);
    }
  }

  /** The table goes on from what is stored, or not at all. */
  judge(table: WatchedTable): void {
    const hand = table.handInPlay;
    ensure(
      hand === null || this.#mayEnd(table.thread),
      () => `the hand ${hand} of ${table.tableId} is void, though its node and its shard live`,
    );
  }

  #mayEnd(thread: Thread): boolean {
    const { processes, vault } = this.world;
    const process = processes.all.find(({ front }) => front.children.includes(thread));
    // It is killed, stops, or was ended by others.
    const isUp = process !== undefined && process.platform !== null;
    return this.#killed.has(thread) || !isUp || !vault.leases.lives(this.#nodes.get(thread) ?? '');
  }
}
