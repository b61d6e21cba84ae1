import type { WatchHello } from '../gateway/ports.js';
import { ipLimitKey } from '../gateway/ip.js';
import { CLOSE_REASONS, CloseCode, ERROR_MESSAGES, NOT_LOOKED_UP } from '../protocol/codes.js';
import { HttpError } from '../protocol/rest/errors.js';
import type { SocketId } from '../table/api.js';
import { isShown } from './audience.js';
import type { WatchLimits } from './ports.js';
import type { LobbyState } from './state.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TOO_MANY = 'Too many sockets watch tables; close one, or come again later';

/** Spectators by table: admission, limits, and the end of the table. */
export class Watching {
  readonly #watchers = new Map<SocketId, { address: string; table: string }>();
  /** By address (an IPv6 /48 is one), the oldest first. */
  readonly #byAddress = new Map<string, Set<SocketId>>();
  readonly #byTable = new Map<string, Set<SocketId>>();

  constructor(
    private readonly state: LobbyState,
    private readonly limits: WatchLimits,
  ) {}

  opened(socket: SocketId, hello: WatchHello): void {
    const address = ipLimitKey(hello.ip);
    const own = this.#byAddress.get(address) ?? new Set();
    if (own.size >= this.limits.perAddress || !this.#hasRoom(own.size)) return this.#refuseMany(socket);
    // As the ids of all tables are written.
    const table = hello.tableId.toLowerCase();
    this.#watchers.set(socket, { address, table });
    this.#byAddress.set(address, own.add(socket));
    this.#byTable.set(table, (this.#byTable.get(table) ?? new Set()).add(socket));
    void this.#admit(socket, table, hello);
  }

  /** False for a socket that does not watch. */
  closed(socket: SocketId): boolean {
    const watcher = this.#watchers.get(socket);
    if (watcher === undefined) return false;
    const { address, table } = watcher;
    this.#watchers.delete(socket);
    const own = this.#byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) this.#byAddress.delete(address);
    const others = this.#byTable.get(table);
    others?.delete(socket);
    if (others?.size === 0) this.#byTable.delete(table);
    return true;
  }

  /**
   * Whether one more may watch from an address with so many. Where all places are taken, the address with the most gives
   * its oldest up, unless the newcomer's would then have as many.
   */
  #hasRoom(own: number): boolean {
    if (this.#watchers.size < this.limits.inAll) return true;
    let fullest = new Set<SocketId>();
    for (const sockets of this.#byAddress.values()) if (sockets.size > fullest.size) fullest = sockets;
    const [oldest] = fullest;
    if (oldest === undefined || fullest.size <= own + 1) return false;
    this.closed(oldest);
    this.#refuseMany(oldest);
    return true;
  }

  #refuseMany(socket: SocketId): void {
    this.#refuse(socket, 'rate_limited', TOO_MANY, CloseCode.tooManyWatch);
  }

  /** Those who have not read its end by then go. */
  tableGone(table: string): void {
    const code = CloseCode.tableClosed;
    for (const socket of this.#byTable.get(table) ?? []) {
      this.state.options.sockets.close(socket, code, CLOSE_REASONS[code]);
    }
  }

  /** How many watch a table. */
  of(table: string): number {
    return this.#byTable.get(table)?.size ?? 0;
  }

  async #admit(socket: SocketId, tableId: string, { headers, ip, viewer }: WatchHello): Promise<void> {
    const { options } = this.state;
    try {
      // The edge node has already looked up the viewer of a relayed socket.
      const agentId =
        viewer === undefined ? ((await this.state.viewers?.agentOf(headers, ip)) ?? null) : viewer.agentId;
      if (viewer === undefined && (await this.#isElsewhere(socket, tableId, agentId))) return;
      const shown = await this.#isShown(tableId, agentId);
      if (!this.#watchers.has(socket)) return;
      const table = this.state.tables.get(tableId);
      if (!shown || table === undefined) {
        return this.#refuse(socket, 'table_not_found', ERROR_MESSAGES.table_not_found, CloseCode.notToWatch);
      }
      const sits = agentId !== null && this.state.directory.seatOf(agentId)?.table === tableId;
      options.sockets.watch(socket, { shard: table.shard, table: tableId, agentId: sits ? agentId : null });
    } catch (error) {
      if (error instanceof HttpError) {
        if (error.status >= 500) return this.#sendAway(socket);
        const code = error.status === 429 ? CloseCode.tooManyWatch : CloseCode.unauthorized;
        const said = error.status === 429 ? 'rate_limited' : 'auth_failed';
        return this.#refuse(socket, said, String(error.detail), code);
      }
      options.log.error({ err: error }, 'admission of a spectator failed');
      this.#sendAway(socket);
    }
  }

  /** Whether the socket goes to the node of its table. */
  async #isElsewhere(socket: SocketId, tableId: string, agentId: string | null): Promise<boolean> {
    const { tables, options } = this.state;
    const { others, sockets } = options;
    if (others === undefined || tables.get(tableId) !== undefined || !UUID.test(tableId)) return false;
    const node = await others.nodeOfTable(tableId);
    if (node === null) return false;
    if (this.#watchers.has(socket)) {
      this.closed(socket);
      sockets.relayWatch(socket, node, { agentId });
    }
    return true;
  }

  /** Not the client's fault: it comes again. */
  #sendAway(socket: SocketId): void {
    this.state.options.sockets.close(socket, CloseCode.tooSlow, NOT_LOOKED_UP);
  }

  /** A seated agent may always watch: it sees the table anyhow. */
  async #isShown(tableId: string, agentId: string | null): Promise<boolean> {
    const table = this.state.tables.get(tableId);
    if (table === undefined || table.state === 'opening') return false;
    if (agentId !== null && this.state.directory.seatOf(agentId)?.table === tableId) return true;
    const { audience } = this.state.options.rulesOf(table.poolId);
    if (isShown(audience, false)) return true;
    if (agentId === null || table.scope === null || !isShown(audience, true)) return false;
    return (await this.state.viewers?.takesPart(agentId, table.scope)) === true;
  }

  #refuse(socket: SocketId, code: string, message: string, closeCode: CloseCode): void {
    this.state.options.sockets.refuse(socket, { code, message }, closeCode);
  }
}
