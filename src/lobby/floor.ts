import type { ServerMessage } from '../protocol/server.js';
import { NO_SOCKET } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { Floor, Scope } from './ports.js';
import type { PlayerChange } from './queue.js';
import type { SessionRegistry } from './registry.js';
import type { Lobby } from './lobby.js';
import type { TableDesk } from './table-desk.js';

/** What the lobby does for the features (see ports.ts). */
export class LobbyFloor implements Floor {
  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly sessions: SessionRegistry,
    private readonly tables: TableDesk,
  ) {}

  notify(agentId: string, message: ServerMessage, scope: Scope = null): boolean {
    const session = this.state.sessions.of(agentId);
    if (session?.scope !== scope) return false;
    this.state.options.sockets.send(session.socket, message);
    return true;
  }

  broadcast(message: ServerMessage): void {
    for (const { scope, socket } of this.state.sessions.all()) {
      if (scope === null) this.state.options.sockets.send(socket, message);
    }
  }

  disconnect(agentId: string): void {
    this.sessions.disconnect(agentId);
  }

  updatePlayer(agentId: string, { name, ...rest }: Pick<PlayerChange, 'name' | 'avatarUrl'>): void {
    const { sessions } = this.state;
    const change = name === undefined ? rest : { name, ...rest };
    const session = sessions.of(agentId);
    if (session !== undefined) {
      const { avatarUrl = session.identity.avatarUrl } = change;
      session.identity = { ...session.identity, name: name ?? session.identity.name, avatarUrl };
    }
    this.#updateSeat(agentId, (scope) => (scope === null ? change : rest));
  }

  updateEntry(agentId: string, change: Pick<PlayerChange, 'autoRebuy' | 'isPro'>, scope: Scope = null): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.session.scope === scope && waiter.entry !== null) {
      const { autoRebuy = waiter.entry.autoRebuy, isPro = waiter.entry.premium } = change;
      waiter.entry = { ...waiter.entry, autoRebuy, premium: isPro };
    }
    this.#updateSeat(agentId, (other) => (other === scope ? change : {}));
  }

  rebuyPending(tableId: string, agentId: string, pending: boolean): void {
    const table = this.state.tables.get(tableId);
    if (table === undefined) return;
    this.state.shards.send(table.shard, { t: 'rebuyPending', table: tableId, agentId, pending });
  }

  windDown(poolId: string): void {
    this.tables.windDown(poolId);
  }

  resumePool(poolId: string): void {
    this.tables.resume(poolId);
    this.lobby.opened(this.#scopeOf(poolId));
  }

  async closePool(poolId: string, reason: string, voidHands = true): Promise<void> {
    await this.tables.closePool(poolId, reason, voidHands);
    const scope = this.#scopeOf(poolId);
    if (scope !== null) this.lobby.opened(scope);
  }

  seasonOpened(): void {
    this.lobby.opened(null);
  }

  dismiss(agentId: string, competitionId: string): void {
    const { sessions, places, tables, shards } = this.state;
    if (sessions.of(agentId)?.scope === competitionId) this.sessions.dismiss(agentId);
    const place = places.seatOf(agentId);
    if (place === undefined || tables.get(place.table)?.scope !== competitionId) return;
    shards.send(place.shard, { t: 'leave', table: place.table, agentId, socket: NO_SOCKET });
  }

  /** Tells the seat that the agent has, or that it is about to have, what changes in the scope it is in. */
  #updateSeat(agentId: string, changeIn: (scope: Scope) => PlayerChange): void {
    const { queue, places, tables, shards } = this.state;
    const place = places.seatOf(agentId);
    const waiter = queue.of(agentId);
    const seat = place === undefined ? waiter?.session : tables.get(place.table);
    const change = changeIn(seat?.scope ?? null);
    if (Object.keys(change).length === 0) return;
    if (waiter !== undefined && waiter.sent !== null) waiter.changes = { ...waiter.changes, ...change };
    if (place !== undefined) shards.send(place.shard, { t: 'update', table: place.table, agentId, change });
  }

  #scopeOf(poolId: string): Scope {
    return this.state.options.rulesOf(poolId).scope;
  }
}
