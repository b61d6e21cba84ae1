import { ClosingPools } from './closing-pools.js';
import { LobbyController } from './controller.js';
import { LobbyState, type LobbyOptions, type LobbyUpstream } from './state.js';
import { HandOvers } from './hand-overs.js';
import { Lobby } from './lobby.js';
import type { Registry } from '../gateway/ports.js';
import { mishapOfEnd } from '../protocol/mishap.js';
import { AgentRegistry } from './agent-registry.js';
import { Matchmaking } from './matchmaking.js';
import { TableMessages } from './table-messages.js';
import { LobbyViews } from './views.js';
import { Watching } from './watching.js';
import { RelayedPlayers } from './relayed-players.js';
import { playersByPool } from './matching/situation.js';
import type { TableOpening } from '../table/api.js';

/** The lobby: the registry of agents and seats, match-making, and its views. The features stand on it; then it opens. */
export function createLobby(options: LobbyOptions) {
  const state = new LobbyState(options);
  const matchmaking = new Matchmaking(state);
  const lobby = new Lobby(state, matchmaking);
  const pools = new ClosingPools(state, matchmaking);
  const relayed = new RelayedPlayers(state, matchmaking);
  const watching = new Watching(state, options.watching ?? { perAddress: Infinity, inAll: Infinity });
  const tables = new TableMessages(state, lobby, matchmaking, pools, {
    reopened: (table) => relayed.reopened(table),
    gone: (tableId) => watching.tableGone(tableId),
    rebuy: (agent, requestId) => registry.rebuy(agent, requestId),
  });
  const registry: AgentRegistry = new AgentRegistry(state, lobby, tables, new HandOvers(state, matchmaking));
  return {
    /** For the features. */
    control: new LobbyController(state, lobby, registry, pools),
    /** For REST and metrics. */
    views: new LobbyViews(state),
    /** For the shard pool: messages and the life of the threads. */
    shards: tables,
    /** For the other nodes of a cluster. */
    node: {
      /** Whether the lobby has anything of the agent: a session, a seat, a buy-in under way, an unsettled bust. */
      has: (agentId: string): boolean =>
        state.agents.of(agentId) !== undefined ||
        state.directory.seatOf(agentId) !== undefined ||
        state.queue.of(agentId) !== undefined ||
        state.busts.has(agentId),
      /** Players at the tables of a shard. */
      playersOn: (shard: number): number =>
        state.tables
          .all()
          .filter((table) => table.shard === shard)
          .reduce((sum, { occupants, incoming }) => sum + occupants.size + incoming.size, 0),
      /** Shards that play. */
      shardsUp: (): readonly number[] => state.shards.up,
      /** Players that sit or wait, by pool. */
      players: (): Map<string, number> => playersByPool(state),
      /** These tables of an ended node are on this shard now. */
      adopt: (shard: number, openings: readonly TableOpening[]) => tables.adopt(shard, openings),
      /** The nodes of waiting joins may have changed. */
      placesChanged: () => matchmaking.touch(),
      /** Sends relayed players to their own nodes where they find company there (docs/explanation/cluster.md). */
      lookAfterRelayed: () => relayed.look(),
    },
    /** Before the shards drain: match-making stops. */
    drain(): void {
      matchmaking.drain();
    },
    /** With the features that it asks. Returns what the gateway tells of its sockets. */
    open(upstream: LobbyUpstream): Registry {
      state.open(upstream);
      return {
        opened: (socket, hello) => registry.opened(socket, hello),
        watching: (socket, hello) => watching.opened(socket, hello),
        message: (socket, agentId, message) => registry.message(socket, agentId, message),
        mishap: (agentId, mishap) => state.note(agentId, mishap),
        closed: (socket, agentId, end) => {
          if (agentId !== null) state.note(agentId, mishapOfEnd(end));
          if (!watching.closed(socket)) registry.closed(socket);
        },
      };
    },
  };
}

export type { LobbyLog, LobbyOptions } from './state.js';
export { audienceOf, isShown, isShownLive, type Audience } from './audience.js';
export { SEASON_BUY_IN, type BuyInRules } from './buy-in.js';
export { mailbox, publicAddress } from './owners.js';
export { clockOf, stoppableClock, systemClock } from './clock.js';
export { houseAudience } from './table-rules.js';
export { mishapRoutes, tableRoutes } from './routes.js';
export type { LobbyViews } from './views.js';
export type * from './ports.js';
