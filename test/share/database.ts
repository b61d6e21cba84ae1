import type { PoolOfNodes } from '../../src/cluster/queries.js';
import type { LivingNode, DeathProof } from '../../src/store/node/queries.js';
import type { TableOpening } from '../../src/table/api.js';
import type { Kernel, Thread } from '../sim/machine/kernel.js';

/** How long a statement takes, in ms. */
const STATEMENT_MS = 1;
const UNTIL = new Date(0);

interface NodeRow {
  nodeId: string;
  since: Date;
  thread: Thread;
  ended: boolean;
  draining: boolean;
}

/** An open table as its last commit left it, with the stored number of its shard. */
export interface TableRow extends TableOpening {
  shardNo: number;
}

/** The rows that nodes share (sql/186_homes.sql and the tables of play), for one pool, in memory. */
export class ShareDatabase {
  readonly nodes = new Map<string, NodeRow>();
  /** The node that holds a shard, by the shard's number. */
  readonly holders = new Map<number, string>();
  readonly tables = new Map<string, TableRow>();
  readonly homes = new Map<string, string>();
  readonly hosts = new Map<string, string>();
  /** Players by pool, by node. */
  readonly players = new Map<string, ReadonlyMap<string, number>>();
  readonly balances = new Map<string, number>();
  leader: string | null = null;
  /** By node, until a node begins, ends or dies. */
  readonly #others = new Map<string, LivingNode[]>();
  /** A node has ended since the last look that found no orphans. */
  #mayHaveOrphans = false;

  constructor(private readonly kernel: Kernel) {}

  /** Resolves on the thread that asks. The effect is lost with the thread. */
  statement<T>(effect: () => T): Promise<T> {
    const { kernel } = this;
    return new Promise((resolve) => kernel.plan(kernel.now + STATEMENT_MS, () => resolve(effect())));
  }

  // ---- nodes

  register(nodeId: string): void {
    const { current: thread, now } = this.kernel;
    this.nodes.set(nodeId, { nodeId, since: new Date(now), thread, ended: false, draining: false });
    this.#others.clear();
    thread.onEnd(() => this.#others.clear());
  }

  lives(nodeId: string): boolean {
    return this.nodes.get(nodeId)?.ended === false;
  }

  get living(): NodeRow[] {
    return [...this.nodes.values()].filter(({ ended }) => !ended);
  }

  /** A lease never runs out here: nodes are killed, and do not freeze. */
  others(nodeId: string): LivingNode[] {
    const known = this.#others.get(nodeId);
    if (known !== undefined) return known;
    const others = this.living
      .filter((row) => row.nodeId !== nodeId)
      .map(({ nodeId: id, since, thread }) => ({
        nodeId: id,
        name: id,
        since,
        until: UNTIL,
        lapsed: false,
        silent: !thread.alive,
        internal: id,
      }));
    this.#others.set(nodeId, others);
    return others;
  }

  endOther(nodeId: string, proof: DeathProof): boolean {
    const row = this.nodes.get(nodeId);
    if (row === undefined || row.ended || proof !== 'session' || row.thread.alive) return false;
    this.end(nodeId);
    return true;
  }

  end(nodeId: string): void {
    const row = this.nodes.get(nodeId);
    if (row === undefined) return;
    row.ended = true;
    this.#others.clear();
    this.#mayHaveOrphans = true;
  }

  /** The node leads, unless another living one does. */
  lead(nodeId: string): boolean {
    if (this.leader === null || !this.lives(this.leader)) this.leader = nodeId;
    return this.leader === nodeId;
  }

  // ---- homes and hosts

  claimHome(agentId: string, nodeId: string): string {
    const home = this.homes.get(agentId);
    if (home !== undefined && this.lives(home)) return home;
    this.homes.set(agentId, nodeId);
    return nodeId;
  }

  giveHome(agentId: string, from: string, to: string): boolean {
    if (this.homes.get(agentId) !== from || !this.lives(to)) return false;
    this.homes.set(agentId, to);
    return true;
  }

  freeHomes(nodeId: string, agentIds: readonly string[]): void {
    for (const agentId of agentIds) if (this.homes.get(agentId) === nodeId) this.homes.delete(agentId);
  }

  claimHost(poolId: string, nodeId: string): string {
    const host = this.#hostOf(poolId);
    if (host !== null) return host;
    this.hosts.set(poolId, nodeId);
    return nodeId;
  }

  poolsOfOthers(nodeId: string): PoolOfNodes[] {
    const players = new Map<string, number>([...this.hosts.keys()].map((poolId) => [poolId, 0]));
    for (const [other, pools] of this.players) {
      if (other === nodeId || !this.lives(other)) continue;
      for (const [poolId, count] of pools) players.set(poolId, (players.get(poolId) ?? 0) + count);
    }
    return [...players].map(([poolId, count]) => ({ poolId, host: this.#hostOf(poolId), players: count }));
  }

  #hostOf(poolId: string): string | null {
    const host = this.hosts.get(poolId);
    const row = host === undefined ? undefined : this.nodes.get(host);
    return row === undefined || row.ended || row.draining ? null : row.nodeId;
  }

  // ---- tables

  /** The node of a table; null: nobody has it. */
  nodeOf(tableId: string): string | null {
    const row = this.tables.get(tableId);
    const holder = row && this.holders.get(row.shardNo);
    return holder !== undefined && this.lives(holder) ? holder : null;
  }

  /** The number of a table's shard; null: no living node holds it. */
  shardOf(tableId: string): number | null {
    return this.nodeOf(tableId) === null ? null : this.tables.get(tableId)!.shardNo;
  }

  get orphans(): TableRow[] {
    if (!this.#mayHaveOrphans) return [];
    const orphans = [...this.tables.values()].filter(({ tableId }) => this.nodeOf(tableId) === null);
    this.#mayHaveOrphans = orphans.length > 0;
    return orphans;
  }

  /** At a node's start: its shard, and orphaned tables, its share of all where other nodes live. */
  takeShard(nodeId: string): number {
    const shardNo = this.holders.size;
    this.holders.set(shardNo, nodeId);
    const { tables, living } = this.counts();
    this.claim(shardNo, Math.ceil(tables / living));
    return shardNo;
  }

  counts(): { tables: number; living: number } {
    return { tables: this.tables.size, living: this.living.length };
  }

  /** Orphaned tables for a shard, at most so many, and their players' homes for its node. Tables without players close. */
  claim(shardNo: number, most: number): TableRow[] {
    for (const { tableId, sittings } of this.orphans) if (sittings.length === 0) this.tables.delete(tableId);
    const claimed = this.orphans.slice(0, most);
    for (const table of claimed) {
      table.shardNo = shardNo;
      for (const { player } of table.sittings) this.homes.set(player.agentId, this.holders.get(shardNo)!);
    }
    return claimed;
  }
}
