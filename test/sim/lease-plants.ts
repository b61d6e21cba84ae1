import type { Plant } from './plants.js';

/** Faults of leases. A comparison of an SQL statement stands twice. It is planted where the simulation runs it. */
export const leasePlants: readonly Plant[] = [
  {
    name: 'seize',
    what: 'a node takes the leadership though the one that has it lives',
    file: 'src/store/node/own-node.ts',
    find: "const proof = alone ? 'alone' : gone ? 'session' : 'lease';",
    replace: "const proof = 'alone';",
    says: /lead at the same time/,
  },
  {
    name: 'compare',
    what: 'a claim does not compare what it found with what is there',
    file: 'test/sim/vault/leases.ts',
    find: 'if ((holder !== seen && holder !== nodeId) || !this.lives(nodeId)) return null;',
    replace: '',
    says: /lead at the same time/,
  },
  {
    name: 'wall',
    what: 'a node reckons its lease by its wall clock',
    file: 'src/store/node/lease.ts',
    find: 'const now = () => performance.now();',
    replace: 'const now = () => Date.now();',
    rare: 23,
    says: /lead at the same time/,
  },
  {
    name: 'unfenced',
    what: 'a node that could not renew its lease goes on',
    file: 'src/store/node/own-node.ts',
    find: "return this.#state.kind !== 'ended' && this.#lease.holds;",
    replace: "return this.#state.kind !== 'ended';",
    says: /lead at the same time/,
  },
  {
    name: 'rash',
    what: 'a session that is gone is taken for a death though the server began anew',
    file: 'test/sim/vault/leases.ts',
    find: 'node.sessionSince > this.serverSince',
    replace: 'this.serverSince !== Infinity',
    says: /lead at the same time/,
  },
  {
    name: 'unguarded',
    what: 'a write of the leader does not ask whether it still leads',
    file: 'test/sim/instead/led.ts',
    find: 'vault.leases.requireLeader(epochOf(sql, leadership));',
    replace: '',
    says: /writes what only the leader may, and another leads/,
  },
];
