import { ensure } from './broken.js';
import type { Thread } from './machine/kernel.js';
import type { WatchedTable } from './watched-table.js';
import type { World } from './world.js';

/** A node that was told to stop while nothing was wrong, and the others were there to take its tables. */
interface Stop {
  front: Thread;
  at: number;
}

/**
 * A hand in play is void only where the shard of its table ended, or its node: nobody else's end costs one. Nor does that
 * of a node which stops in time, and could give its tables away between hands.
 */
export class VoidHands {
  /** The node of each shard's thread. */
  readonly #nodes = new WeakMap<Thread, string>();
  readonly #killed = new WeakSet<Thread>();
  #stops: Stop[] = [];

  constructor(private readonly world: World) {}

  started(thread: Thread, shard: number): void {
    this.#nodes.set(thread, this.world.vault.holders.get(shard) ?? '');
  }

  killed(thread: Thread): void {
    this.#killed.add(thread);
  }

  /** A node is about to be told to stop. */
  stops(front: Thread): void {
    const { world } = this;
    if (world.healthyFor(0) && world.processes.areUp) this.#stops.push({ front, at: world.kernel.now });
  }

  /** Something goes wrong beside it. */
  disturbed(): void {
    this.#stops = [];
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
      () =>
        `the hand ${hand} of ${table.tableId} is void, though its node and its shard live, or had time to give the table away`,
    );
  }

  #mayEnd(thread: Thread): boolean {
    const { processes, vault } = this.world;
    const process = processes.all.find(({ front }) => front.children.includes(thread));
    if (this.#stopsInTime(process?.front)) return false;
    // It is killed, stops, or was ended by others.
    const isUp = process !== undefined && process.platform !== null;
    return this.#killed.has(thread) || !isUp || !vault.leases.lives(this.#nodes.get(thread) ?? '');
  }

  /** Nothing has gone wrong since it was told to stop: others had the time to take what it has. */
  stopsUndisturbed(front: Thread | undefined): boolean {
    return this.#stopOf(front) !== undefined;
  }

  #stopsInTime(front: Thread | undefined): boolean {
    const { kernel, config } = this.world;
    const stop = this.#stopOf(front);
    return stop !== undefined && kernel.now - stop.at < config.DRAIN_MS;
  }

  #stopOf(front: Thread | undefined): Stop | undefined {
    return this.#stops.find((stop) => stop.front === front && this.world.storage.lastTrouble < stop.at);
  }
}
