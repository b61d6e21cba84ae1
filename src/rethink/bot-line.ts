import { randomBytes, randomUUID } from 'node:crypto';
import { Gateway, type GatewayConfig } from '../gateway/gateway.js';
import type { Hello, Registry, ShardLink, TableRoute } from '../gateway/ports.js';
import { actionWithoutTable } from '../lobby/messages.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { ActionMessage, ClientMessage } from '../protocol/client.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { ToShard } from '../shard/messages.js';
import { NO_SOCKET, type SocketId } from '../table/api.js';
import { Outbox } from '../table/outbox.js';

/** Limits that no bot meets here, on a free port of this machine. */
const CONFIG: GatewayConfig = {
  HOST: '127.0.0.1',
  PORT: 0,
  TRANSPORT: 'ws',
  TRUSTED_PROXY: 0,
  CONNECTIONS_PER_ADDRESS: 64,
  WS_CONNECTS_PER_MINUTE: 100_000,
  REGISTRATIONS_PER_MINUTE: 100_000,
  WS_MESSAGES_PER_SECOND: 10_000,
  SOCKET_BUFFER_BYTES: 1 << 24,
  COALESCE_MS: 0,
  ACTION_TIMEOUT_MS: 120_000,
  DATABASE_CONNECTIONS: 8,
  SPECTATE: 'off',
  SPECTATE_DELAY_HANDS: 0,
};

/** Chips of a rebuy that the bot asks for after a bust: the record says what it has in the next hand. */
const REBUY_CHIPS = 1500;

/** The table that is open, as the line sees it: see play-hand.ts. */
export interface RethinkTable {
  readonly route: TableRoute;
  /** A message of the bot for its table. */
  take(message: Exclude<ToShard, { t: 'act' }>): void;
  act(socket: SocketId, message: ActionMessage): void;
  /** The bot has another socket. */
  attach(socket: SocketId): void;
}

/**
 * The bot's connection: the real gateway with one agent, and a lobby that seats the agent at each request. The player of
 * the hands gives the tables.
 */
export class BotLine {
  readonly agentId: string = randomUUID();
  readonly key = `ap_${randomBytes(24).toString('hex')}`;
  /** The frames of the tables, one table after the other. */
  readonly out = new Outbox();
  socket: SocketId = NO_SOCKET;
  table: RethinkTable | null = null;
  /** It waits in the lobby. */
  joined = false;
  /** The bot gives its seat up: it wants no more hands. */
  onLeave: () => void = () => undefined;
  #changed: (() => void)[] = [];
  readonly #gateway: Gateway;

  private constructor(readonly name: string) {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.#gateway = new Gateway(CONFIG, { log, installation: 'rethink' });
  }

  static async listen(name: string): Promise<BotLine> {
    const line = new BotLine(name);
    const upstream = {
      registry: line.#registry,
      link: () => line.#link,
      authenticate: () => Promise.resolve(null),
      known: (key: string) => key === line.key,
    };
    await line.#gateway.listen(upstream, []);
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#gateway.port}`;
  }

  async close(): Promise<void> {
    await this.#gateway.close();
  }

  /** Resolves when something of this object changes. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  send(message: ServerMessage): void {
    if (this.socket !== NO_SOCKET) this.#gateway.sockets.send(this.socket, message);
  }

  forward(bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void): void {
    this.#gateway.hub.forward(bytes, index, used);
  }

  /** The bot sits there now; null: it has no seat, and is to join again. */
  seated(table: RethinkTable | null): void {
    this.table = table;
    this.joined = false;
    if (this.socket !== NO_SOCKET) this.#gateway.sockets.route(this.socket, table?.route ?? null);
  }

  /** Has those who wait for a change look again. */
  touch(): void {
    for (const wake of this.#changed.splice(0)) wake();
  }

  readonly #registry: Registry = {
    opened: (socket, hello) => this.#opened(socket, hello),
    watching: (socket) => this.#gateway.sockets.refuse(socket, errorMessage('table_not_found'), CloseCode.notToWatch),
    message: (socket, _agentId, message) => this.#message(socket, message),
    mishap: () => undefined,
    closed: (socket) => {
      if (socket !== this.socket) return;
      this.socket = NO_SOCKET;
      this.joined = false;
      this.touch();
    },
  };

  readonly #link: ShardLink = {
    send: (message) => {
      if (message.t === 'leave') this.onLeave();
      else if (message.t === 'act') this.table?.act(message.socket, message.message);
      else this.table?.take(message);
    },
  };

  #opened(socket: SocketId, { apiKey }: Hello): void {
    const { sockets } = this.#gateway;
    if (apiKey !== this.key) return sockets.refuse(socket, errorMessage('auth_failed'), CloseCode.unauthorized);
    const before = this.socket;
    this.socket = socket;
    if (before !== NO_SOCKET) sockets.close(before, CloseCode.takenOver, CLOSE_REASONS[CloseCode.takenOver]);
    sockets.welcome(socket, { agentId: this.agentId, name: this.name }, this.table?.route ?? null);
    this.table?.attach(socket);
    this.touch();
  }

  /** Messages without a seat. */
  #message(socket: SocketId, message: ClientMessage): void {
    const { sockets } = this.#gateway;
    switch (message.type) {
      case 'join_lobby':
        sockets.send(socket, { type: 'lobby_joined', position: 1, estimated_wait: '~1s' });
        this.joined = true;
        return this.touch();
      case 'set_auto_rebuy':
        return sockets.send(socket, { type: 'auto_rebuy_set', enabled: message.enabled });
      case 'rebuy':
        return sockets.send(socket, { type: 'rebuy_confirmed', new_stack: 0, chip_balance: REBUY_CHIPS });
      case 'action':
        return sockets.send(socket, actionWithoutTable('not_at_table'));
      case 'resync_request':
        return sockets.send(socket, errorMessage('table_not_found'));
      case 'leave_table':
      case 'deal_nonce':
        return sockets.send(socket, errorMessage('not_at_table'));
    }
  }
}
