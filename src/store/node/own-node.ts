import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime, NoDatabaseAnswer } from '../bounded.js';
import { connect, type Database, type DatabaseAddress } from '../database.js';
import { GRACE_MS, leaveRole, RoleTaken, takeRole } from '../role-lock.js';
import { DatabaseClock, type ClockLog } from './database-clock.js';
import { Lease, LEASE_MS } from './lease.js';
import * as queries from './queries.js';

/** This process among all that ever work on the database. */
export interface OwnNode {
  readonly id: string;
  /** Its lease has not run out, by its own clock. */
  readonly holds: boolean;
  /**
   * A lapsed lease or a closed session proves another node dead. Neither does while the database did not answer this node,
   * or while this node was frozen: for one lease after that, living nodes renew theirs.
   */
  readonly judges: boolean;
  /** Epoch of its leadership; null while it does not lead. */
  readonly epoch: number | null;
  /** The database's time. */
  readonly clock: DatabaseClock;
  /** Leads from now on, where no living node leads; false where one does. */
  claim(): Promise<boolean>;
  /** Ends the node's life: other nodes may have its leadership, tables and homes. */
  end(): Promise<void>;
  /** The same, and its connection closes. */
  leave(): Promise<void>;
}

export interface NodeOptions {
  address: DatabaseAddress;
  /** For people. */
  name: string;
  /** No other process can reach the database (an embedded one, whose folder is locked): every other node is dead. */
  alone: boolean;
  /** Where other nodes reach this one, `host:port`; null: it serves the database by itself. */
  internal: string | null;
  /** Brings the schema up to date. Called while no other node starts, and before anything is written. */
  migrate: () => Promise<void>;
  /** The database does not answer for the lease: it is asked again all the time, or, at the end, left alone. */
  onLost: (error: Error) => void;
  onRegained: () => void;
  /** Another node has ended this one: it must stop. */
  onEnded: (error: RoleTaken) => void;
  /** The operator asks this node to leave; called once. */
  onDrain: () => void;
  /** Hears of clocks that are not to be trusted. */
  clockLog?: ClockLog;
  graceMs?: number;
}

const RENEW_MS = LEASE_MS / 3;
const RETRY_MS = 100;
const LOOK_MS = 50;
/** A connection that merely broke is back by then. */
export const GONE_MS = 300;
/** Nodes of a cluster start one after the other. */
const START_MS = 30_000;
/** At the end the database may be away: then the lease runs out by itself. */
const LEAVE_MS = 1000;

/**
 * Begins a node's life. Without `internal` the node is the one server of its database and leads at once: it waits for
 * the end of nodes before it, and throws RoleTaken where one lives. With `internal` it is one node of a cluster, which
 * leads once `claim` says so; it throws RoleTaken where a node without `internal` lives.
 */
export async function beginNode(options: NodeOptions): Promise<OwnNode> {
  const node = new RegisteredNode(options);
  try {
    await node.begin();
    return node;
  } catch (error) {
    await node.leave();
    throw error;
  }
}

/** The times are of performance.now(): since then the database answers again, -Infinity where it always did. */
type NodeState =
  /** The database has no row of it yet. */
  | { kind: 'starting' }
  /** The last renewal of the lease was answered. */
  | { kind: 'holds'; regainedAt: number }
  /** The last one was not: it is asked again all the time. */
  | { kind: 'lost'; regainedAt: number }
  | { kind: 'ended' };

/** One connection to the database. */
interface Session {
  readonly sql: Database;
  /** It has our part of the role. */
  inRole: boolean;
}

