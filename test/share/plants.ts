import type { Plant } from '../sim/plants.js';

/** Faults of the rules by which players meet (docs/explanation/cluster.md). The share of local pairs, or of seated bots, shows each. */
export const sharePlants: readonly Plant[] = [
  {
    name: 'stays',
    what: 'relayed players never leave a table for their own node',
    file: 'src/lobby/relayed-players.ts',
    find: 'if (leaving.length === 0 || now - since < RELAYED_MS) continue;',
    replace: 'continue;',
    says: /local/,
  },
  {
    name: 'settles',
    what: 'a join of a relayed socket waits at the node that has the session',
    file: 'src/cluster/company.ts',
    find: "{ at: 'here', forMs: graceMs - waitedMs } : this.#at(edge);",
    replace: "{ at: 'here', forMs: graceMs - waitedMs } : { at: 'here' };",
    says: /local/,
  },
  {
    name: 'gathers',
    what: 'a population gathers at the host however large it is',
    file: 'src/cluster/company.ts',
    find: 'return !this.#large.has(poolId);',
    replace: 'return true;',
    says: /local/,
  },
  {
    name: 'alone',
    what: 'no join is handed over for company',
    file: 'src/cluster/company.ts',
    find: 'if (this.#drains || handedOver) return',
    replace: 'if (!this.#drains || handedOver) return',
    says: /seated/,
  },
];
