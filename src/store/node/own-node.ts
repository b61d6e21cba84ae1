import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime, NoAnswer } from '../bounded.js';
import { connect, type Database, type DatabaseAddress } from '../database.js';
import { GRACE_MS, leaveRole, RoleTaken, takeRole } from '../role-lock.js';
import { DatabaseClock, type ClockLog } from './database-clock.js';
import { Lease, LEASE_MS } from './lease.js';
import * as queries from './queries.js';

/** This process among all that ever work on the database. */
export interface OwnNode {
  readonly id: string;
  /** Of its sockets: no other node that lives has it. */
  readonly place: number;
  /** Its lease has not run out, by its own clock. */
  readonly holds: boolean;
  /** Of its leadership, where it leads. */
  readonly epoch: number;
  /** The database's time. */
  readonly clock: DatabaseClock;
  /** Gives up what it has. */
  leave(): Promise<void>;
}

/** This process as one among several nodes, of which one leads. */
export interface NodeAmongOthers extends OwnNode {
  /**
   * That another's lease has run out, or its session is gone, says that it is dead. Not while the database did not answer
   * us either, or we were frozen as well: a lease's time after that whoever lives has renewed its own.
   */
  readonly judges: boolean;
  /**
   * Who leads, or led last; rejects where the database does not answer in time. This node itself leads only where it has
   * heard so: one whose claim was not answered is to claim again.
   */
  leading(): Promise<queries.Leading | null>;
  /** Leads from now on, within the same life, where whoever led has ended or is proven dead; false where another lives. */
  claim(): Promise<boolean>;
  /** Leads no more, and lives on. */
  resign(): Promise<void>;
}

interface LifeOptions {
  address: DatabaseAddress;
  /** For people. */
  name: string;
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

export interface NodeOptions extends LifeOptions {
  /** No other process can reach the database, as who has the folder of an embedded one knows: whoever led is dead. */
  alone: boolean;
  /** Brings the schema up to date. Called once the way is free, and before anything is written. */
  migrate: () => Promise<void>;
}

/** Other nodes may begin at the same moment, and take the place that was seen. */
const PLACE_TRIES = 200;
const RENEW_MS = LEASE_MS / 3;
const RETRY_MS = 100;
const LOOK_MS = 50;
/** A connection that merely broke is back by then. */
const GONE_MS = 300;
/** At the end the database may be away: then the lease runs out by itself. */
const LEAVE_MS = 1000;

/**
 * Begins a node that leads: the one server of its database. Ends the one that led before where that is dead, or its
 * lease has run out. Throws RoleTaken where another lives.
 */
export async function leadDatabase(options: NodeOptions): Promise<NodeAmongOthers> {
  return begun(new RegisteredNode(options), (node) => node.lead(options));
}

/** Begins a node beside the one that leads, of the same release: it has a lease, and changes nothing else. */
export async function followDatabase(options: LifeOptions): Promise<NodeAmongOthers> {
  return begun(new RegisteredNode(options), (node) => node.follow());
}

async function begun(node: RegisteredNode, begin: (node: RegisteredNode) => Promise<void>): Promise<RegisteredNode> {
  try {
    await begin(node);
    return node;
  } catch (error) {
    await node.leave();
    throw error;
  }
}

class RegisteredNode implements NodeAmongOthers {
  readonly id = randomUUID();
  readonly clock: DatabaseClock;
  readonly #lease = new Lease();
  #sql: Database;
  /** The present session has our part of the role. */
  #inRole = false;
  #registered = false;
  #renewing = false;
  #trouble = false;
  /** The database answers again since then. */
  #regainedAt = -Infinity;
  #drains = false;
  #over = false;
  #epoch = 0;
  #leads = false;
  #place = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: LifeOptions) {
    this.clock = new DatabaseClock(options.clockLog);
    this.#sql = this.#open();
  }

  get holds(): boolean {
    return !this.#over && this.#lease.holds;
  }

  get judges(): boolean {
    return this.holds && performance.now() - this.#regainedAt >= LEASE_MS;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get place(): number {
    return this.#place;
  }

  async lead({ alone, migrate, graceMs = GRACE_MS }: NodeOptions): Promise<void> {
    const sql = this.#sql;
    await takeRole(sql, 'start', 'alone', graceMs);
    await this.#takePart(sql, graceMs);
    if (await queries.knowsNodes(sql)) await this.#succeed(sql, alone, graceMs);
    await migrate();
    await this.#register(sql);
    await this.#claim(sql, alone, graceMs);
    await leaveRole(sql, 'start');
    this.#later(this.#inRole ? RENEW_MS : 0);
  }

  async follow(): Promise<void> {
    const sql = this.#sql;
    await this.#takePart(sql, this.options.graceMs);
    await this.#register(sql);
    this.#later(this.#inRole ? RENEW_MS : 0);
  }

  async claim(): Promise<boolean> {
    try {
      await this.#claim(this.#sql, false, this.options.graceMs ?? GRACE_MS);
      return true;
    } catch (error) {
      if (error instanceof RoleTaken) return false;
      throw error;
    }
  }

