import { LobbyFloor } from './floor.js';
import { House, type LobbyOptions } from './house.js';
import { Lobby } from './lobby.js';
import type { SeasonDesk } from './ports.js';
import { SessionRegistry } from './registry.js';
import { Seating } from './seating.js';
import { TableDesk } from './table-desk.js';
import { LobbyViews } from './views.js';

/** The lobby: the registry of sessions and seats, match-making, and its views. Set the season desk before use. */
export function createLobby(options: LobbyOptions) {
  const house = new House(options);
  const seating = new Seating(house);
  const lobby = new Lobby(house, seating);
  const tables = new TableDesk(house, lobby, seating);
  const registry = new SessionRegistry(house, lobby, tables);
  return {
    /** For the gateway. */
    registry,
    /** For the features. */
    floor: new LobbyFloor(house, lobby, registry, tables),
    /** For REST and metrics. */
    views: new LobbyViews(house),
    /** For the shard pool: messages and the life of the threads. */
    shards: tables,
    /** Before the shards drain: match-making stops. */
    drain(): void {
      seating.drain();
    },
    setDesk(desk: SeasonDesk): void {
      house.desk = desk;
    },
  };
}

export type { LobbyLog, LobbyOptions } from './house.js';
export { SEASON_BUY_IN, type BuyInRules } from './buy-in.js';
export { mailbox } from './owners.js';
export { systemClock } from './clock.js';
export { tableRoutes } from './routes.js';
export type { LobbyViews } from './views.js';
export type * from './ports.js';
