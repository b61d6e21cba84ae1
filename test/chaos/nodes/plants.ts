import type { Scope } from '../../support/database.js';
import { PATIENCE_MS } from '../../support/limits.js';
import type { Plant } from '../../sim/plants.js';
import { plantedMain } from '../planted.js';
import {
  comesBackAfterKill,
  comesBackElsewhere,
  goesOnAfterEnd,
  joinsInLargePool,
  opensWhileFreed,
} from './home-scenarios.js';
import {
  bustsAtFollower,
  claimsUnknownPool,
  joinsInClosedPool,
  losesNotice,
  relayedAfterKill,
} from './pool-scenarios.js';
import type { Stage } from './stage.js';

type Edit = Pick<Plant, 'file' | 'find' | 'replace'>;

/** A fault of several nodes, and the scenario that finds it. */
export interface NodePlant {
  name: string;
  /** The fault. */
  what: string;
  edits: readonly Edit[];
  /** The scenario in words. */
  by: string;
  /** Resolves with what is wrong. */
  scenario: (stage: Stage) => Promise<string[]>;
  /** A finding that the fault explains. */
  says: RegExp;
  /** For what must come in a scenario with the fault; ms. */
  patienceMs?: number;
}

export const nodePlants: readonly NodePlant[] = [
  {
    name: 'home',
    what: 'a home is taken without a look at the home that is stored',
    edits: [
      {
        file: 'src/cluster/queries.ts',
        find: 'select claim_home(${agentId}, ${nodeId}) as home',
        replace: `insert into homes (agent_id, node_id) values (\${agentId}, \${nodeId})
          on conflict (agent_id) do update set node_id = excluded.node_id returning node_id as home`,
      },
    ],
    by: 'a seated agent that comes back at another node',
    scenario: comesBackElsewhere,
    says: /has its home at .*, and its table is at node/,
  },
  {
    name: 'epoch',
    what: 'tables are claimed, and the epoch of their old shard stays',
    edits: [
      {
        file: 'src/shard/main/boot.ts',
        find: 'update shards set epoch = epoch + 1, holder = null',
        replace: 'update shards set holder = null',
      },
    ],
    by: 'a node that goes on in the middle of a hand after others have ended it',
    scenario: goesOnAfterEnd,
    says: /was taken by shard \d+ of an ended node|a hand is void/,
  },
  {
    name: 'stale',
    what: 'sockets are relayed to the home that is stored, also where that node has ended',
    edits: [
      {
        file: 'src/cluster/queries.ts',
        find: 'select claim_home(${agentId}, ${nodeId}) as home',
        replace: `select coalesce((select node_id from homes where agent_id = \${agentId}),
          claim_home(\${agentId}, \${nodeId})) as home`,
      },
    ],
    by: 'an agent without a seat that comes back after its home was killed',
    scenario: comesBackAfterKill,
    says: /is let in nowhere: closed with 1012/,
  },
  {
    name: 'notice',
    what: 'rows are read when a notice comes, and never otherwise',
    edits: [
      {
        file: 'src/admin/watch.ts',
        find: 'this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();',
        replace: '',
      },
    ],
    by: 'a competition that ends while the internal network is cut',
    scenario: losesNotice,
    says: /its table at another node plays on/,
  },
  {
    name: 'pingpong',
    what: 'a host sends a join on to the node of its socket',
    edits: [
      {
        file: 'src/cluster/company.ts',
        find: 'if (this.#drains || handedOver) return',
        replace: 'if (this.#drains) return',
      },
    ],
    by: 'an agent without company that joins in a large pool',
    scenario: joinsInLargePool,
    says: /was sent from node to node \d+ times/,
    patienceMs: 60_000,
  },
  {
    name: 'freed',
    what: 'an agent that comes while its home is freed is taken for one with a home',
    edits: [
      {
        file: 'src/cluster/homes.ts',
        find: 'if (this.#freeing?.agents.has(agentId) === true) await this.#freeing.done;',
        replace: '',
      },
    ],
    by: 'an agent that opens a socket while its home frees its row',
    scenario: opensWhileFreed,
    says: /has a session, and no home/,
  },
  {
    name: 'phase',
    what: 'tables open and players buy in without a look at the phase of the pool',
    edits: [
      {
        file: 'src/shard/commit/table-queries.ts',
        find: "from pool where phase = 'open'\n      on conflict",
        replace: 'from pool\n      on conflict',
      },
      {
        file: 'src/shard/commit/sitting-queries.ts',
        find: "\n        and p.phase = 'open' for share of t",
        replace: ' for share of t',
      },
    ],
    by: 'a season that winds down before the node of a join has heard of it',
    scenario: joinsInClosedPool,
    says: /seats were taken in a pool that is not open/,
  },
  {
    name: 'rules',
    what: 'a table of a pool that a node has not met is played by the rules of the season',
    edits: [
      {
        file: 'src/platform/platform.ts',
        find: 'await pools.ensure(tables.map(({ table }) => table.poolId));',
        replace: '',
      },
      // So that the node does not meet the competition before it claims the table.
      {
        file: 'src/cluster/cluster.ts',
        find: "'competition_changed', 'season_changed'] as const",
        replace: "'season_changed']",
      },
      {
        file: 'src/competitions/play/director.ts',
        find: "known === undefined || known.version < version || known.phase !== phase || known.state === 'ending'",
        replace: 'known !== undefined && known.version < version',
      },
    ],
    by: 'a table of a competition that is claimed by a node without it',
    scenario: claimsUnknownPool,
    says: /the table of a competition .* is claimed (not at all|with the big blind)/,
  },
  {
    name: 'bust',
    what: 'only the node that leads settles a bust',
    edits: [
      {
        file: 'src/rebuys/rebuys.ts',
        find: 'const { coming, messages } = await this.autoRebuy(poolId, agentId, table);',
        replace:
          "if (!this.#leads) throw new Error('another node leads');\n      const { coming, messages } = await this.autoRebuy(poolId, agentId, table);",
      },
    ],
    by: 'a player that busts at a node that does not lead',
    scenario: bustsAtFollower,
    says: /a bust at a node that does not lead is not settled/,
  },
  {
    name: 'share',
    what: 'an adopted table stays however many of its players are relayed',
    edits: [
      {
        file: 'src/lobby/relayed-players.ts',
        find: 'leaving.length === 0 || now - since < RELAYED_MS',
        replace: 'leaving.length === 0 || now - since < Infinity',
      },
    ],
    by: 'players of an adopted table that come back at another node',
    scenario: relayedAfterKill,
    says: /all of its players are relayed, and it does not close/,
    // The product takes a minute.
    patienceMs: 90_000,
  },
];

const PLANTED_MS = 15_000;

/** The same scenario with the product, or with the fault. */
export interface PlantProof {
  what: string;
  by: string;
  findings: readonly string[];
  /** A finding that the fault explains is among them. */
  isFound: boolean;
}

export async function proveNodePlant(t: Scope, name: string, seed: number): Promise<PlantProof> {
  const { what, by, edits, scenario, says, patienceMs = PLANTED_MS } = plantNamed(name);
  const main = await plantedMain(t, ...edits.map((edit) => ({ ...edit, name, what, says })));
  const findings = await scenario({ t, main, seed, patienceMs });
  return { what, by, findings, isFound: findings.some((finding) => says.test(finding)) };
}

/** Findings of the scenario in the product. */
export function playScenario(t: Scope, name: string, seed: number): Promise<string[]> {
  return plantNamed(name).scenario({ t, seed, patienceMs: PATIENCE_MS });
}

function plantNamed(name: string): NodePlant {
  const plant = nodePlants.find((each) => each.name === name);
  if (plant === undefined) throw new Error(`there is no plant ${name}`);
  return plant;
}
