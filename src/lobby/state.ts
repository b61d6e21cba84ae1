import type { ShardLink, Sockets } from '../gateway/ports.js';
import { mishapOf, type Mishap } from '../protocol/mishap.js';
import type { ServerMessage } from '../protocol/server.js';
import type { ToShard } from '../shard/messages.js';
import { NO_SOCKET, type SocketId, type TableSummary } from '../table/api.js';
import type { MatchRules } from './matching/plan.js';
import { Conduct } from './conduct.js';
import { Mishaps } from './mishaps.js';
import { Paces } from './paces.js';
import { SeatDirectory } from './seat-directory.js';
import type {
  VersionKeeper,
  Authentication,
  Clock,
  OtherNodes,
  Scopes,
  PoolRules,
  Scope,
  ScopePlay,
  Viewers,
  WatchLimits,
} from './ports.js';
import { Queue } from './queue.js';
import { ConnectedAgents, type ConnectedAgent } from './connected-agents.js';
import { Tables, type LobbyTable } from './tables.js';
import { Tickets } from './tickets.js';

/** The same sockets, with a note before each sent message. */
function notingSockets(sockets: Sockets, note: (socket: SocketId, message: ServerMessage) => void): Sockets {
  return {
    welcome: (socket, agent, route) => sockets.welcome(socket, agent, route),
    refuse: (socket, error, closeCode) => sockets.refuse(socket, error, closeCode),
    watch: (socket, route) => sockets.watch(socket, route),
    send: (socket, message) => {
      note(socket, message);
      sockets.send(socket, message);
    },
    route: (socket, route) => sockets.route(socket, route),
    close: (socket, closeCode, reason) => sockets.close(socket, closeCode, reason),
    relay: (socket, node, handOver) => sockets.relay(socket, node, handOver),
    relayWatch: (socket, node, viewer) => sockets.relayWatch(socket, node, viewer),
    untold: (socket) => sockets.untold(socket),
    round: (socket, shard, table, round) => sockets.round(socket, shard, table, round),
  };
}

/** How often match-making looks at a table of mixed pace at which nothing else changes. */
const LOOK_AGAIN_MS = 10_000;

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
  matchmaking: Omit<MatchRules, 'seats' | 'even'>;
  /** Whether players of the same pace sit together. */
  paceGroups: boolean;
  /** Seats that an agent may take. */
  seatsPerMinute: number;
  /** The rules of each pool. A pool that is no competition is a season. */
  rulesOf: (poolId: string) => PoolRules;
  /** Agents of one scope in the lobby before lobby_full. */
  capacity: number;
  /** The limits of watching sockets; none by default. */
  watching?: WatchLimits;
  /** How long a shard may take to answer a question. */
  answerMs: number;
  /** Absent: this process is alone. */
  others?: OtherNodes;
}

/** The lobby's dependencies once it is open. */
export interface LobbyUpstream {
  scopes: Scopes;
  authentication: Authentication;
  /** Identifies watchers. Without it all are anonymous. */
  viewers?: Viewers;
  /** Versions of bots are not noted without. */
  versions?: VersionKeeper;
  /** A shard was refused: the stored phase of the pool takes no players. The phase is to be read again. */
  phaseRefused?: (poolId: string) => void;
}

/** The state that the parts of the lobby share: connected agents, waiters, tables, and the ways to notify them. */
export class LobbyState {
  readonly agents = new ConnectedAgents();
  readonly directory = new SeatDirectory();
  readonly tables = new Tables();
  readonly queue = new Queue();
  /** By busted agent: resolves when the frame after its bust has been sent. */
  readonly busts = new Map<string, Promise<void>>();
  readonly conduct: Conduct;
  readonly paces = new Paces();
  readonly mishaps = new Mishaps();
  readonly options: LobbyOptions;
  readonly tickets: Tickets;
  readonly shards: Shards;
  #upstream: LobbyUpstream | null = null;

  constructor(options: LobbyOptions) {
    const sockets = notingSockets(options.sockets, (socket, message) => this.#noteAnswer(socket, message));
    this.options = { ...options, sockets };
    this.conduct = new Conduct(options.seatsPerMinute);
    const { clock, answerMs, shards } = options;
    this.tickets = new Tickets(clock, answerMs);
    this.shards = new Shards(shards);
  }

  /** Set once at start: the features are built on the lobby, and the lobby asks them. */
  open(upstream: LobbyUpstream): void {
    this.#upstream = upstream;
  }

  get scopes(): Scopes {
    return this.#opened.scopes;
  }

  phaseRefused(poolId: string): void {
    this.#opened.phaseRefused?.(poolId);
  }

  get authentication(): Authentication {
    return this.#opened.authentication;
  }

  get versions(): VersionKeeper | undefined {
    return this.#opened.versions;
  }

  get viewers(): Viewers | undefined {
    return this.#opened.viewers;
  }

  get #opened(): LobbyUpstream {
    if (this.#upstream === null) throw new Error('The lobby was used before it was opened');
    return this.#upstream;
  }

  /** Notes a mishap of the agent, for its owner. */
  note(agentId: string, mishap: Mishap): void {
    this.mishaps.note(agentId, mishap, this.options.clock.now());
  }

  /**
   * Notes the decision times that a table reports. Returns whether match-making may have to act.
   */
  notePaces(table: LobbyTable, { players }: TableSummary, reseated: boolean): boolean {
    const now = this.options.clock.now();
    let changed = false;
    for (const { agentId, decisionsMs, bankMs } of players)
      changed = this.paces.note(agentId, decisionsMs, bankMs, now) || changed;
    if (!this.options.paceGroups) return false;
    if (changed || reseated) {
      const known = players.filter(({ isHouse }) => !isHouse).map(({ agentId }) => this.paces.of(agentId));
      table.mixed = new Set(known.filter((pace) => pace !== null)).size > 1;
    }
    const due = table.mixed && now >= table.lookAt;
    if (due) table.lookAt = now + LOOK_AGAIN_MS;
    return changed || due;
  }

  #noteAnswer(socket: SocketId, message: ServerMessage): void {
    const mishap = mishapOf(message);
    const agent = mishap && this.agents.at(socket);
    if (mishap !== null && agent) this.note(agent.identity.agentId, mishap);
  }

  /** When the session's agent may be seated (ms). House bots always may: newcomers need them. */
  freeAt({ identity }: ConnectedAgent): number {
    return identity.isHouse ? 0 : this.conduct.freeAt(identity.agentId);
  }

  playOf(scope: Scope): ScopePlay {
    return scope === null ? this.scopes.season : this.scopes.competitions.of(scope);
  }

  /** Gives up the agent's seat, without a frame on a socket. */
  giveUpSeat(agentId: string): void {
    const seat = this.directory.seatOf(agentId);
    if (seat === undefined) return;
    const { shard, table, sitting } = seat;
    this.shards.send(shard, { t: 'leave', table, agentId, sitting, socket: NO_SOCKET });
  }

  /** Tells the agent's session, if it has one, where its messages go. */
  sendRoute(agentId: string): void {
    const agent = this.agents.of(agentId);
    if (agent !== undefined) this.options.sockets.route(agent.socket, this.directory.routeOf(agentId));
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
