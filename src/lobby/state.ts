import type { ShardLink, Sockets } from '../gateway/ports.js';
import type { ToShard } from '../shard/messages.js';
import type { Rules } from './matchmaker.js';
import { Places } from './places.js';
import type { Authentication, Clock, Desks, PoolRules, Scope, ScopeDesk } from './ports.js';
import { Queue } from './queue.js';
import { Sessions } from './sessions.js';
import { Tables } from './tables.js';
import { Tickets } from './tickets.js';

export interface LobbyLog {
  info(detail: Record<string, unknown>, message: string): void;
  warn(detail: Record<string, unknown>, message: string): void;
  error(detail: Record<string, unknown>, message: string): void;
}

export interface LobbyOptions {
  clock: Clock;
  log: LobbyLog;
  sockets: Sockets;
  /** By shard number. */
  shards: readonly ShardLink[];
  authentication: Authentication;
  matchmaking: Omit<Rules, 'seats'>;
  /** How each pool is played; what is no competition is a season. */
  rulesOf: (poolId: string) => PoolRules;
  /** Agents of one scope in the lobby before lobby_full. */
  capacity: number;
  /** How long a shard may take to answer a question. */
  answerMs: number;
}

/** What the parts of the lobby share: who is connected, who waits, who sits where, and the ways to tell them. */
export class LobbyState {
  readonly sessions = new Sessions();
  readonly places = new Places();
  readonly tables = new Tables();
  readonly queue = new Queue();
  /** By agent that busted: resolves when it has been told what comes next. */
  readonly busts = new Map<string, Promise<void>>();
  readonly tickets: Tickets;
  readonly shards: Shards;
  #desks: Desks | null = null;

  constructor(readonly options: LobbyOptions) {
    this.tickets = new Tickets(options.clock, options.answerMs);
    this.shards = new Shards(options.shards);
  }

  /** Set once at start: the features are built on the lobby, and the lobby asks them. */
  set desks(desks: Desks) {
    this.#desks = desks;
  }

  get desks(): Desks {
    if (this.#desks === null) throw new Error('The lobby was used before its desks were set');
    return this.#desks;
  }

  deskOf(scope: Scope): ScopeDesk {
    return scope === null ? this.desks.season : this.desks.competitions.of(scope);
  }

  /** Tells the agent's session, if it has one, where its messages go. */
  tellRoute(agentId: string): void {
    const session = this.sessions.of(agentId);
    if (session !== undefined) this.options.sockets.route(session.socket, this.places.routeOf(agentId));
  }
}

/** The links to the shards, and which of them are up. */
export class Shards {
  readonly #down = new Set<number>();

  constructor(private readonly links: readonly ShardLink[]) {}

  send(shard: number, message: ToShard): void {
    this.links[shard]?.send(message);
  }

  isUp(shard: number): boolean {
    return !this.#down.has(shard);
  }

  /** Numbers of the shards that work. */
  get up(): number[] {
    return [...this.links.keys()].filter((shard) => this.isUp(shard));
  }

  setUp(shard: number, up: boolean): void {
    if (up) this.#down.delete(shard);
    else this.#down.add(shard);
  }
}
