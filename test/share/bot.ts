import type { ServerMessage } from '../../src/protocol/server.js';
import type { Dice } from '../sim/dice.js';
import { DRAINING, Connection, type Client } from './sockets.js';
import type { ShareWorld } from './world.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** How long a bot plays, and how long its socket lives, on average. */
const VISIT_MS = 20 * MINUTE;
const SOCKET_MS = 15 * MINUTE;
/**
 * The share of leaving bots that leave their table first, and the share that never come back: another bot comes
 * instead.
 */
const LEAVES_FIRST = 0.5;
const NEVER_BACK = 0.3;
/** The share of stays that end because the bot wants another table, once a visit. */
const CHANGES_TABLE = 0.3;

/** A bot that comes, joins, plays, loses its socket, busts, buys in again, and goes; then it, or another, comes. */
export class ShareBot implements Client {
  agentId: string;
  /** The table it has a seat at. */
  tableId: string | null = null;
  #connection: Connection | null = null;
  /** When it sent its join; null: none is under way. */
  #joinedAt: number | null = null;
  #ends = false;
  #visit = 0;
  readonly #dice: Dice;

  constructor(
    private readonly world: ShareWorld,
    private readonly place: number,
  ) {
    this.agentId = this.#name();
    this.#dice = world.dice;
  }

  get connection(): Connection | null {
    return this.#connection?.over === false ? this.#connection : null;
  }

  /** Begins a visit after so many ms. */
  come(ms: number): void {
    this.#later(ms, () => {
      this.#ends = false;
      this.#connect();
      this.#later(this.#about(VISIT_MS), () => this.#go());
      if (this.#dice.chance(CHANGES_TABLE)) this.#later(this.#about(VISIT_MS / 2), () => this.#changeTable());
    });
  }

  // ---- what it reads

  connected(): void {
    this.#joinSoon();
  }

  heard(message: ServerMessage): void {
    if (message.type === 'busted') {
      // The rest of its balance, or a rebuy.
      this.#joinSoon(this.#between(1, 10));
    } else if (message.type === 'rebuy_confirmed') this.#joinSoon();
    else if (message.type === 'error') this.#failed(message.code);
  }

  sits(tableId: string): void {
    this.tableId = tableId;
    if (this.#joinedAt !== null) this.world.waited(this.world.kernel.now - this.#joinedAt);
    this.#joinedAt = null;
  }

  left(tableId: string): void {
    if (this.tableId === tableId) this.tableId = null;
    if (this.#ends) this.#end();
    else this.#joinSoon();
  }

  closed(code: number): void {
    if (this.#ends) return this.#end();
    this.#gone();
    this.#later(code === DRAINING ? this.#between(0.1, 1.5) : this.#between(0.5, 3), () => this.#connect());
  }

  // ---- what it does

  #name(): string {
    return `bot ${this.place}.${this.#visit}`;
  }

  #connect(): void {
    if (this.#ends || this.connection !== null) return;
    const node = this.world.balancer.nodeFor(this.agentId);
    if (node === undefined) return this.#later(this.#between(0.5, 2), () => this.#connect());
    const connection = new Connection(this.world.kernel, this, node, (nodeId) => this.world.nodes.get(nodeId));
    this.#connection = connection;
    this.#later(this.#about(SOCKET_MS), () => {
      if (this.#connection !== connection || connection.over) return;
      connection.close();
      this.closed(0);
    });
  }

  #joinSoon(ms = this.#between(0.05, 0.3)): void {
    const { connection } = this;
    this.#later(ms, () => {
      if (this.connection !== connection || this.tableId !== null || this.#joinedAt !== null || this.#ends) return;
      this.#joinedAt = this.world.kernel.now;
      connection?.send({ type: 'join_lobby' });
    });
  }

  #failed(code: string): void {
    if (code === 'already_in_lobby' || code === 'already_seated') return;
    this.#joinedAt = null;
    if (code === 'insufficient_season_chips') this.#connection?.send({ type: 'rebuy' });
    else this.#joinSoon(this.#between(1, 3));
  }

  #changeTable(): void {
    if (this.tableId !== null) this.connection?.send({ type: 'leave_table' });
  }

  #go(): void {
    this.#ends = true;
    const leaves = this.tableId !== null && this.connection !== null && this.#dice.chance(LEAVES_FIRST);
    if (leaves) this.#connection?.send({ type: 'leave_table' });
    else this.#end();
  }

  #end(): void {
    this.#connection?.close();
    this.#gone();
    if (this.#dice.chance(NEVER_BACK)) {
      this.#visit++;
      this.agentId = this.#name();
      this.come(this.#between(1, 30));
    } else this.come(this.#between(5, 90));
  }

  #gone(): void {
    this.#connection = null;
    this.#joinedAt = null;
    this.tableId = null;
  }

  #between(least: number, most: number): number {
    return SECOND * (least + this.#dice.unit() * (most - least));
  }

  /** Exponential. */
  #about(ms: number): number {
    return -ms * Math.log(1 - this.#dice.unit());
  }

  #later(ms: number, run: () => void): void {
    this.world.kernel.later(ms, run);
  }
}
