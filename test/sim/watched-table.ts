import type { Fence } from '../../src/shard/commit/queries.js';
import type { PublicTableState } from '../../src/protocol/server.js';
import type { CarriedTable, TableApi, TableOpening } from '../../src/table/api.js';
import { Broken, ensure } from './broken.js';
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
const SHOWS: ReadonlySet<string | symbol> = new Set(['sit', 'attach', 'resync']);

interface Surroundings {
  kernel: Kernel;
  vault: Vault;
  witness: Witness;
  /** By what its shard writes. */
  fence: Fence;
}

/** One life of a table, as the simulation sees it from inside its shard. */
export class WatchedTable {
  /** What the shard gets: the real table, looked at after some of its calls. */
  readonly api: TableApi;
  readonly tableId: string;
  readonly poolId: string;
  readonly seats: number;
  /** The shard's thread it lives on. */
  readonly thread: Thread;
  /** Where its numbers begin, which nobody has read before; 0 where it came with those of its former home. */
  readonly floor: number;
  readonly #actionTimeoutMs: number;
  readonly #maxStack: number;
  readonly #fence: Fence;
  #paused = false;
  private readonly kernel: Kernel;
  private readonly vault: Vault;
  private readonly witness: Witness;
  #calls = 0;
  /** What it showed last, once it was given to another shard. */
  #given: PublicTableState | null = null;

  constructor(
    readonly table: TableApi,
    { tableId, poolId, rules, seqFloor, carried }: TableOpening,
    { kernel, vault, witness, fence }: Surroundings,
  ) {
    this.#fence = fence;
    this.kernel = kernel;
    this.vault = vault;
    this.witness = witness;
    this.thread = kernel.current;
    this.tableId = tableId;
    this.poolId = poolId;
    this.floor = carried === undefined ? seqFloor : 0;
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
          this.#own(String(key));
          const result: unknown = Reflect.apply(value, target, given);
          if (key === 'pause') this.#paused = given[1] !== null;
          if (key === 'pack') this.#given = this.state();
          const shows = SHOWS.has(key);
          if ((this.#calls++ % CHECK_EVERY === 0 || shows) && !this.isFenced) this.#check(shows);
          return result;
        };
      },
    });
  }

  /** Whether it still plays: its thread lives and may write, and it was not given away. */
  get lives(): boolean {
    return this.thread.alive && this.#given === null && !this.isFenced;
  }

  /** Others have what it had: its node froze, or cannot be heard. Nothing that it does is told or stored. */
  get isFenced(): boolean {
    return this.vault.epochs.get(this.#fence.shard) !== this.#fence.epoch;
  }

  /** It is still this one's. */
  get owns(): boolean {
    return this.#given === null && !this.isFenced;
  }

  /** A hand that is not stored. */
  get handInPlay(): string | null {
    if (this.#given !== null || !this.table.inHand) return null;
    const { hand_id } = this.state();
    return hand_id === null || this.vault.hands.has(hand_id) ? null : hand_id;
  }

  /** The table opens elsewhere: from what it was when it was given away, or when its thread ended. */
  follow(next: WatchedTable, carried: CarriedTable | undefined): void {
    ensure(!this.lives || this.thread === next.thread, () => `two shards have the table ${this.tableId}`);
    if (carried === undefined || this.#given === null) return;
    const { table_seq: last } = this.#given;
    ensure(
      carried.tableSeq === last,
      () => `table ${this.tableId} goes on after ${carried.tableSeq}, not after ${last}`,
    );
    // The reason for waiting may be another by now, which is told at once.
    const jump = next.state().table_seq - last;
    ensure(jump === 0 || jump === 1, () => `${jump} numbers lie between the shards of ${this.tableId}`);
    const stored = this.vault.seated(this.tableId).map(({ sitting, seatNo, chipsAtTable }) => `${seatNo} ${sitting} ${chipsAtTable}`); // prettier-ignore
    const seats = carried.seats.map(({ sitting, seat, stack }) => `${seat} ${sitting} ${stack}`);
    ensure(
      seats.sort().join() === stored.sort().join(),
      () => `${seats.join()} move with ${this.tableId}, stored are ${stored.join()}`,
    );
  }

  state(): PublicTableState {
    return JSON.parse(this.table.publicState(this.kernel.now)) as PublicTableState;
  }

  /** Who gave it away has nothing to say there any more. */
  #own(call: string): void {
    if (this.#given !== null) this.kernel.fail(new Broken(`${call} at ${this.tableId}, which was given away`));
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
    // Where nobody can be heard clocks stand still.
    if (state.actor_seat === undefined || this.#paused) return;
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
      // A seat whose cash-out is stored but not yet told keeps its last stack until then.
      if (status === 'empty' || !stored.has(seat)) continue;
      ought += stored.get(seat)!;
      // The same with what is above the maximum.
      const cut = stack > this.#maxStack && stored.get(seat) === this.#maxStack;
      has += cut ? this.#maxStack : stack;
    }
    ensure(has === ought, () => `${has} chips at the table, ${ought} stored: ${JSON.stringify(state)}`);
  }
}
