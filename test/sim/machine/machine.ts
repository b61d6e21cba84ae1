import type { WaitingPlayer } from '../../../src/lobby/matching/plan.js';
import type { TableFactory } from '../../../src/table/env.js';
import type { Fence } from '../../../src/shard/commit/queries.js';
import type { Dice } from '../dice.js';
import type { Network } from '../network.js';
import type { Storage } from '../vault/storage.js';
import type { Kernel, Thread } from './kernel.js';

/**
 * The simulated machine that the product runs on: what its modules reach for instead of Node, the network and the
 * database. One at a time; module-level, since that is how the real things are reached.
 */
export interface Machine {
  kernel: Kernel;
  network: Network;
  storage: Storage;
  /** By how much the wall clock of the thread that runs is set, in ms; it is right where this is not given. */
  wallStep?(): number;
  /** For whatever the product draws that is not a card: UUIDs, keys. */
  dice: Dice;
  /** The real table, watched. */
  createTable: TableFactory;
  /** Gets the players that match-making finds in line. */
  inLine?(waiting: readonly WaitingPlayer[]): void;
  /** A shard's thread begins, with what it may write by. */
  threadStarted(thread: Thread, fence: Fence): void;
  /** A shard's thread ended by an exception. */
  threadFailed(thread: Thread, error: Error): void;
}

let present: Machine | null = null;

export function turnOn(machine: Machine): void {
  present = machine;
}

export function turnOff(): void {
  present = null;
}

export function machine(): Machine {
  if (present === null) throw new Error('no simulated machine is on');
  return present;
}

/** Epoch ms; 0 while modules are loaded. */
export const time = () => present?.kernel.now ?? 0;

/** The wall clock, epoch ms. */
export const wallTime = () => time() + (present?.wallStep?.() ?? 0);

/** By how much the wall clock had been set when the present thread started, in ms. */
export const threadOrigin = () => present?.kernel.current.origin ?? 0;
