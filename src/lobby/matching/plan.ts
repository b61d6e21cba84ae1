import type { Pace } from '../../table/seats/pace.js';

/** The input and the output of match-making. */

export interface WaitingPlayer {
  agentId: string;
  /** Rises with the time of joining; a player sent back to the queue keeps its number. */
  arrival: number;
  /** Since when it may be seated (ms). */
  since: number;
  /** How fast it decides; null: not known, or of no matter. */
  pace: Pace | null;
  pro: boolean;
  house: boolean;
  /** Keys of its owner: two agents that share one belong together. Empty for house bots. */
  owner: readonly string[];
}

export interface SeatedPlayer {
  agentId: string;
  house: boolean;
  connected: boolean;
  owner: readonly string[];
  pace: Pace | null;
  /** It may be parted from players of another pace. */
  parts: boolean;
}

export interface OpenTable {
  tableId: string;
  shard: number;
  seats: number;
  /** Players here or on the way to a seat. `leaving` counts those that give up their seats. */
  players: readonly SeatedPlayer[];
  leaving: number;
  /** A hand is running. */
  inHand: boolean;
  /** Seats that nobody holds or is on the way to. */
  free: number;
}

export interface MatchRules {
  seats: number;
  graceMs: number;
  separateOwners: boolean;
  /** Hands are compared between tables: these are to be of one size. */
  even?: boolean;
}

/** The memory between two runs: the start (ms) of each grace. */
export interface Graces {
  /** By table: since when a single connected player is left on it. */
  alone: ReadonlyMap<string, number>;
  /** Since when two short tables would fit one. */
  fit: number | null;
}

export const NO_GRACES: Graces = { alone: new Map(), fit: null };

export interface MatchSituation {
  now: number;
  waiting: readonly WaitingPlayer[];
  /** Tables that take players: none that is closing, draining or not yet open. */
  tables: readonly OpenTable[];
  /** Seats that will be free at tables that are about to open: nobody can be sent there before. */
  opening: number;
  /** Players of tables that are closing: they are about to come to the lobby. */
  returning: number;
  /** Shards that can take a new table, with their players. */
  shards: readonly { shard: number; players: number }[];
  graces: Graces;
}

export interface Plan {
  sit: { agentId: string; tableId: string }[];
  open: { shard: number; agentIds: string[] }[];
  /** Tables to close once their hand is over: the lone player's, and those merged into another. */
  close: string[];
  /** Players who are alone with held seats, to be sent table_closed: it lives on for those. */
  move: { agentId: string; tableId: string }[];
  /** Players who go where others of their pace are, once their hand is over. */
  part: { agentId: string; tableId: string }[];
  /** House bots that give their seat up for the next real player. */
  retire: { agentId: string; tableId: string }[];
  graces: Graces;
  /** When to run again though nothing happened, in ms; Infinity when there is no need. */
  wakeAt: number;
}
