import type { Fence } from '../../src/shard/commit/queries.js';
import type { PublicTableState } from '../../src/protocol/server.js';
import type { TableApi, TableOpening } from '../../src/table/api.js';
import { ensure } from './broken.js';
import type { Kernel, Thread } from './machine/kernel.js';
import type { Vault } from './vault/vault.js';
import type { Witness } from './witness.js';

/** A shard's clock begins with the database's, which is known to half a round trip. */
const READING_MS = 5_000;

/** Every how many calls of a table its whole state is compared with what is stored. */
const CHECK_EVERY = 7;
/** Calls that only look. */
const LOOKS: ReadonlySet<string | symbol> = new Set(['summary', 'publicState', 'seatOf', 'dueSocket']);
/** Calls that show the table to somebody who may not have heard what happened before. */
const SHOWS: ReadonlySet<string | symbol> = new Set(['sit', 'attach', 'resync', 'replayText']);

interface Surroundings {
  kernel: Kernel;
  vault: Vault;
  witness: Witness;
  /** By what its shard writes. */
  fence: Fence;
}

/** One life of a table, as the simulation sees it from inside its shard. */
export class WatchedTable {
  /** The shard's table: the real one, checked after some of its calls. */
  readonly api: TableApi;
  readonly tableId: string;
  readonly poolId: string;
  readonly seats: number;
  /** The shard's thread it lives on. */
  readonly thread: Thread;
  readonly #actionTimeoutMs: number;
  readonly #maxStack: number;
  readonly #fence: Fence;
  private readonly kernel: Kernel;
  private readonly vault: Vault;
  private readonly witness: Witness;
  #calls = 0;

  constructor(
    readonly table: TableApi,
    { tableId, poolId, rules }: TableOpening,
    { kernel, vault, witness, fence }: Surroundings,
  ) {
    this.#fence = fence;
    this.kernel = kernel;
    this.vault = vault;
    this.witness = witness;
    this.thread = kernel.current;
    this.tableId = tableId;
    this.poolId = poolId;
    this.seats = rules.seats;
    this.#actionTimeoutMs = rules.actionTimeoutMs;
    this.#maxStack = rules.maxStack ?? Infinity;
    this.api = new Proxy(table, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key === 'publicState') return (now: number) => this.#shown(target.publicState(now));
        if (typeof value !== 'function' || LOOKS.has(key)) {
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        }
        return (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, given);
          const shows = SHOWS.has(key);
          if ((this.#calls++ % CHECK_EVERY === 0 || shows) && !this.isFenced) this.#check(shows);
          return result;
        };
      },
    });
  }

  /** Whether it still plays: its thread lives and may write. */
  get lives(): boolean {
    return this.thread.alive && !this.isFenced;
  }

  /** Another thread has what it had. Nothing that it does is told or stored. */
  get isFenced(): boolean {
    return this.vault.epochs.get(this.#fence.shard) !== this.#fence.epoch;
  }

  state(): PublicTableState {
    return JSON.parse(this.table.publicState(this.kernel.now)) as PublicTableState;
  }

  /** The shard takes an exception of its table for a fault of the table, so the kernel is told by ourselves. */
  #check(shows: boolean): void {
    try {
      this.#examine(shows);
    } catch (error) {
      this.kernel.fail(error as Error);
    }
  }

  /** A view by REST: what it shows may be on its way to the players yet. */
  #shown(state: string): string {
    this.witness.overhear(JSON.parse(state) as PublicTableState);
    return state;
  }

  #examine(shows: boolean): void {
    const { nextDeadline } = this.table;
    ensure(!Number.isNaN(nextDeadline), () => 'the next deadline is no number');
    const state = this.state();
    const hearing = state.seats.filter(({ status }) => status !== 'empty' && status !== 'disconnected').length;
    // A newcomer may read it sooner than those for whom frames wait (COALESCE_MS).
    if (shows || hearing <= 1) this.witness.overhear(state);
    this.#chips(state);
    if (state.actor_seat === undefined) return;
    ensure(
      nextDeadline <= this.kernel.now + this.#actionTimeoutMs + READING_MS,
      () => `an open turn without a deadline: ${this.tableId} (${nextDeadline - this.kernel.now} ms)`,
    );
  }

  /** Stacks and pot are the chips stored on the seats. */
  #chips(state: PublicTableState): void {
    const stored = new Map(this.vault.seated(this.tableId).map((entry) => [entry.seatNo, entry.chipsAtTable]));
    let has = state.pot;
    let ought = 0;
    for (const { seat, stack, status } of state.seats) {
      // A seat with a stored cash-out keeps its last stack until the table has heard.
      if (status === 'empty' || !stored.has(seat)) continue;
      ought += stored.get(seat)!;
      // The same with what is above the maximum.
      const cut = stack > this.#maxStack && stored.get(seat) === this.#maxStack;
      has += cut ? this.#maxStack : stack;
    }
    ensure(has === ought, () => `${has} chips at the table, ${ought} stored: ${JSON.stringify(state)}`);
  }
}
