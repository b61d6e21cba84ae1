import type { ResumedSocket, TableRoute, WaitingJoin } from '../gateway/ports.js';
import type { ClientMessage } from '../protocol/client.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { serialOf, type SocketId } from '../table/api.js';
import type { ConnectedAgent } from './connected-agents.js';
import type { InheritedTables } from './inherited-tables.js';
import type { Lobby } from './lobby.js';
import type { LobbyState } from './state.js';

/** Who cannot be looked up now is asked for again after this time. */
const RETRY_MS = 1000;
/** How long a seat that nobody has reported, at a shard that is not heard, is waited for; what its player says, too. */
const MISSING_MS = 5000;
/** Messages kept of a socket until it has its place: three seconds' worth at the permitted rate. */
const MOST_HELD = 64;

/** What the registry does for sockets that resume, as for those that open. */
export interface ResumedWays {
  /** The agent that it is; null: it was refused. Undefined: that cannot be known now. */
  lookUp(resumed: ResumedSocket): Promise<(() => ConnectedAgent | null) | undefined>;
  /** False for one that has a seat in another scope: it was refused. */
  admitted(agent: ConnectedAgent): boolean;
  attach(agent: ConnectedAgent): void;
  message(socket: SocketId, message: ClientMessage): void;
}

interface Heir {
  readonly resumed: ResumedSocket;
  agent: ConnectedAgent | null;
  /** What its client has said since. */
  readonly held: ClientMessage[];
  /** The first answer to who it is, or none. */
  looked: Promise<void>;
}

/**
 * Sockets that were welcome to a lobby before this one. Their clients notice nothing: each has its seat, its place in the
 * order of those who wait, and its answers. That is decided once all are known.
 */
