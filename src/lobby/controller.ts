import type { ServerMessage } from '../protocol/server.js';
import type { LobbyState } from './state.js';
import type { LobbyControl, Scope } from './ports.js';
import type { PlayerChange } from './queue.js';
import type { AgentRegistry } from './agent-registry.js';
import type { Lobby } from './lobby.js';
import type { ClosingPools } from './closing-pools.js';

/** The lobby's services for the features (see ports.ts). */
export class LobbyController implements LobbyControl {
  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly agents: AgentRegistry,
    private readonly pools: ClosingPools,
  ) {}

  notify(agentId: string, message: ServerMessage, scope: Scope = null): boolean {
    const agent = this.state.agents.of(agentId);
    if (agent?.scope !== scope) return false;
    this.state.options.sockets.send(agent.socket, message);
    return true;
  }

  broadcast(message: ServerMessage): void {
    for (const { socket } of this.state.agents.all()) this.state.options.sockets.send(socket, message);
  }

  disconnect(agentId: string): void {
    this.agents.disconnect(agentId);
  }

  updatePlayer(
    agentId: string,
    { name, ...rest }: Pick<PlayerChange, 'name' | 'avatarUrl' | 'publicProfileSlug'>,
  ): void {
    const { agents } = this.state;
    const change = name === undefined ? rest : { name, ...rest };
    const agent = agents.of(agentId);
    if (agent !== undefined) {
      agent.identity = { ...agent.identity, ...change };
    }
    this.#updateSeat(agentId, (scope) => (scope === null ? change : rest));
  }

  updateEntry(agentId: string, change: Pick<PlayerChange, 'autoRebuy' | 'isPro'>, scope: Scope = null): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.agent.scope === scope && waiter.entry !== null) {
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
    this.pools.windDown(poolId);
  }

  resumePool(poolId: string): void {
    this.pools.resume(poolId);
    this.lobby.opened(this.#scopeOf(poolId));
  }

  async closePool(poolId: string, reason: string, voidHands = true): Promise<void> {
    await this.pools.close(poolId, reason, voidHands);
    const scope = this.#scopeOf(poolId);
    if (scope !== null) this.lobby.opened(scope);
  }

  seasonOpened(): void {
    this.lobby.opened(null);
  }

  dismiss(agentId: string, competitionId: string): void {
    const { agents, directory, tables } = this.state;
    if (agents.of(agentId)?.scope === competitionId) this.agents.dismiss(agentId);
    const seatRoute = directory.seatOf(agentId);
    if (seatRoute === undefined || tables.get(seatRoute.table)?.scope !== competitionId) return;
    this.state.giveUpSeat(agentId);
  }

  /** Tells the seat that the agent has, or that it is about to have, what changes in the scope it is in. */
  #updateSeat(agentId: string, changeIn: (scope: Scope) => PlayerChange): void {
    const { queue, directory, tables, shards } = this.state;
    const seatRoute = directory.seatOf(agentId);
    const waiter = queue.of(agentId);
    const seat = seatRoute === undefined ? waiter?.agent : tables.get(seatRoute.table);
    const change = changeIn(seat?.scope ?? null);
    if (Object.keys(change).length === 0) return;
    if (waiter !== undefined && waiter.sent !== null) waiter.changes = { ...waiter.changes, ...change };
    if (seatRoute !== undefined) shards.send(seatRoute.shard, { t: 'update', table: seatRoute.table, agentId, change });
  }

  #scopeOf(poolId: string): Scope {
    return this.state.options.rulesOf(poolId).scope;
  }
}
