import type { HandOver, Hello, Registry } from '../gateway/ports.js';
import type { ClientMessage } from '../protocol/client.js';
import { CLOSE_REASONS, CloseCode, ERROR_MESSAGES, KEY_IN_URL, NOT_LOOKED_UP } from '../protocol/codes.js';
import { HttpError } from '../protocol/rest/errors.js';
import { errorMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { HandOvers } from './hand-overs.js';
import type { Lobby } from './lobby.js';
import { TROUBLE } from './messages.js';
import { ownerKeys } from './owners.js';
import type { Credential, Identity, Scope } from './ports.js';
import type { ConnectedAgent } from './connected-agents.js';
import type { TableMessages } from './table-messages.js';

const NOT_A_PARTICIPANT = 'Not a participant of this competition';
const TOKEN_OVER = 'The bot token has expired or was revoked';

/**
 * The most requests of one socket (join_lobby, rebuy, set_auto_rebuy) that wait for the database (protocol.md, "Limits
 * of a socket").
 */
const MAX_UNANSWERED = 2;
/** The answer to one beyond it. */
const BEYOND_BOUND = `Wait for an answer first: ${MAX_UNANSWERED} are under way; this one was dropped`;

/** The credentials of a socket that wants to play. */
interface Shown {
  credential: Credential;
  ip: string;
  scope: Scope;
}

/** From the sockets: who connects, takes over and goes, and the messages that no table answers. */
export class AgentRegistry implements Omit<Registry, 'watching' | 'mishap'> {
  /** Sockets with a look-up of their key under way. */
  readonly #arriving = new Set<SocketId>();
  /** For each look-up under way: agents with a key that ended meanwhile. They had no session that could be ended. */
  readonly #lookUps = new Set<Set<string>>();

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly tables: TableMessages,
    private readonly handOvers: HandOvers,
  ) {}

  opened(socket: SocketId, hello: Hello): void {
    if (credentialIn(hello) === null) {
      this.#refuse(socket, hello.keyInUrl === true ? KEY_IN_URL : ERROR_MESSAGES.auth_failed);
      return;
    }
    this.#arriving.add(socket);
    void this.#arrive(socket, hello);
  }

  closed(socket: SocketId): void {
    this.#arriving.delete(socket);
    const agent = this.state.agents.close(socket);
    if (agent === undefined) return;
    agent.release?.();
    this.lobby.forget(agent);
    const { agentId } = agent.identity;
    const seatRoute = this.state.directory.seatOf(agentId);
    if (seatRoute === undefined) return;
    this.state.shards.send(seatRoute.shard, { t: 'detach', table: seatRoute.table, agentId, socket });
  }

  message(socket: SocketId, _agentId: string, message: ClientMessage): void {
    // A frame of a session that was taken over meanwhile reaches nobody.
    const agent = this.state.agents.at(socket);
    if (agent === undefined) return;
    switch (message.type) {
      case 'join_lobby':
        this.#answer(agent, () => this.lobby.join(agent, message.buy_in ?? null, message.version ?? null));
        return;
      case 'set_auto_rebuy':
        this.#answer(agent, () => this.#setAutoRebuy(agent, message.enabled));
        return;
      case 'rebuy':
        this.rebuy(agent, message.request_id ?? null);
        return;
      default:
        this.#handle(agent, message);
    }
  }

  /** Answers it at once, or takes it to its table. */
  #handle(agent: ConnectedAgent, message: Handled): void {
    switch (message.type) {
      case 'action':
        return this.tables.act(agent, message);
      case 'leave_table':
        if (!this.tables.passOn(agent, { t: 'leave' })) this.#send(agent, errorMessage('not_at_table'));
        return;
      case 'deal_nonce': {
        const { nonce } = message;
        if (!this.tables.passOn(agent, { t: 'nonce', nonce })) this.#send(agent, errorMessage('not_at_table'));
        return;
      }
      case 'resync_request':
        return this.tables.resync(agent, message.table_id, message.last_table_seq ?? null);
    }
  }

  /**
   * Ends the agent's session, if there is one: its key is no longer good. An open look-up of the same key is repeated.
   */
  disconnect(agentId: string): void {
    for (const ended of this.#lookUps) ended.add(agentId);
    const agent = this.state.agents.of(agentId);
    if (agent !== undefined) this.#end(agent.socket, CloseCode.unauthorized);
  }

  /** Later messages of an ended session are dropped. */
  #end(socket: SocketId, code: CloseCode): void {
    this.closed(socket);
    this.state.options.sockets.close(socket, code, CLOSE_REASONS[code]);
  }

  /** The agent has no part in its competition any more: its session ends. */
  dismiss(agentId: string): void {
    const agent = this.state.agents.of(agentId);
    if (agent === undefined) return;
    this.closed(agent.socket);
    this.#refuse(agent.socket, NOT_A_PARTICIPANT);
  }

  async #arrive(socket: SocketId, hello: Hello): Promise<void> {
    const { options } = this.state;
    const admission = await this.#admission(hello);
    if (!this.#arriving.has(socket)) return;
    const agent = admission === null ? null : this.#agentOf(socket, hello, admission);
    const leaving = agent === null ? null : this.handOvers.leaving(agent.identity.agentId);
    if (leaving !== null) await leaving;
    const home = agent === null ? null : await this.#homeOf(agent);
    if (!this.#arriving.delete(socket)) return agent?.release?.();
    if (admission === null || home === 'away') {
      agent?.release?.();
      // Not the client's fault: 1013 makes it come again, where 4001 would make it give up.
      return options.sockets.close(socket, CloseCode.tooSlow, NOT_LOOKED_UP);
    }
    if (agent === null) return;
    if (home !== null) {
      agent.release?.();
      return options.sockets.relay(socket, home.node, hello.handOver ?? null);
    }
    if (this.#isInScope(agent)) this.#welcome(agent, hello.handOver ?? null);
    else agent.release?.();
  }

  /** The node that has anything of the agent, if it is another one. */
  async #homeOf({ identity }: ConnectedAgent): Promise<{ node: string } | 'away' | null> {
    const { others, log } = this.state.options;
    try {
      const node = (await others?.homeOf(identity.agentId)) ?? null;
      return node === null ? null : { node };
    } catch (error) {
      log.warn({ agent_id: identity.agentId, error: (error as Error).message }, 'the home of an agent cannot be read');
      return 'away';
    }
  }

  /** Null: it could not be looked up. */
  async #admission(hello: Hello): Promise<Identity | string | null> {
    const credential = credentialIn(hello) ?? { secret: '' };
    const shown = { credential, ip: hello.ip, scope: scopeOf(hello.competitionId) };
    const ended = new Set<string>();
    this.#lookUps.add(ended);
    try {
      for (;;) {
        const admission = await this.#admit(shown);
        if (typeof admission === 'string' || !ended.delete(admission.agentId)) return admission;
      }
    } catch (error) {
      // Too many from its address, which it met after the upgrade: nothing to tell of.
      if (!(error instanceof HttpError)) this.state.options.log.error({ err: error }, 'admission failed');
      return null;
    } finally {
      this.#lookUps.delete(ended);
    }
  }

  /** The agent that comes with the socket; null: it may not, and is refused. */
  #agentOf(
    socket: SocketId,
    { ip, competitionId, relayedFrom }: Hello,
    admission: Identity | string,
  ): ConnectedAgent | null {
    if (admission === TOKEN_OVER || (typeof admission === 'object' && admission.lease?.over === true)) {
      this.#refuse(socket, TOKEN_OVER, CloseCode.tokenExpired);
      return null;
    }
    if (typeof admission === 'string') {
      this.#refuse(socket, admission);
      return null;
    }
    return {
      socket,
      identity: admission,
      owner: ownerKeys(admission, ip),
      scope: scopeOf(competitionId),
      edge: relayedFrom ?? null,
      answering: Promise.resolve(),
      unanswered: 0,
      knowsOfSeat: false,
      release: admission.lease?.onOver(() => this.#end(socket, CloseCode.tokenExpired)),
    };
  }

  /** Else it is refused: it has a seat in another scope. */
  #isInScope({ socket, identity: { agentId }, scope }: ConnectedAgent): boolean {
    if (!this.#playsElsewhere(agentId, scope)) return true;
    const code = 'scope_connection_already_active';
    this.state.options.sockets.refuse(socket, { code, message: ERROR_MESSAGES[code] }, CloseCode.otherScope);
    return false;
  }

  /** The identity of the socket's agent, or the reason of the refusal. */
  async #admit({ credential, ip, scope }: Shown): Promise<Identity | string> {
    const identity = await this.state.authentication.authenticate(credential, ip);
    if (identity === null) return ERROR_MESSAGES.auth_failed;
    if (identity === 'expired') return TOKEN_OVER;
    if (scope === null) return identity;
    // A bot token is good for the season.
    if (identity.lease !== undefined) return NOT_A_PARTICIPANT;
    const admission = await this.state.scopes.competitions.admit(identity.agentId, scope);
    return admission === 'ok' ? identity : NOT_A_PARTICIPANT;
  }

  /** Whether the agent has a seat in another scope, connected or held, or is buying in there. */
  #playsElsewhere(agentId: string, scope: Scope): boolean {
    const { directory, queue, tables } = this.state;
    const seatRoute = directory.seatOf(agentId);
    if (seatRoute !== undefined) return (tables.get(seatRoute.table)?.scope ?? null) !== scope;
    const waiter = queue.of(agentId);
    return waiter !== undefined && waiter.sent !== null && waiter.agent.scope !== scope;
  }

  #welcome(agent: ConnectedAgent, handOver: HandOver | null): void {
    const { options, directory, agents } = this.state;
    const { agentId, name } = agent.identity;
    const older = agents.open(agent);
    if (older !== undefined) {
      older.release?.();
      this.lobby.forget(older);
      options.sockets.close(older.socket, CloseCode.takenOver, CLOSE_REASONS[CloseCode.takenOver]);
    }
    // The table first: what the client does once it is welcome may take a shorter way to the table than this does.
    this.tables.attachFirst(agent);
    options.sockets.welcome(agent.socket, { agentId, name }, directory.routeOf(agentId));
    if (handOver !== null) this.#answer(agent, () => this.lobby.takeOver(agent, handOver));
  }

  #refuse(socket: SocketId, message: string, code: CloseCode = CloseCode.unauthorized): void {
    this.state.options.sockets.refuse(socket, { code: 'auth_failed', message }, code);
  }

  /** One question of a session after the other: set_auto_rebuy sent right behind join_lobby finds the entry it made. */
  #answer(agent: ConnectedAgent, work: () => Promise<void>): void {
    if (agent.unanswered === MAX_UNANSWERED) return this.#send(agent, errorMessage('rate_limited', BEYOND_BOUND));
    agent.unanswered++;
    agent.answering = agent.answering.then(async () => {
      await this.state.busts.get(agent.identity.agentId);
      if (this.state.agents.at(agent.socket) !== agent) return;
      try {
        await work();
      } catch (error) {
        this.state.options.log.error({ agent_id: agent.identity.agentId, err: error }, 'message not answered');
        this.#send(agent, errorMessage('season_error', TROUBLE));
      } finally {
        agent.unanswered--;
        this.handOvers.answered(agent);
      }
    });
  }

  async #setAutoRebuy(agent: ConnectedAgent, enabled: boolean): Promise<void> {
    const play = this.state.playOf(agent.scope);
    for (const message of await play.setAutoRebuy(agent.identity.agentId, enabled)) {
      this.#send(agent, message);
    }
  }

  /** A rebuy of an agent, which its table answers where it has a seat. */
  rebuy(agent: ConnectedAgent, requestId: string | null): void {
    this.#answer(agent, () => this.#rebuy(agent, requestId));
  }

  async #rebuy(agent: ConnectedAgent, requestId: string | null): Promise<void> {
    // Seated meanwhile: the table says why a seated player gets none.
    if (this.tables.passOn(agent, { t: 'rebuy', requestId })) return;
    this.#send(agent, await this.state.playOf(agent.scope).rebuy(agent.identity.agentId, requestId));
  }

  #send(agent: ConnectedAgent, message: Parameters<LobbyState['options']['sockets']['send']>[1]): void {
    this.state.options.sockets.send(agent.socket, message);
  }
}

type Handled = Exclude<ClientMessage, { type: 'join_lobby' | 'set_auto_rebuy' | 'rebuy' }>;

/** UUIDs are alike in either case. */
const scopeOf = (competitionId: string | null): Scope => competitionId?.toLowerCase() ?? null;

/** A relayed socket brings only the hash: its key stays at the edge node. */
const credentialIn = ({ apiKey, shown }: Hello): Credential | null =>
  shown ?? (apiKey === null ? null : { secret: apiKey });
