/** The last sent state, for the lobby and GET /tables. */
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
  /** The ms left in its time bank. */
  bankMs: number;
}
