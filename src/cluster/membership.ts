import { assert, assertWhole } from '../ops/assert.js';
import { claimTables, counts, type ClaimedTable } from '../shard/main/boot.js';
import type { Database } from '../store/database.js';
import { DeathWatch } from '../store/node/death-watch.js';
import { Displaced } from '../store/node/leadership.js';
import type { OwnNode } from '../store/node/own-node.js';
import type { LivingNode } from '../store/node/queries.js';
import * as queries from './queries.js';

export interface MembershipOptions {
  sql: Database;
  node: OwnNode;
  /** The own shards that play, by their stored numbers, with the players on each. */
  shards: () => ReadonlyMap<number, number>;
  /** All other living nodes, after each look. */
  onLiving: (others: readonly LivingNode[]) => void;
  /** This node has ended these, or found them ended since its last look. */
  onEnded: (nodeIds: readonly string[]) => void;
  /** These tables are this node's now. */
  onClaimed: (tables: readonly ClaimedTable[]) => Promise<void>;
  /** This node leads from now on. */
  onLead: () => void;
  /** Others have ended this node. */
  fatal: (error: Error) => void;
  log: { info(detail: object, message: string): void; warn(detail: object, message: string): void };
}

const LOOK_MS = 500;
/** For so long a node claims no more than its share, so that all living nodes get some. */
const SHARED_MS = 2000;

/** Looks at the other nodes: ends dead ones, claims their tables, and takes the lead where no living node has it. */
export class Membership {
  readonly #watch: DeathWatch;
  #living = new Map<string, LivingNode>();
  /** When orphaned tables were seen first; null: there are none. */
  #orphansSince: number | null = null;
  /** Tables that this node may still claim in the shared time. */
  #share = 0;
  #leads = false;
  #drains = false;
  #stopped = false;
  #away = false;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: MembershipOptions) {
    this.#watch = new DeathWatch(options.sql, options.node);
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Living nodes, with this one. */
  get size(): number {
    return this.#living.size + 1;
  }

  lives(nodeId: string): boolean {
    return this.#living.has(nodeId);
  }

  async start(): Promise<void> {
    assert(!this.#stopped, 'a node that has stopped does not look again', this.options.node.id);
    await this.look();
    this.#plan();
  }

  /** No table is claimed and no lead taken any more. */
  drain(): void {
    this.#drains = true;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Now, since something points to a dead node. One look after the other. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.look().then(() => this.#plan()), LOOK_MS);
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    const { log, fatal } = this.options;
    try {
      await this.#lookAround();
      this.#away = false;
    } catch (error) {
      if (error instanceof Displaced) return fatal(error);
      if (!this.#away) log.warn({ error: (error as Error).message }, 'the list of nodes cannot be read');
      this.#away = true;
    }
  }

  async #lookAround(): Promise<void> {
    const { sql, node, onLiving, onEnded, onLead, log } = this.options;
    const others = await this.#watch.look();
    assert(
      others.every(({ nodeId }) => nodeId !== node.id),
      'a node is not one of the others',
      node.id,
    );
    const before = this.#living;
    this.#living = new Map(others.map((other) => [other.nodeId, other]));
    const ended = [...before.values()].filter(({ nodeId }) => !this.#living.has(nodeId));
    for (const { nodeId, name } of ended) log.warn({ node: nodeId, name }, 'a node has ended');
    // They may be reached still, where their addresses are known.
    assert(this.#living.size === others.length, 'a node lives once', others.length);
    if (ended.length > 0) onEnded(ended.map(({ nodeId }) => nodeId));
    onLiving(others);
    if (this.#drains) return;
    await this.#claimOrphans();
    if (!this.#leads && (await node.claim())) {
      assert(node.epoch !== null, 'a node that leads has an epoch', node.id);
      this.#leads = true;
      log.info({ node: node.id }, 'this node leads');
      await queries.sweepEnded(sql);
      onLead();
    }
  }

  async #claimOrphans(): Promise<void> {
    const { sql, node, shards, onClaimed, log } = this.options;
    if (!(await queries.hasOrphans(sql))) {
      this.#orphansSince = null;
      return;
    }
    const players = shards();
    if (players.size === 0) return;
    const now = performance.now();
    if (this.#orphansSince === null) {
      const { tables, living } = await counts(sql);
      this.#orphansSince = now;
      assert(living > 0, 'a node that looks lives', living);
      this.#share = Math.ceil(tables / living);
    }
    const most = now - this.#orphansSince >= SHARED_MS ? Number.MAX_SAFE_INTEGER : this.#share;
    assertWhole(most, 'the share of a node');
    if (most === 0) return;
    const claimed = await claimTables(sql, { nodeId: node.id, players, most, homes: true });
    assert(claimed.length <= most, 'a node claims its share', claimed.length);
    assert(
      claimed.every(({ shard }) => players.has(shard)),
      'a node claims tables for its own shards',
      node.id,
    );
    this.#share = Math.max(0, this.#share - claimed.length);
    if (claimed.length === 0) return;
    log.info({ tables: claimed.length }, 'tables of an ended node are claimed');
    await onClaimed(claimed);
  }
}
