import { assert, assertWhole } from '../ops/assert.js';
import type { Database } from '../store/database.js';
import type { JoinPlace, WaitingPlace } from '../lobby/index.js';
import * as queries from './queries.js';

export interface CompanyOptions {
  sql: Database;
  nodeId: string;
  /** Players that sit or wait here, by pool. */
  players: () => ReadonlyMap<string, number>;
  /** Living nodes, with this one. */
  nodes: () => number;
  /** Whether the node lives, by this node's last look. */
  lives: (nodeId: string) => boolean;
  /** A join without company goes to its pool's host after so many ms. */
  graceMs: number;
  /** The places of waiting joins may have changed. */
  changed: () => void;
  log: { warn(detail: object, message: string): void };
}

/** A pool with fewer than SMALL players for each living node gathers at its host, until it has LARGE for each. */
const SMALL = 8;
const LARGE = 10;
const LOOK_MS = 1000;

/** Where players meet: each pool has one host node, and joins that lack company go there. */
export class PoolCompany {
  #pools = new Map<string, queries.PoolOfNodes>();
  readonly #claiming = new Set<string>();
  readonly #large = new Set<string>();
  #drains = false;
  #away = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: CompanyOptions) {
    assert(options.graceMs >= 0, 'a join waits for some time', options.graceMs);
  }

  async start(): Promise<void> {
    assert(this.#timer === undefined, 'a node looks for company once at a time');
    await this.#look();
    this.#plan();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** This node hosts nothing any more. */
  async drain(): Promise<void> {
    this.#drains = true;
    await queries.storeDrain(this.options.sql, this.options.nodeId);
  }

  /** Players of the pool on all nodes. */
  playersOf(poolId: string): number {
    return (this.options.players().get(poolId) ?? 0) + (this.#pools.get(poolId)?.players ?? 0);
  }

  /**
   * Where a join waits. A host sends no join on, so a join goes back and forth at most once. Any other join goes to its
   * socket's node, or to the host for company.
   */
  placeOf({ poolId, gathers, edge, handedOver, waitedMs }: WaitingPlace): JoinPlace {
    const { nodeId, graceMs } = this.options;
    if (this.#drains || handedOver) return { at: 'here' };
    const toHost = gathers || this.#isSmall(poolId) || (edge === nodeId && waitedMs >= graceMs);
    if (!toHost) return edge === nodeId ? { at: 'here', forMs: graceMs - waitedMs } : this.#at(edge);
    const host = this.#hostOf(poolId);
    return host === null ? { at: 'unknown' } : this.#at(host);
  }

  #at(node: string): JoinPlace {
    if (node === this.options.nodeId || !this.options.lives(node)) return { at: 'here' };
    return { at: 'node', node };
  }

  #isSmall(poolId: string): boolean {
    const players = this.playersOf(poolId);
    const nodes = this.options.nodes();
    if (players >= LARGE * nodes) this.#large.add(poolId);
    else if (players < SMALL * nodes) this.#large.delete(poolId);
    return !this.#large.has(poolId);
  }

  /** Null until the database has answered. */
  #hostOf(poolId: string): string | null {
    const host = this.#pools.get(poolId)?.host ?? null;
    if (host !== null && (host === this.options.nodeId || this.options.lives(host))) return host;
    if (!this.#claiming.has(poolId)) void this.#claim(poolId);
    return null;
  }

  async #claim(poolId: string): Promise<void> {
    const { sql, nodeId, changed } = this.options;
    this.#claiming.add(poolId);
    await this.#asked(async () => {
      const host = await queries.claimHost(sql, poolId, nodeId);
      this.#pools.set(poolId, { poolId, host, players: this.#pools.get(poolId)?.players ?? 0 });
    });
    this.#claiming.delete(poolId);
    changed();
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#look().then(() => this.#plan()), LOOK_MS);
  }

  /** Tells the others of the own players, and reads theirs. */
  async #look(): Promise<void> {
    const { sql, nodeId, players, changed } = this.options;
    await this.#asked(async () => {
      await queries.storePlayers(sql, nodeId, players());
      const pools = await queries.poolsOfOthers(sql, nodeId);
      for (const pool of pools) assertWhole(pool.players, 'the players of a pool at other nodes');
      this.#pools = new Map(pools.map((pool) => [pool.poolId, pool]));
      assert(this.#pools.size === pools.length, 'a pool has one host', pools.length);
      changed();
    });
  }

  /** Without an answer everything stays as it was known last. */
  async #asked(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      this.#away = false;
    } catch (error) {
      if (!this.#away)
        this.options.log.warn({ error: (error as Error).message }, 'players of other nodes cannot be read');
      this.#away = true;
    }
  }
}