  async resign(): Promise<void> {
    this.#leads = false;
    await inTime(queries.resignLeadership(this.#sql, this.id, this.#epoch), LEAVE_MS);
  }

  async #claim(sql: Database, alone: boolean, graceMs: number): Promise<void> {
    for (;;) {
      const epoch = await queries.claimLeadership(sql, this.id, await this.#succeed(sql, alone, graceMs));
      if (epoch !== null) {
        this.#leads = true;
        return void (this.#epoch = epoch);
      }
      if (this.#over) throw new RoleTaken('this node has ended');
    }
  }

  async leading(): Promise<queries.Leading | null> {
    const leading = await inTime(queries.leading(this.#sql), RENEW_MS);
    const unheard = leading?.nodeId === this.id && !this.#leads;
    return unheard ? { ...leading, lives: false } : leading;
  }

  async leave(): Promise<void> {
    this.#over = true;
    clearTimeout(this.#timer);
    const sql = this.#sql;
    try {
      if (this.#registered) await inTime(queries.endOwn(sql, this.id), LEAVE_MS);
    } catch (error) {
      this.options.onLost(error as Error);
    }
    await sql.end({ timeout: 1 });
  }

  /** Resolves to who led before, once that has ended (null: nobody ever led). */
  async #succeed(sql: Database, alone: boolean, graceMs: number): Promise<string | null> {
    const deadline = performance.now() + graceMs;
    let silentSince = Infinity;
    let firstUntil: number | null = null;
    for (; ; await sleep(LOOK_MS)) {
      const leader = await queries.leading(sql);
      if (leader === null || !leader.lives || leader.nodeId === this.id) return leader?.nodeId ?? null;
      const { nodeId, name, since, until, silent } = leader;
      firstUntil ??= until.getTime();
      const now = performance.now();
      silentSince = silent ? Math.min(silentSince, now) : Infinity;
      const gone = now - silentSince >= GONE_MS;
      const proof = alone ? 'alone' : gone ? 'session' : 'lease';
      const proves = alone || !this.#registered || this.judges;
      if (proves && (await queries.endOther(sql, nodeId, this.id, proof))) return nodeId;
      // It lives if it renews its lease; else that is soon over.
      if (now > deadline && until.getTime() !== firstUntil) throw new RoleTaken(`${name} since ${since.toISOString()}`);
    }
  }

  async #register(sql: Database): Promise<void> {
    let asked = this.#lease.asking();
    let clockAsked = this.clock.asking();
    let registered: Awaited<ReturnType<typeof queries.register>> = null;
    for (let tries = 0; registered === null; tries++) {
      if (tries === PLACE_TRIES)
        throw new Error(`${queries.PLACES} nodes live on this database: there is no place for another`);
      asked = this.#lease.asking();
      clockAsked = this.clock.asking();
      registered = await queries.register(sql, this.id, this.options.name, LEASE_MS);
    }
    this.clock.read(registered.time, clockAsked);
    this.#place = registered.place;
    this.#registered = true;
    this.#lease.renewed(asked);
  }

  #open(): Database {
    this.#inRole = false;
    const sql: Database = connect(this.options.address, {
      max: 1,
      name: 'node',
      onClose: () => {
        if (sql !== this.#sql) return;
        this.#inRole = false;
        // A session that is gone speaks against us: there shall be another at once.
        if (!this.#over && !this.#trouble) this.#later(0);
      },
    });
    return sql;
  }

  async #takePart(sql: Database, graceMs?: number): Promise<void> {
    await takeRole(sql, 'server', 'shared', graceMs);
    this.#inRole = true;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#keep(), ms);
  }

  async #keep(): Promise<void> {
    if (this.#renewing || this.#over || !this.#registered) return;
    this.#renewing = true;
    const ranOut = !this.#lease.holds;
    const lives = await this.#renew().catch((error: unknown) => error as Error);
    this.#renewing = false;
    if (this.#over) return;
    if (lives === false) return this.#ended();
    if (lives !== true) {
      // A mute connection would stay so.
      if (lives instanceof NoAnswer) this.#reopen();
      if (!this.#trouble) this.options.onLost(lives);
      this.#trouble = true;
      return this.#later(RETRY_MS);
    }
    if (this.#trouble || ranOut) this.#regainedAt = performance.now();
    if (this.#trouble) this.options.onRegained();
    this.#trouble = false;
    this.#later(this.#inRole ? RENEW_MS : 0);
  }

  async #renew(): Promise<boolean> {
    const sql = this.#sql;
    if (!this.#inRole) await inTime(this.#takePart(sql, 0), RENEW_MS);
    const asked = this.#lease.asking();
    const clockAsked = this.clock.asking();
    const renewal = await inTime(queries.renew(sql, this.id, LEASE_MS), RENEW_MS);
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
    const mute = this.#sql;
    this.#sql = this.#open();
    void mute.end({ timeout: 0 });
  }

  #ended(): void {
    this.#over = true;
    this.options.onEnded(new RoleTaken('it took over from this one'));
  }
}
