import {
  NOT_LEADER,
  type Leading,
  type LivingNode,
  type DeathProof,
  type Renewal,
} from '../../../src/store/node/queries.js';
import { REQUIREMENT } from '../../../src/store/sqlstate.js';
import type { Thread } from '../machine/kernel.js';

interface NodeRow {
  name: string;
  startedAt: number;
  leaseUntil: number;
  sessionSince: number;
  internal: string | null;
  endedBy: string | null;
}

/** The leases of nodes (src/store/node/queries.ts) on simulated rows. `now` is the clock of the database, epoch ms. */
export class Leases {
  readonly nodes = new Map<string, NodeRow>();
  leader: { epoch: number; holder: string | null } = { epoch: 0, holder: null };
  /** The thread that claimed it. */
  leads: Thread | null = null;
  /** When the server began. */
  serverSince = -Infinity;
  /** By node: whether the session that answers for it is there. */
  readonly #sessions = new Map<string, () => boolean>();

  constructor(readonly now: () => number) {}

  /** Whether a known node lives. */
  lives(nodeId: string): boolean {
    return this.nodes.get(nodeId)?.endedBy === null;
  }

  /** A session answers for a node, for as long as `there`; another one where the server has ended the one before. */
  answers(nodeId: string, there: () => boolean): void {
    if (this.inSession(nodeId)) return;
    this.#sessions.set(nodeId, there);
    const node = this.nodes.get(nodeId);
    if (node !== undefined) node.sessionSince = this.now();
  }

  inSession(nodeId: string): boolean {
    return this.#sessions.get(nodeId)?.() === true;
  }

  /** The server ends all sessions and begins anew. */
  restart(): void {
    this.#sessions.clear();
    this.serverSince = this.now();
  }

  leading(): Leading | null {
    const { holder } = this.leader;
    return holder === null ? null : { nodeId: holder, lives: this.lives(holder) };
  }

  /** Resolves to the time. */
  register({
    nodeId,
    name,
    internal,
    leaseMs,
  }: {
    nodeId: string;
    name: string;
    internal: string | null;
    leaseMs: number;
  }): number {
    const now = this.now();
    const times = { startedAt: now, leaseUntil: now + leaseMs, sessionSince: now };
    this.nodes.set(nodeId, { name, internal, ...times, endedBy: null });
    return now;
  }

  get living(): string[] {
    return [...this.nodes.keys()].filter((id) => this.lives(id));
  }

  others(own: string): LivingNode[] {
    const living = this.living.filter((nodeId) => nodeId !== own);
    return living.map((nodeId) => {
      const { name, startedAt, leaseUntil, internal } = this.nodes.get(nodeId)!;
      const [since, until] = [new Date(startedAt), new Date(leaseUntil)];
      return { nodeId, name, since, until, lapsed: leaseUntil < this.now(), silent: !this.inSession(nodeId), internal };
    });
  }

  renew(nodeId: string, leaseMs: number): Renewal | null {
    const node = this.nodes.get(nodeId);
    if (node === undefined || node.endedBy !== null) return null;
    node.leaseUntil = this.now() + leaseMs;
    return { drains: false, time: this.now() };
  }

  endOther(dead: string, by: string, proof: DeathProof): boolean {
    const node = this.nodes.get(dead);
    if (node === undefined || node.endedBy !== null) return false;
    const gone = proof === 'session' && node.sessionSince > this.serverSince && !this.inSession(dead);
    if (proof !== 'alone' && node.leaseUntil >= this.now() && !gone) return false;
    node.endedBy = by;
    return true;
  }

  endOwn(nodeId: string): void {
    const node = this.nodes.get(nodeId);
    if (node?.endedBy === null) node.endedBy = nodeId;
  }

  /** The only process of its database begins: all nodes before it have ended, and it leads. */
  begin(nodeId: string, thread: Thread): number {
    for (const other of this.living) this.nodes.get(other)!.endedBy = nodeId;
    this.register({ nodeId, name: thread.name, internal: null, leaseMs: Infinity });
    this.leader = { epoch: this.leader.epoch + 1, holder: nodeId };
    this.leads = thread;
    return this.leader.epoch;
  }

  requireLeader(epoch: number): void {
    if (this.leader.epoch !== epoch) throw Object.assign(new Error(NOT_LEADER), { code: REQUIREMENT });
  }

  claimLeadership(nodeId: string, seen: string | null): number | null {
    const { holder } = this.leader;
    if ((holder !== seen && holder !== nodeId) || !this.lives(nodeId)) return null;
    this.leader = { epoch: this.leader.epoch + 1, holder: nodeId };
    return this.leader.epoch;
  }
}