export class ResumedSockets {
  /** Until they have their place. */
  readonly #heirs = new Map<SocketId, Heir>();
  /** Until it is known where they sit. */
  readonly #missing = new Map<SocketId, Heir>();

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly tables: InheritedTables,
    private readonly ways: ResumedWays,
  ) {
    tables.isExpected = (socket) => this.#heirs.has(socket);
    tables.onLate = () => {
      const found = ({ agent }: Heir) => state.directory.seatOf(agent!.identity.agentId) !== undefined;
      this.#found([...this.#missing.values()].filter(found));
    };
  }

  take(sockets: readonly ResumedSocket[]): void {
    for (const resumed of sockets) {
      const { socket } = resumed;
      if (this.#heirs.has(socket) || this.state.agents.at(socket) !== undefined) continue;
      const heir: Heir = { resumed, agent: null, held: [], looked: Promise.resolve() };
      this.#heirs.set(socket, heir);
      heir.looked = this.#lookUp(heir);
    }
  }

  /** Keeps what a client says before its socket has its place; false for others. */
  hold(socket: SocketId, message: ClientMessage): boolean {
    const heir = this.#heirs.get(socket) ?? this.#missing.get(socket);
    if (heir === undefined) return false;
    if (heir.held.length < MOST_HELD) heir.held.push(message);
    return true;
  }

  closed(socket: SocketId): void {
    this.#missing.delete(socket);
    const heir = this.#heirs.get(socket);
    if (heir === undefined) return;
    this.#heirs.delete(socket);
    if (heir.agent !== null && this.state.agents.at(socket) === undefined) heir.agent.release?.();
  }

  /** Those of an agent that do not have their place yet. */
  socketsOf(agentId: string): SocketId[] {
    return [...this.#heirs].flatMap(([socket, { agent }]) => (agent?.identity.agentId === agentId ? [socket] : []));
  }

  /** Resolves when each is known, or could not be asked for once. */
  async known(): Promise<void> {
    await Promise.all([...this.#heirs.values()].map(({ looked }) => looked));
  }

  /** Gives all that are known their places. */
  settle(): void {
    const known = [...this.#heirs.values()].filter(({ agent }) => agent !== null);
    const ofAgent = new Map<string, Heir>();
    for (const heir of known) {
      const { agentId } = heir.agent!.identity;
      const other = ofAgent.get(agentId);
      if (other === undefined) ofAgent.set(agentId, heir);
      else {
        const [winner, loser] = this.#before(other, heir) ? [heir, other] : [other, heir];
        ofAgent.set(agentId, winner);
        this.#takenOver(loser);
      }
    }
    this.#place([...ofAgent.values()]);
  }

  async #lookUp(heir: Heir): Promise<void> {
    const { socket } = heir.resumed;
    const found = await this.ways.lookUp(heir.resumed);
    if (this.#heirs.get(socket) !== heir) return;
    if (found === undefined) {
      this.state.options.clock.after(RETRY_MS, () => void this.#lookUp(heir));
      return;
    }
    heir.agent = found();
    if (heir.agent === null) return void this.#heirs.delete(socket);
    const { agents, settled } = this.state;
    const other = agents.of(heir.agent.identity.agentId);
    // Features may have something to tell it already.
    if (other === undefined) agents.open(heir.agent);
    if (!settled.over) return;
    if (other === undefined) this.#place([heir]);
    else this.#takenOver(heir);
  }

  /** Whether the first of two sockets of an agent was taken over by the second. */
  #before(first: Heir, second: Heir): boolean {
    const { agentId } = first.agent!.identity;
    const [a, b] = [first.resumed.socket, second.resumed.socket];
    if (this.tables.holds(agentId, a) !== this.tables.holds(agentId, b)) return this.tables.holds(agentId, b);
    return serialOf(a) < serialOf(b);
  }

  #takenOver(heir: Heir): void {
    const { agents, options } = this.state;
    const { socket } = heir.resumed;
    this.#heirs.delete(socket);
    agents.close(socket);
    heir.agent?.release?.();
    options.sockets.close(socket, CloseCode.takenOver, CLOSE_REASONS[CloseCode.takenOver]);
  }

  /** First the seats, then the joins, in their order over all nodes, then what else is to be answered. */
  #place(heirs: readonly Heir[]): void {
    const placed = heirs.filter((heir) => this.#seat(heir));
    const missing = placed.filter((heir) => this.#isMissing(heir));
    for (const heir of missing) {
      this.#missing.set(heir.resumed.socket, heir);
      this.state.options.clock.after(MISSING_MS, () => this.#found([heir]));
    }
    this.#goOn(placed.filter((heir) => !missing.includes(heir)));
  }

  /** It is known where they sit, or was waited for long enough. */
  #found(heirs: readonly Heir[]): void {
    this.#goOn(heirs.filter(({ resumed }) => this.#missing.delete(resumed.socket)));
  }

  /** False where it may not play here any more. */
  #seat({ resumed, agent }: Heir): boolean {
    const { agents, directory } = this.state;
    const { socket } = resumed;
    if (agent === null) return false;
    this.#heirs.delete(socket);
    if (!this.ways.admitted(agent)) {
      agents.close(socket);
      agent.release?.();
      return false;
    }
    if (agents.at(socket) !== agent) agents.open(agent);
    const { agentId } = agent.identity;
    if (directory.seatOf(agentId) === undefined) return true;
    if (this.tables.holds(agentId, socket)) this.#own(agent);
    else this.ways.attach(agent);
    this.#route(agent, resumed.route);
    return true;
  }

  /**
   * It sits, by its own account or by what is stored, where nobody is heard: the table may yet be reported, or opened again
   * elsewhere.
   */
  #isMissing({ resumed: { route }, agent }: Heir): boolean {
    const { directory, tables, shards } = this.state;
    const { agentId } = agent!.identity;
    if (directory.seatOf(agentId) !== undefined) return false;
    const sits = route !== null && route.seat !== null && !shards.isUp(route.shard);
    return (sits && tables.get(route.table) === undefined) || this.tables.isUnheard(agentId);
  }

  #goOn(heirs: readonly Heir[]): void {
    const here = heirs.filter(({ agent }) => agent !== null && this.state.agents.at(agent.socket) === agent);
    for (const { resumed, agent } of here) this.#settleStay(resumed, agent!);
    const joins = here.flatMap(({ resumed, agent }) => {
      return resumed.waiting === null ? [] : [{ agent: agent!, resumed, waiting: resumed.waiting }];
    });
    for (const join of joins.toSorted((a, b) => a.waiting.since - b.waiting.since)) this.#join(join);
    for (const { resumed, held } of here) {
      for (const message of [...resumed.unanswered, ...held]) this.ways.message(resumed.socket, message);
    }
  }

  /**
   * A stay that ended unheard: its table still answers, and a bust is told of. Where its table could not tell of the end,
   * since it was lost with the lobby before, or took the socket for gone as its link was broken, the socket ends.
   */
  #settleStay({ route, seatLost, aware }: ResumedSocket, agent: ConnectedAgent): void {
    const { directory, busts } = this.state;
    const { agentId } = agent.identity;
    if (directory.seatOf(agentId) !== undefined) return;
    if (route !== null) directory.sat(agentId, route);
    this.#route(agent, route);
    if ((seatLost || (route !== null && route.seat !== null)) && !busts.has(agentId))
      this.lobby.settlesBust(agentId, this.state.playOf(agent.scope).seatLost(agentId));
    if (!aware && !this.tables.isUnheard(agentId)) this.lobby.untold(agent);
  }

  #join({ agent, resumed, waiting }: { agent: ConnectedAgent; resumed: ResumedSocket; waiting: WaitingJoin }): void {
    const { agentId } = agent.identity;
    const seat = this.state.directory.seatOf(agentId);
    const buyIn = this.tables.buyInOf(agentId);
    if (seat === undefined && buyIn !== undefined) return this.lobby.buysIn(agent, waiting, buyIn);
    if (seat === undefined || this.tables.seatOf(agentId)?.leaving === true) {
      agent.answering = this.lobby.rejoin(agent, waiting);
    } else if (resumed.route?.table === seat.table && resumed.route.seat !== null) {
      // It joined though it sat there: the table knows whether it was about to leave.
      this.ways.message(resumed.socket, { type: 'join_lobby', buy_in: waiting.buyIn });
    }
    // Else this is the seat that it waits for, of which nobody had told its session.
  }

  /** Its table knows the socket; the lobby learns whose agent plays there. */
  #own({ identity: { agentId }, owner }: ConnectedAgent): void {
    const { tables, directory } = this.state;
    const occupants = tables.get(directory.seatOf(agentId)?.table ?? '')?.occupants;
    const occupant = occupants?.get(agentId);
    if (occupant !== undefined) occupants?.set(agentId, { ...occupant, owner });
  }

  #route(agent: ConnectedAgent, known: TableRoute | null): void {
    const route = this.state.directory.routeOf(agent.identity.agentId);
    const same = route?.table === known?.table && route?.seat === known?.seat && route?.shard === known?.shard;
    if (!same) this.state.options.sockets.route(agent.socket, route);
  }
}
