/** The rows that the simulated database keeps: the columns of sql/ that statements read. Times in epoch ms. */

import type { PoolPhase } from '../../../src/store/pool-phase.js';
import type { BlindDebt } from '../../../src/table/seats/blinds.js';

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
  phase: PoolPhase;
  start: number;
  end: number;
  /** With what its end was reckoned, and when that was. */
  ending: { at: number; prizePoolCents: number; rebuyPenalty: number } | null;
  remindedAt: number | null;
}

/** A row of a frozen leaderboard. */
export interface Standing {
  seasonId: string;
  rank: number;
  agentId: string;
  botName: string;
  score: number;
  chipBalance: number;
  rebuys: number;
  handsPlayed: number;
  handsWon: number;
  badge: 'gold' | 'silver' | 'bronze' | null;
  prizeCents: number;
}

/** Credits moved to an account (an agent's id, or the platform's own) once, under a name. */
export interface CreditRow {
  once: string;
  account: string;
  ucents: number;
}

export interface Entry {
  poolId: string;
  agentId: string;
  chipBalance: number;
  chipsAtTable: number;
  tableId: string | null;
  seatNo: number | null;
  sitting: string | null;
  /** The debt of a leave, until then. */
  owes: (BlindDebt & { until: number }) | null;
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
