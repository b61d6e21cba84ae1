import type { ServerMessage } from '../protocol/server.js';
import type { SentErrorCode } from '../protocol/codes.js';
import type { FromShard } from '../shard/messages.js';
import type { CredentialHash } from '../gateway/ports.js';
import type { Player, TableRules } from '../table/api.js';
import type { Audience } from './audience.js';
import type { BuyInRules } from './buy-in.js';

/**
 * The lobby's needs and services for the features. src/platform/ passes the implementations; the lobby knows no
 * feature.
 */

/** An agent as its API key tells. */
export interface Identity {
  agentId: string;
  name: string;
  email: string;
  avatarUrl: string | null;
  publicProfileSlug: string | null;
  isHouse: boolean;
  /** Absent: the agent may stay. */
  lease?: SessionLease;
}

/** For how long an agent may stay connected by what it showed when it connected. */
export interface SessionLease {
  readonly over: boolean;
  /** Called once, when it is over; until the returned function is called. */
  onOver(listener: () => void): () => void;
}

/** An API key or bot token: as the client showed it, or as another node of the cluster was shown it. */
export type Credential = { secret: string } | CredentialHash;

export interface Authentication {
  /**
   * Resolves to the agent with this API key or bot token. Resolves to null for an unknown key or a banned agent, and to
   * `expired` for a bot token after its end. `ip` is the client's address.
   */
  authenticate(credential: Credential, ip: string): Promise<Identity | 'expired' | null>;
}

/** Authentication of spectators. */
export interface Viewers {
  /**
   * Resolves to the agent of the key or sign-in session in a socket's headers; null without either. Rejects with
   * HttpError for a bad one, or for a page of another origin.
   */
  agentOf(headers: Readonly<Record<string, string>>, ip: string): Promise<string | null>;
  /** Whether the agent takes part in the competition (or did), or organizes it. */
  takesPart(agentId: string, competitionId: string): Promise<boolean>;
}

/** Notes the versions that bots tell. */
export interface VersionKeeper {
  /** The agent joins the lobby with this version; null: it told none. */
  joined(agentId: string, version: string | null): Promise<void>;
}

/** A session plays the competition with that id, or the season (null). */
export type Scope = string | null;

/** How a pool is played. */
export interface PoolRules {
  scope: Scope;
  table: TableRules;
  buyIn: BuyInRules;
  audience: Audience;
}

/** An agent's part in a pool, as far as sitting down needs it. Chips whole. */
export interface PoolEntry {
  poolId: string;
  chipBalance: number;
  autoRebuy: boolean;
  premium: boolean;
  /** Shown in place of the agent's name. */
  displayName?: string;
}

export type Entrance =
  | { kind: 'entered'; entry: PoolEntry }
  /** Nobody sits down at present (the season winds down, the competition has not begun or pauses): wait till it opens. */
  | { kind: 'not_open' }
  | {
      kind: 'refused';
      code: 'no_active_season' | 'season_error' | 'not_registered_for_season';
      /** In place of the code's own text. */
      message?: string;
    };

/** A stay at a table ended. */
export type Left = Extract<FromShard, { t: 'left' }>;

/** A scope as the lobby meets it: entries and rebuys. */
export interface ScopePlay {
  /** The agent's entry in the pool of this scope. The season registers it where there is none. */
  enter(agentId: string): Promise<Entrance>;
  /** Answer to `rebuy` of an agent without a seat. One with the id of a rebuy that was granted is that one again. */
  rebuy(agentId: string, requestId: string | null): Promise<ServerMessage>;
  /** Answer to `set_auto_rebuy`, and what follows from it (a lapsed or a new rebuy), in this order. */
  setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]>;
  /** A player lost its stack: sends it what comes next. Resolves when that is sent; never rejects. */
  busted(left: Left): Promise<void>;
  /**
   * The agent lost its seat, and nobody knows how: if that was a bust, the same follows. It is known to have been sent
   * nothing of the kind.
   */
  seatLost(agentId: string): Promise<void>;
}

export interface SeasonScope extends ScopePlay {
  /** A shard came back: busts that its end swallowed are to be settled. Never throws. */
  shardRecovered(): void;
}

export interface CompetitionScopes {
  /** Whether the agent may connect to the competition. The id is whatever the client wrote. */
  admit(agentId: string, competitionId: string): Promise<'ok' | 'not_participant'>;
  of(competitionId: string): ScopePlay;
  /** See SeasonScope. */
  shardRecovered(): void;
}

export interface Scopes {
  season: SeasonScope;
  competitions: CompetitionScopes;
}

