/** What a table tells of itself to those that do not play it. */

/** What lobby and GET /tables know of a table: the last sent state. */
export interface TableSummary {
  tableId: string;
  poolId: string;
  seats: number;
  smallBlind: number;
  bigBlind: number;
  handNumber: number;
  /** Taken seats, those being given up included. */
  occupied: number;
  /** A hand is running or its result is being stored. */
  inHand: boolean;
  /** True once no newcomer may sit down (closing or draining). */
  closing: boolean;
  players: SummaryPlayer[];
}

export interface SummaryPlayer {
  agentId: string;
  seat: number;
  isHouse: boolean;
  connected: boolean;
  leaving: boolean;
  /** How long each of its decisions since the summary before took, up to LONGEST_COUNTED_MS. */
  decisionsMs: readonly number[];
  /** What is left of its time bank. */
  bankMs: number;
}

/** A seat as its table has it, also one that is being given up: its `left` follows, or it goes with the table. */
export interface ReportedSeat {
  agentId: string;
  /** The name of the stay. */
  sitting: string;
  seat: number;
  isHouse: boolean;
  /** A SocketId; NO_SOCKET: disconnected. */
  socket: number;
  leaving: boolean;
}

/** A buy-in under way: `sat` or `sitFailed` with this ticket follows. */
export interface ReportedBuyIn {
  ticket: number;
  agentId: string;
  isHouse: boolean;
  socket: number;
}

/** What a lobby that begins while the table is played needs to know of it. */
export interface TableReport {
  tableId: string;
  poolId: string;
  seats: ReportedSeat[];
  buyIns: ReportedBuyIn[];
  /** Null where there is no table at present: it is being opened, or opened again. */
  summary: TableSummary | null;
  /** Not yet stored, or not yet this shard's: `opened`, or `adopted`, follows. */
  opening: boolean;
  /** It was asked to close, and does when its hand is over. */
  closing: boolean;
  /** No hand begins: it was asked to move. */
  resting: boolean;
  /** Agents that busted here and wait for their rebuy. */
  rebuysPending: string[];
}
