/** The rows that the simulated database keeps: the columns of sql/001_core.sql that statements read. Times in epoch ms. */

export interface Agent {
  agentId: string;
  email: string;
  name: string;
  avatarUrl: string | null;
  slug: string | null;
  isHouse: boolean;
  isPlatform: boolean;
  emailVerified: boolean;
  banned: boolean;
  /** SHA-256 of the key, hex. */
  keyHash: string;
}

export interface Season {
  seasonId: string;
  number: number;
  status: 'active' | 'ended';
  start: number;
  end: number;
}

export interface Entry {
  poolId: string;
  agentId: string;
  chipBalance: number;
  chipsAtTable: number;
  tableId: string | null;
  seatNo: number | null;
  sitting: string | null;
  rebuys: number;
  lastRebuyAt: number | null;
  rebuyDueAt: number | null;
  autoRebuy: boolean;
  premium: boolean;
  handsPlayed: number;
  handsWon: number;
  registeredAt: number;
}

export interface LedgerRow {
  poolId: string;
  agentId: string;
  type: 'grant' | 'rebuy' | 'buy_in' | 'cash_out' | 'skim';
  amount: number;
  balanceAfter: number;
  sitting: string | null;
}

export interface TableRow {
  tableId: string;
  poolId: string;
  shardNo: number;
  status: 'open' | 'closed';
  handNumber: number;
  button: number;
  bigBlindSeat: number;
  seqReserved: number;
}