/** The lobby's services for the features. */
export interface LobbyControl {
  /** Sends to the agent's present socket; false when it has none, or not in this scope (by default the season). */
  notify(agentId: string, message: ServerMessage, scope?: Scope): boolean;
  /** Sends to everybody who is connected, whatever they play. */
  broadcast(message: ServerMessage): void;
  /** Ends the agent's session: a regenerated key or a ban. */
  disconnect(agentId: string): void;
  /** A changed profile, passed to session, lobby and table. In a competition a name changes with the next seat. */
  updatePlayer(agentId: string, change: Partial<Pick<Player, 'name' | 'avatarUrl' | 'publicProfileSlug'>>): void;
  /** A change of the agent's entry in a scope. Lobby and table get it if the agent plays there. */
  updateEntry(agentId: string, change: Partial<Pick<Player, 'autoRebuy' | 'isPro'>>, scope?: Scope): void;
  /** An agent that busted at this table waits for its rebuy, or no longer. */
  rebuyPending(tableId: string, agentId: string, pending: boolean): void;
  /** No new hands and no new players on the pool's tables; seats stay. */
  windDown(poolId: string): void;
  /** The pool is open, or again after a windDown: hands go on, and those who wait for it are entered. */
  resumePool(poolId: string): void;
  /**
   * Closes the pool's tables for good, stacks go back to the balances. `voidHands` (the default): hands in progress do
   * not count, else they are played out; a second call may hurry the first. Resolves when all are closed; of a
   * competition those who wait there are entered then, or turned away.
   */
  closePool(poolId: string, reason: string, voidHands?: boolean): Promise<void>;
  /** A season is open: those who wait for it are entered. */
  seasonOpened(): void;
  /** The agent has no part in the competition any more: its session there ends (4001), its seat is given up. */
  dismiss(agentId: string, competitionId: string): void;
}

/** Error codes that need no more than the code. */
export type PlainCode = Exclude<SentErrorCode, 'already_seated' | 'rebuy_cooldown'>;

/** Time as the lobby and the features use it; tests bring a virtual one. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Whether what cannot be undone may be done because of a date. */
  readonly certain: boolean;
  /** Runs once after so many ms; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
  /** Runs once at a date (epoch ms), or as soon as the clock is certain after it; the returned function cancels. */
  at(time: number, run: () => void): () => void;
  /** Runs once at the end of this turn of the event loop. */
  soon(run: () => void): void;
}

/** A join that waits, as far as the choice of its node needs it. */
export interface WaitingPlace {
  poolId: string;
  /** The pool's players meet at one node whatever their number: its tables are even, or the player is a house bot. */
  gathers: boolean;
  /** The node of the agent's socket. */
  edge: string;
  /** Another node sent it here. */
  handedOver: boolean;
  /** How long it has waited, in ms. */
  waitedMs: number;
}

/** Where a join waits: here (for some ms at most, where that is said), or at another node; or it is not known yet. */
export type JoinPlace = { at: 'here'; forMs?: number } | { at: 'unknown' } | { at: 'node'; node: string };

/** The other nodes of a cluster (src/cluster). A process alone has none. */
export interface OtherNodes {
  /** This node. */
  readonly nodeId: string;
  /** The agent's home; null: this node, from now on where no other is. Rejects where the database is away. */
  homeOf(agentId: string): Promise<string | null>;
  /** Makes another node the agent's home; false where this node no longer is. Rejects where the database is away. */
  give(agentId: string, node: string): Promise<boolean>;
  placeOf(join: WaitingPlace): JoinPlace;
  /** The node of an open table; null: this one, or there is no such table. */
  nodeOfTable(tableId: string): Promise<string | null>;
  /** The agent's seat by its row, at any node; null without one. */
  seatOf(agentId: string): Promise<SeatElsewhere | null>;
  /**
   * A view of an open table of another node, as JSON text; null: there is no such table for spectators. Rejects where
   * that node is away.
   */
  tableView(asked: TableView): Promise<string | null>;
  /** Open tables of other nodes, as of a second ago at most. */
  tables(): Promise<readonly TableElsewhere[]>;
}

/** A spectator's view of a table: its public state, or a resync_response for an agent without a seat there. */
export interface TableView {
  tableId: string;
  resync: { agentId: string; lastTableSeq: number | null } | null;
}

/** A seat by its row. */
export interface SeatElsewhere {
  tableId: string;
  poolId: string;
  seat: number;
}

/** An open table of another node, by its row. */
export interface TableElsewhere {
  tableId: string;
  poolId: string;
  handNumber: number;
  players: number;
}

/** Sockets that may watch tables: from one address, and in all. */
export interface WatchLimits {
  perAddress: number;
  inAll: number;
}
