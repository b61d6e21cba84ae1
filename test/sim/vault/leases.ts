import { NOT_LEADER, PLACES, type Leading, type Proof, type Renewal } from '../../../src/store/node/queries.js';
import { REQUIREMENT } from '../../../src/store/sqlstate.js';
import type { Thread } from '../machine/kernel.js';

interface NodeRow {
  name: string;
  startedAt: number;
  leaseUntil: number;
  sessionSince: number;
  endedBy: string | null;
  endedAt: number;
  /** Of its sockets. */
  place: number;
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

  /** Of a node that is known. */
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
    if (holder === null) return null;
    const now = this.now();
    const { name, startedAt, leaseUntil } = this.nodes.get(holder) ?? { name: '', startedAt: now, leaseUntil: now };
    const times = { since: new Date(startedAt), until: new Date(leaseUntil) };
    return {
      nodeId: holder,
      name,
      ...times,
      lives: this.lives(holder),
      silent: !this.inSession(holder),
      lapsed: leaseUntil < now,
    };
  }

  /** Returns the place: that which was free for the longest; null where the node is known, or none is free. */
  register(nodeId: string, name: string, leaseMs: number): { place: number; time: number } | null {
    const place = this.#freePlace();
    if (this.nodes.has(nodeId) || place === null) return null;
    const now = this.now();
    const times = { startedAt: now, leaseUntil: now + leaseMs, sessionSince: now, endedAt: Infinity };
    this.nodes.set(nodeId, { name, ...times, endedBy: null, place });
    return { place, time: now };
  }

  #freePlace(): number | null {
    const until = Array.from({ length: PLACES }, () => -Infinity);
    for (const { place, endedAt } of this.nodes.values()) until[place] = Math.max(until[place]!, endedAt);
    const longest = Math.min(...until);
    return longest === Infinity ? null : until.indexOf(longest);
  }

  get living(): string[] {
    return [...this.nodes.keys()].filter((id) => this.lives(id));
  }

  others(nodeId: string): string[] {
    return [...this.nodes.keys()].filter((other) => other !== nodeId && this.lives(other));
  }

  standing(nodeId: string): Pick<Leading, 'silent' | 'lapsed' | 'until'> | null {
    const node = this.nodes.get(nodeId);
    if (node === undefined || node.endedBy !== null) return null;
    const { leaseUntil } = node;
    return { until: new Date(leaseUntil), lapsed: leaseUntil < this.now(), silent: !this.inSession(nodeId) };
  }

  /** Others whose lease is over, though nobody ended them. */
  lapsed(own: string): { node: string; until: Date }[] {
    const over = this.others(own).filter((node) => this.nodes.get(node)!.leaseUntil < this.now());
    return over.map((node) => ({ node, until: new Date(this.nodes.get(node)!.leaseUntil) }));
  }

  renew(nodeId: string, leaseMs: number): Renewal | null {
    const node = this.nodes.get(nodeId);
    if (node === undefined || node.endedBy !== null) return null;
    node.leaseUntil = this.now() + leaseMs;
    return { drains: false, time: this.now() };
  }

  endOther(dead: string, by: string, proof: Proof): boolean {
    const node = this.nodes.get(dead);
    if (node === undefined || node.endedBy !== null) return false;
    const gone = proof === 'session' && node.sessionSince > this.serverSince && !this.inSession(dead);
    if (proof !== 'alone' && node.leaseUntil >= this.now() && !gone) return false;
    Object.assign(node, { endedBy: by, endedAt: this.now() });
    return true;
  }

  endOwn(nodeId: string): void {
    const node = this.nodes.get(nodeId);
    if (node?.endedBy === null) Object.assign(node, { endedBy: nodeId, endedAt: this.now() });
  }

  /** Whoever leads leads no more. */
  succeed(nodeId: string, thread: Thread): number {
    this.leader = { epoch: this.leader.epoch + 1, holder: nodeId };
    this.leads = thread;
    return this.leader.epoch;
  }

  resignLeadership(nodeId: string, epoch: number): void {
    const { leader } = this;
    if (leader.holder === nodeId && leader.epoch === epoch) leader.holder = null;
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
