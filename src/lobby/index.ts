import { LobbyFloor } from './floor.js';
import { LobbyState, type LobbyOptions } from './state.js';
import { Lobby } from './lobby.js';
import type { Desks } from './ports.js';
import { SessionRegistry } from './registry.js';
import { Seating } from './seating.js';
import { TableDesk } from './table-desk.js';
import { LobbyViews } from './views.js';

/** The lobby: the registry of sessions and seats, match-making, and its views. Set the desks before use. */
export function createLobby(options: LobbyOptions) {
  const state = new LobbyState(options);
  const seating = new Seating(state);
  const lobby = new Lobby(state, seating);
  const tables = new TableDesk(state, lobby, seating);
  const registry = new SessionRegistry(state, lobby, tables);
  return {
    /** For the gateway. */
    registry,
    /** For the features. */
    floor: new LobbyFloor(state, lobby, registry, tables),
    /** For REST and metrics. */
    views: new LobbyViews(state),
    /** For the shard pool: messages and the life of the threads. */
    shards: tables,
    /** Before the shards drain: match-making stops. */
    drain(): void {
      seating.drain();
    },
    setDesks(desks: Desks): void {
      state.desks = desks;
    },
  };
}

export type { LobbyLog, LobbyOptions } from './state.js';
export { SEASON_BUY_IN, type BuyInRules } from './buy-in.js';
export { mailbox } from './owners.js';
export { systemClock } from './clock.js';
export { tableRoutes } from './routes.js';
export type { LobbyViews } from './views.js';
export type * from './ports.js';
