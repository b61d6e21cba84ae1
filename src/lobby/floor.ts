import type { ServerMessage } from '../protocol/server.js';
import type { LobbyState } from './state.js';
import type { Floor } from './ports.js';
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

  notify(agentId: string, message: ServerMessage): boolean {
    const session = this.state.sessions.of(agentId);
    if (session === undefined) return false;
    this.state.options.sockets.send(session.socket, message);
    return true;
  }

  broadcast(message: ServerMessage): void {
    for (const session of this.state.sessions.all()) this.state.options.sockets.send(session.socket, message);
  }

  disconnect(agentId: string): void {
    this.sessions.disconnect(agentId);
  }

  updatePlayer(agentId: string, change: PlayerChange): void {
    const { sessions, queue, places, shards } = this.state;
    const session = sessions.of(agentId);
    if (session !== undefined) {
      const { name = session.identity.name, avatarUrl = session.identity.avatarUrl } = change;
      session.identity = { ...session.identity, name, avatarUrl };
    }
    const waiter = queue.of(agentId);
    if (waiter !== undefined) {
      const { entry } = waiter;
      if (entry !== null) {
        const { autoRebuy = entry.autoRebuy, isPro = entry.premium } = change;
        waiter.entry = { ...entry, autoRebuy, premium: isPro };
      }
      if (waiter.sent !== null) waiter.changes = { ...waiter.changes, ...change };
    }
    const place = places.seatOf(agentId);
    if (place !== undefined) shards.send(place.shard, { t: 'update', table: place.table, agentId, change });
  }

  rebuyPending(tableId: string, agentId: string, pending: boolean): void {
    const table = this.state.tables.get(tableId);
    if (table === undefined) return;
    this.state.shards.send(table.shard, { t: 'rebuyPending', table: tableId, agentId, pending });
  }

  windDown(poolId: string): void {
    this.tables.windDown(poolId);
  }

  closePool(poolId: string, reason: string): Promise<void> {
    return this.tables.closePool(poolId, reason);
  }

  seasonOpened(): void {
    this.lobby.seasonOpened();
  }
}
