import type { ServerMessage } from '../protocol/server.js';
import type { SentErrorCode } from '../protocol/codes.js';
import type { ToFront } from '../shard/messages.js';
import type { Player } from '../table/api.js';

/**
 * What the lobby needs of the features above it, and what it gives them. main.ts hands it their implementations; the
 * lobby itself knows no feature.
 */

/** An agent as its API key tells. */
export interface Identity {
  agentId: string;
  name: string;
  email: string;
  avatarUrl: string | null;
  publicProfileSlug: string | null;
  isHouse: boolean;
}

export interface Authentication {
  /** The agent that holds the key, or null for an unknown key or a banned agent. */
  authenticate(apiKey: string): Promise<Identity | null>;
}

/** An agent's part in a pool, as far as sitting down needs it. Chips whole. */
export interface PoolEntry {
  poolId: string;
  chipBalance: number;
  autoRebuy: boolean;
  premium: boolean;
}

export type Entrance =
  | { kind: 'entered'; entry: PoolEntry }
  /** The season winds down: wait for the next one, which `seasonOpened` announces. */
  | { kind: 'next_season' }
  | { kind: 'refused'; code: 'no_active_season' | 'season_error' };

/** A stay at a table ended. */
export type Left = Extract<ToFront, { t: 'left' }>;

export interface SeasonDesk {
  /** The agent's entry in the current season; registers it where there is none. */
  enter(agentId: string): Promise<Entrance>;
  /** Answer to `rebuy` of an agent without a seat. */
  rebuy(agentId: string): Promise<ServerMessage>;
  /** Answer to `set_auto_rebuy`, and what follows from it (a lapsed or a new rebuy), in this order. */
  setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]>;
  /** A player lost its stack: tells it what comes next. Resolves when that is told; never rejects. */
  busted(left: Left): Promise<void>;
  /** A shard came back: busts that its end swallowed are to be settled. Never throws. */
  shardRecovered(): void;
}

/** What the lobby does for the features. */
export interface Floor {
  /** Sends to the agent's present socket; false when it has none. */
  notify(agentId: string, message: ServerMessage): boolean;
  /** Sends to everybody who is connected. */
  broadcast(message: ServerMessage): void;
  /** Ends the agent's session: a regenerated key or a ban. */
  disconnect(agentId: string): void;
  /** Changed preferences or profile, told to session, lobby and table. */
  updatePlayer(agentId: string, change: Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl'>>): void;
  /** An agent that busted at this table waits for its rebuy, or no longer. */
  rebuyPending(tableId: string, agentId: string, pending: boolean): void;
  /** No new hands and no new players on the pool's tables; seats stay. */
  windDown(poolId: string): void;
  /** Closes the pool's tables, stacks go back to the balances. Resolves when all are closed. */
  closePool(poolId: string, reason: string): Promise<void>;
  /** A season is open (again): those who wait for it are entered. */
  seasonOpened(): void;
}

/** Error codes that need no more than the code. */
export type PlainCode = Exclude<SentErrorCode, 'already_seated' | 'rebuy_cooldown'>;

/** Time as the lobby and the features use it; tests bring a virtual one. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Runs once after so many ms; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
  /** Runs once at the end of this turn of the event loop. */
  soon(run: () => void): void;
}