class RegisteredNode implements OwnNode {
  readonly id = randomUUID();
  readonly clock: DatabaseClock;
  readonly #lease = new Lease();
  #session: Session;
  #state: NodeState = { kind: 'starting' };
  /** A renewal is under way: there is one at a time. */
  #renewing = false;
  /** The operator's wish was passed on. */
  #drains = false;
  #epoch: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: NodeOptions) {
    this.clock = new DatabaseClock(options.clockLog);
    this.#session = this.#open();
  }

  get holds(): boolean {
    return this.#state.kind !== 'ended' && this.#lease.holds;
  }

  get judges(): boolean {
    const state = this.#state;
    if (state.kind === 'starting' || state.kind === 'ended') return false;
    return this.#lease.holds && performance.now() - state.regainedAt >= LEASE_MS;
  }

  get epoch(): number | null {
    return this.#epoch;
  }

  async begin(): Promise<void> {
    const { migrate, graceMs = GRACE_MS, internal } = this.options;
    const session = this.#session;
    const { sql } = session;
    await takeRole(sql, 'start', 'alone', internal === null ? graceMs : START_MS);
    await takePart(session, graceMs);
    if (await queries.knowsNodes(sql)) await this.#awaitEnds(sql, graceMs);
    await migrate();
    await this.#register(sql);
    if (internal === null && !(await this.claim())) throw new RoleTaken('it began a moment ago');
    await leaveRole(sql, 'start');
    this.#renewLater();
  }

  async claim(): Promise<boolean> {
    const { sql } = this.#session;
    const leader = await inTime(queries.leading(sql), RENEW_MS);
    if (leader?.lives === true && leader.nodeId !== this.id) return false;
    const epoch = await inTime(queries.claimLeadership(sql, this.id, leader?.nodeId ?? null), RENEW_MS);
    if (epoch !== null) this.#epoch = epoch;
    return epoch !== null;
  }

  async end(): Promise<void> {
    const { kind } = this.#state;
    if (kind === 'ended') return;
    this.#state = { kind: 'ended' };
    clearTimeout(this.#timer);
    try {
      if (kind !== 'starting') await inTime(queries.endOwn(this.#session.sql, this.id), LEAVE_MS);
    } catch (error) {
      this.options.onLost(error as Error);
    }
  }

  async leave(): Promise<void> {
    await this.end();
    await this.#session.sql.end({ timeout: 1 });
  }

  /** Waits for the end of every node that cannot be beside this one. Throws RoleTaken where one of them lives. */
  async #awaitEnds(sql: Database, graceMs: number): Promise<void> {
    const { alone, internal } = this.options;
    const deadline = performance.now() + graceMs;
    const firstUntil = new Map<string, number>();
    const silentSince = new Map<string, number>();
    for (; ; await sleep(LOOK_MS)) {
      const others = await queries.otherNodes(sql, this.id);
      const inTheWay = others.filter((other) => internal === null || other.internal === null);
      for (const { nodeId, name, since, until, silent } of inTheWay) {
        const now = performance.now();
        if (!firstUntil.has(nodeId)) firstUntil.set(nodeId, until.getTime());
        if (!silent) silentSince.delete(nodeId);
        else if (!silentSince.has(nodeId)) silentSince.set(nodeId, now);
        const gone = now - (silentSince.get(nodeId) ?? Infinity) >= GONE_MS;
        const proof = alone ? 'alone' : gone ? 'session' : 'lease';
        if (await queries.endOther(sql, nodeId, this.id, proof)) continue;
        // A node that renews its lease lives. Any other lease is soon over.
        const renewed = until.getTime() !== firstUntil.get(nodeId);
        if (now > deadline && renewed) throw new RoleTaken(`${name} since ${since.toISOString()}`);
      }
      if (inTheWay.length === 0) return;
    }
  }

  async #register(sql: Database): Promise<void> {
    const asked = this.#lease.asking();
    const clockAsked = this.clock.asking();
    const { name, internal } = this.options;
    const time = await queries.register(sql, { nodeId: this.id, name, internal, leaseMs: LEASE_MS });
    this.clock.read(time, clockAsked);
    this.#state = { kind: 'holds', regainedAt: -Infinity };
    this.#lease.renewed(asked);
  }

  #open(): Session {
    const sql = connect(this.options.address, {
      max: 1,
      name: 'node',
      onClose: () => {
        session.inRole = false;
        // A session that is gone speaks against us: there shall be another at once.
        if (session === this.#session && this.#state.kind === 'holds') this.#later(0);
      },
    });
    const session: Session = { sql, inRole: false };
    return session;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), ms);
  }

  /** A session that lost its part of the role takes it at once. */
  #renewLater(): void {
    this.#later(this.#session.inRole ? RENEW_MS : 0);
  }

  async #keep(): Promise<void> {
    const before = this.#state;
    if (this.#renewing || before.kind === 'starting' || before.kind === 'ended') return;
    this.#renewing = true;
    const ranOut = !this.#lease.holds;
    const lives = await this.#renew().catch((error: unknown) => error as Error);
    this.#renewing = false;
    if (this.#state.kind === 'ended') return;
    if (lives === false) return this.#ended();
    const { kind, regainedAt } = before;
    if (lives !== true) {
      // A mute connection would stay so.
      if (lives instanceof NoDatabaseAnswer) this.#reopen();
      this.#state = { kind: 'lost', regainedAt };
      if (kind === 'holds') this.options.onLost(lives);
      return this.#later(RETRY_MS);
    }
    this.#state = { kind: 'holds', regainedAt: kind === 'lost' || ranOut ? performance.now() : regainedAt };
    if (kind === 'lost') this.options.onRegained();
    this.#renewLater();
  }

  async #renew(): Promise<boolean> {
    const session = this.#session;
    if (!session.inRole) await inTime(takePart(session, 0), RENEW_MS);
    const asked = this.#lease.asking();
    const clockAsked = this.clock.asking();
    const renewal = await inTime(queries.renew(session.sql, this.id, LEASE_MS), RENEW_MS);
    if (renewal === null) return false;
    this.#lease.renewed(asked);
    this.clock.read(renewal.time, clockAsked);
    if (renewal.drains && !this.#drains) {
      this.#drains = true;
      this.options.onDrain();
    }
    return true;
  }

  #reopen(): void {
    const mute = this.#session;
    this.#session = this.#open();
    void mute.sql.end({ timeout: 0 });
  }

  #ended(): void {
    this.#state = { kind: 'ended' };
    this.options.onEnded(new RoleTaken('it took over from this one'));
  }
}

async function takePart(session: Session, graceMs?: number): Promise<void> {
  await takeRole(session.sql, 'server', 'shared', graceMs);
  session.inRole = true;
}
