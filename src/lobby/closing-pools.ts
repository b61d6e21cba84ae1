import type { LobbyState } from './state.js';
import type { Matchmaking } from './matchmaking.js';
import type { LobbyTable } from './tables.js';

interface PoolEnd {
  reason: string;
  voidHands: boolean;
  closed: Promise<void>;
  done: () => void;
}

/** Pools that deal no new hands, or that end: every table of theirs goes along, whenever it opens or comes back. */
export class ClosingPools {
  readonly #ends = new Map<string, PoolEnd>();

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
  ) {}

  /** No new hands and no newcomers in the pool. */
  windDown(poolId: string): void {
    this.matchmaking.stop(poolId);
    for (const table of this.state.tables.ofPool(poolId)) this.obey(table);
  }

  /** Undoes windDown. */
  resume(poolId: string): void {
    this.matchmaking.start(poolId);
    for (const { shard, tableId: table } of this.state.tables.ofPool(poolId)) {
      this.state.shards.send(shard, { t: 'resumePlay', table });
    }
  }

  /** Closes every table of the pool; hands in progress are void, or played out. Resolves when none is left. */
  async close(poolId: string, reason: string, voidHands: boolean): Promise<void> {
    this.matchmaking.stop(poolId);
    const tables = this.state.tables.ofPool(poolId);
    if (tables.length === 0) return;
    const end = this.#ends.get(poolId) ?? endOf(reason);
    end.voidHands ||= voidHands;
    this.#ends.set(poolId, end);
    for (const table of tables) this.obey(table);
    await end.closed;
    this.#ends.delete(poolId);
  }

  /** A table of a pool that ends goes along, also one that was still opening or was reopened meanwhile. */
  obey(table: LobbyTable): void {
    if (table.state === 'opening') return;
    const closing = this.#ends.get(table.poolId);
    if (closing !== undefined) this.matchmaking.close(table, closing.reason, closing.voidHands);
    else if (this.matchmaking.isStopped(table.poolId)) {
      this.state.shards.send(table.shard, { t: 'windDown', table: table.tableId });
    }
  }

  /** A table of the pool is gone: it may have been the last. */
  tableGone(poolId: string): void {
    if (this.state.tables.ofPool(poolId).length === 0) this.#ends.get(poolId)?.done();
  }
}

function endOf(reason: string): PoolEnd {
  let done!: () => void;
  const closed = new Promise<void>((resolve) => (done = resolve));
  return { reason, voidHands: false, closed, done };
}
