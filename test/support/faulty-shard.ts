import { secureRandom } from '../../src/cards/shuffle.js';
import { runShard } from '../../src/shard/host/shard.js';
import type { ShardTask } from '../../src/shard/task.js';
import type { Player, TableApi } from '../../src/table/api.js';
import type { TableFactory } from '../../src/table/env.js';
import { createTable } from '../../src/table/table.js';

/**
 * A shard's thread as the platform runs it, with tables that fail on demand. An `update` that renames a player to one
 * of these names causes the fault at once.
 */
export const FAULTS = {
  /** The thread ends without a message. */
  exit: '!exit',
  /** The thread never comes back from the call. */
  hang: '!hang',
  /** The call throws. */
  throw: '!throw',
  /** The table is called against its contract: a player sits down on a seat without a reservation. */
  contradict: '!contradict',
  /** From now on each action at the table takes SLOW_MS of its thread. */
  slow: '!slow',
  /** This call of the table throws, and so does every later call that closes the table. */
  throwOnClose: '!throw on close',
} as const;

const SLOW_MS = 2;

const brokenForGood = new Set<string>();
const slowTables = new Set<string>();

function fail(fault: string, table: string): void {
  switch (fault) {
    case FAULTS.exit:
      process.exit(0);
      break;
    case FAULTS.hang:
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    case FAULTS.throwOnClose:
      brokenForGood.add(table);
      throw new Error('a fault for the test');
    case FAULTS.slow:
      slowTables.add(table);
      break;
    case FAULTS.throw:
      throw new Error('a fault for the test');
    default:
  }
}

function contradict(table: TableApi, now: number): void {
  const player: Player = {
    agentId: 'stranger',
    name: 'stranger',
    avatarUrl: null,
    publicProfileSlug: null,
    isPro: false,
    isHouse: false,
    autoRebuy: false,
  };
  table.sit(now, { sitting: 'unreserved', seat: 5, stack: 100, player }, 1);
}

const faulty: TableFactory = (now, opening, env) => {
  const table = createTable(now, opening, env);
  const overrides: Partial<TableApi> = {
    update: (at, agentId, change) => {
      fail(change.name ?? '', table.tableId);
      if (change.name === FAULTS.contradict) contradict(table, at);
      table.update(at, agentId, change);
    },
    act: (at, agentId, socket, message) => {
      const end = performance.now() + (slowTables.has(table.tableId) ? SLOW_MS : 0);
      while (performance.now() < end);
      table.act(at, agentId, socket, message);
    },
    close: (at, reason) => {
      if (brokenForGood.has(table.tableId)) throw new Error('cannot even close');
      table.close(at, reason);
    },
  };
  return new Proxy(table, {
    get: (target, name: keyof TableApi) => {
      const own = overrides[name] ?? target[name];
      return typeof own === 'function' && overrides[name] === undefined ? own.bind(target) : own;
    },
  });
};

export default function shard(task: ShardTask): Promise<void> {
  return runShard(task, { createTable: faulty, random: secureRandom() });
}
