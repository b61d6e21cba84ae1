import { GONE_MS, type OwnNode } from './own-node.js';
import type { LivingNode } from './queries.js';
import * as queries from './queries.js';
import type { Database } from '../database.js';

interface Silence {
  since: number;
  /** The end of its lease as it was then. */
  until: number;
}

/** Looks at all other nodes, and ends those that are proven dead. Every node has one. */
export class DeathWatch {
  #silent = new Map<string, Silence>();

  constructor(
    private readonly sql: Database,
    private readonly own: Pick<OwnNode, 'id' | 'judges'>,
  ) {}

  /**
   * Resolves to the living nodes. A node is dead when its lease has run out. It is also dead when its session is gone
   * for GONE_MS and it did not renew its lease meanwhile.
   */
  async look(): Promise<LivingNode[]> {
    const others = await queries.otherNodes(this.sql, this.own.id);
    if (!this.own.judges) {
      this.#silent.clear();
      return others;
    }
    const before = this.#silent;
    this.#silent = new Map();
    const living: LivingNode[] = [];
    for (const other of others) if (!(await this.#end(other, before.get(other.nodeId)))) living.push(other);
    return living;
  }

  /** True where the node is ended now. */
  async #end({ nodeId, lapsed, silent, until }: LivingNode, seen: Silence | undefined): Promise<boolean> {
    if (lapsed && (await queries.endOther(this.sql, nodeId, this.own.id, 'lease'))) return true;
    if (!silent) return false;
    const now = performance.now();
    const silence = seen?.until === until.getTime() ? seen : { since: now, until: until.getTime() };
    this.#silent.set(nodeId, silence);
    return now - silence.since >= GONE_MS && queries.endOther(this.sql, nodeId, this.own.id, 'session');
  }
}
