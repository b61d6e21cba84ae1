import type { Registry } from '../gateway/ports.js';
import type { ClientMessage } from '../protocol/client.js';
import { CLOSE_REASONS, CloseCode, ERROR_MESSAGES } from '../protocol/codes.js';
import { errorMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { Lobby } from './lobby.js';
import { TROUBLE } from './messages.js';
import { ownerKeys } from './owners.js';
import type { Session } from './sessions.js';
import type { TableDesk } from './table-desk.js';

/** From the sockets: who connects, takes over and goes, and the messages that no table answers. */
export class SessionRegistry implements Registry {
  /** Sockets whose key is being looked up. */
  readonly #arriving = new Set<SocketId>();

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly tables: TableDesk,
  ) {}

  opened(socket: SocketId, hello: { apiKey: string | null; ip: string; competitionId: string | null }): void {
    if (hello.apiKey === null || hello.competitionId !== null) {
      this.#refuse(
        socket,
        hello.apiKey === null ? ERROR_MESSAGES.auth_failed : 'Not a participant of this competition',
      );
      return;
    }
    this.#arriving.add(socket);
    void this.#arrive(socket, hello.apiKey, hello.ip);
  }

  closed(socket: SocketId): void {
    this.#arriving.delete(socket);
    const session = this.state.sessions.close(socket);
    if (session === undefined) return;
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
        this.#answer(session, () => this.#rebuy(session));
        return;
      case 'action':
        this.tables.act(session, message);
        return;
      case 'leave_table':
        if (!this.tables.passOn(session, 'leave')) this.#send(session, errorMessage('not_at_table'));
        return;
      case 'resync_request':
        this.tables.resync(session, message.table_id, message.last_table_seq ?? null);
        return;
    }
  }

  /** Ends the agent's session, if there is one: its key is no longer good. */
  disconnect(agentId: string): void {
    const session = this.state.sessions.of(agentId);
    if (session === undefined) return;
    this.closed(session.socket);
    this.state.options.sockets.close(session.socket, CloseCode.unauthorized, CLOSE_REASONS[CloseCode.unauthorized]);
  }

  async #arrive(socket: SocketId, apiKey: string, ip: string): Promise<void> {
    const { options } = this.state;
    const identity = await options.authentication.authenticate(apiKey).catch((error: unknown) => {
      options.log.error({ err: error }, 'authentication failed');
      return undefined;
    });
    if (!this.#arriving.delete(socket)) return;
    if (identity === undefined) {
      // Not the client's fault: 1012 makes it come again, where 4001 would make it give up.
      options.sockets.close(socket, CloseCode.draining, CLOSE_REASONS[CloseCode.draining]);
    } else if (identity === null) this.#refuse(socket, ERROR_MESSAGES.auth_failed);
    else this.#welcome({ socket, identity, owner: ownerKeys(identity, ip), answering: Promise.resolve() });
  }

  #welcome(session: Session): void {
    const { options, places, sessions } = this.state;
    const { agentId, name } = session.identity;
    const older = sessions.open(session);
    if (older !== undefined) {
      this.lobby.forget(older);
      options.sockets.close(older.socket, CloseCode.takenOver, CLOSE_REASONS[CloseCode.takenOver]);
    }
    // The table first: what the client does once it is welcome may take a shorter way to the table than this does.
    this.tables.attach(session);
    options.sockets.welcome(session.socket, { agentId, name }, places.routeOf(agentId));
  }

  #refuse(socket: SocketId, message: string): void {
    this.state.options.sockets.refuse(socket, { code: 'auth_failed', message }, CloseCode.unauthorized);
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
    for (const message of await this.state.desk.setAutoRebuy(session.identity.agentId, enabled)) {
      this.#send(session, message);
    }
  }

  async #rebuy(session: Session): Promise<void> {
    // Seated meanwhile: the table says why a seated player gets none.
    if (this.tables.passOn(session, 'rebuy')) return;
    this.#send(session, await this.state.desk.rebuy(session.identity.agentId));
  }

  #send(session: Session, message: Parameters<LobbyState['options']['sockets']['send']>[1]): void {
    this.state.options.sockets.send(session.socket, message);
  }
}
