import type { Hello, Registry } from '../gateway/ports.js';
import type { ClientMessage } from '../protocol/client.js';
import { CLOSE_REASONS, CloseCode, ERROR_MESSAGES } from '../protocol/codes.js';
import { errorMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { Lobby } from './lobby.js';
import { TROUBLE } from './messages.js';
import { ownerKeys } from './owners.js';
import type { Identity, Scope } from './ports.js';
import type { Session } from './sessions.js';
import type { TableDesk } from './table-desk.js';

const NOT_A_PARTICIPANT = 'Not a participant of this competition';
const TOKEN_OVER = 'The bot token has expired or was revoked';

/** From the sockets: who connects, takes over and goes, and the messages that no table answers. */
export class SessionRegistry implements Registry {
  /** Sockets whose key is being looked up. */
  readonly #arriving = new Set<SocketId>();

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly tables: TableDesk,
  ) {}

  opened(socket: SocketId, { apiKey, ip, competitionId }: Hello): void {
    if (apiKey === null) {
      this.#refuse(socket, ERROR_MESSAGES.auth_failed);
      return;
    }
    this.#arriving.add(socket);
    // UUIDs are alike in either case.
    void this.#arrive(socket, apiKey, ip, competitionId?.toLowerCase() ?? null);
  }

  closed(socket: SocketId): void {
    this.#arriving.delete(socket);
    const session = this.state.sessions.close(socket);
    if (session === undefined) return;
    session.release?.();
    this.lobby.forget(session);
    const { agentId } = session.identity;
    const place = this.state.places.seatOf(agentId);
    if (place !== undefined) this.state.shards.send(place.shard, { t: 'detach', table: place.table, agentId, socket });
  }

  message(socket: SocketId, _agentId: string, message: ClientMessage): void {
    // A frame of a session that was taken over meanwhile reaches nobody.
    const session = this.state.sessions.at(socket);
    if (session === undefined) return;
    switch (message.type) {
      case 'join_lobby':
        this.#answer(session, () => this.lobby.join(session, message.buy_in ?? null));
        return;
      case 'set_auto_rebuy':
        this.#answer(session, () => this.#setAutoRebuy(session, message.enabled));
        return;
      case 'rebuy':
        this.#answer(session, () => this.#rebuy(session, message.request_id ?? null));
        return;
      case 'action':
        this.tables.act(session, message);
        return;
      case 'leave_table':
        if (!this.tables.passOn(session, { t: 'leave' })) this.#send(session, errorMessage('not_at_table'));
        return;
      case 'deal_nonce': {
        const { nonce } = message;
        if (!this.tables.passOn(session, { t: 'nonce', nonce })) this.#send(session, errorMessage('not_at_table'));
        return;
      }
      case 'resync_request':
        this.tables.resync(session, message.table_id, message.last_table_seq ?? null);
        return;
    }
  }

  /** Ends the agent's session, if there is one: its key is no longer good. */
  disconnect(agentId: string): void {
    const session = this.state.sessions.of(agentId);
    if (session !== undefined) this.#end(session.socket, CloseCode.unauthorized);
  }

  /** What a session sends from now on reaches nobody. */
  #end(socket: SocketId, code: CloseCode): void {
    this.closed(socket);
    this.state.options.sockets.close(socket, code, CLOSE_REASONS[code]);
  }

  /** The agent has no part in its competition any more: its session ends. */
  dismiss(agentId: string): void {
    const session = this.state.sessions.of(agentId);
    if (session === undefined) return;
    this.closed(session.socket);
    this.#refuse(session.socket, NOT_A_PARTICIPANT);
  }

  async #arrive(socket: SocketId, apiKey: string, ip: string, scope: Scope): Promise<void> {
    const { options } = this.state;
    const admission = await this.#admit(apiKey, scope).catch((error: unknown) => {
      options.log.error({ err: error }, 'admission failed');
      return undefined;
    });
    if (!this.#arriving.delete(socket)) return;
    if (admission === undefined) {
      // Not the client's fault: 1012 makes it come again, where 4001 would make it give up.
      options.sockets.close(socket, CloseCode.draining, CLOSE_REASONS[CloseCode.draining]);
    } else if (admission === TOKEN_OVER || (typeof admission === 'object' && admission.lease?.over === true)) {
      this.#refuse(socket, TOKEN_OVER, CloseCode.tokenExpired);
    } else if (typeof admission === 'string') this.#refuse(socket, admission);
    else if (this.#playsElsewhere(admission.agentId, scope)) {
      const code = 'scope_connection_already_active';
      options.sockets.refuse(socket, { code, message: ERROR_MESSAGES[code] }, CloseCode.otherScope);
    } else {
      const owner = ownerKeys(admission, ip);
      const release = admission.lease?.onOver(() => this.#end(socket, CloseCode.tokenExpired));
      this.#welcome({ socket, identity: admission, owner, scope, answering: Promise.resolve(), release });
    }
  }

  /** Who comes, or why it may not. */
  async #admit(apiKey: string, scope: Scope): Promise<Identity | string> {
    const identity = await this.state.options.authentication.authenticate(apiKey);
    if (identity === null) return ERROR_MESSAGES.auth_failed;
    if (identity === 'expired') return TOKEN_OVER;
    if (scope === null) return identity;
    // A bot token is good for the season.
    if (identity.lease !== undefined) return NOT_A_PARTICIPANT;
    const admission = await this.state.desks.competitions.admit(identity.agentId, scope);
    return admission === 'ok' ? identity : NOT_A_PARTICIPANT;
  }

  /** Whether the agent has a seat in another scope, connected or held, or is buying in there. */
  #playsElsewhere(agentId: string, scope: Scope): boolean {
    const { places, queue, tables } = this.state;
    const place = places.seatOf(agentId);
    if (place !== undefined) return (tables.get(place.table)?.scope ?? null) !== scope;
    const waiter = queue.of(agentId);
    return waiter !== undefined && waiter.sent !== null && waiter.session.scope !== scope;
  }

  #welcome(session: Session): void {
    const { options, places, sessions } = this.state;
    const { agentId, name } = session.identity;
    const older = sessions.open(session);
    if (older !== undefined) {
      older.release?.();
      this.lobby.forget(older);
      options.sockets.close(older.socket, CloseCode.takenOver, CLOSE_REASONS[CloseCode.takenOver]);
    }
    // The table first: what the client does once it is welcome may take a shorter way to the table than this does.
    this.tables.attach(session);
    options.sockets.welcome(session.socket, { agentId, name }, places.routeOf(agentId));
  }

  #refuse(socket: SocketId, message: string, code: CloseCode = CloseCode.unauthorized): void {
    this.state.options.sockets.refuse(socket, { code: 'auth_failed', message }, code);
  }

  /** One question of a session after the other: set_auto_rebuy sent right behind join_lobby finds the entry it made. */
  #answer(session: Session, work: () => Promise<void>): void {
    session.answering = session.answering.then(async () => {
      await this.state.busts.get(session.identity.agentId);
      if (this.state.sessions.at(session.socket) !== session) return;
      try {
        await work();
      } catch (error) {
        this.state.options.log.error({ agent_id: session.identity.agentId, err: error }, 'message not answered');
        this.#send(session, errorMessage('season_error', TROUBLE));
      }
    });
  }

  async #setAutoRebuy(session: Session, enabled: boolean): Promise<void> {
    const desk = this.state.deskOf(session.scope);
    for (const message of await desk.setAutoRebuy(session.identity.agentId, enabled)) {
      this.#send(session, message);
    }
  }

  async #rebuy(session: Session, requestId: string | null): Promise<void> {
    // Seated meanwhile: the table says why a seated player gets none.
    if (this.tables.passOn(session, { t: 'rebuy' })) return;
    this.#send(session, await this.state.deskOf(session.scope).rebuy(session.identity.agentId, requestId));
  }

  #send(session: Session, message: Parameters<LobbyState['options']['sockets']['send']>[1]): void {
    this.state.options.sockets.send(session.socket, message);
  }
}
