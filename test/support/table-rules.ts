import type { TableRules } from '../../src/table/api.js';

/** The default rules of a table in tests. */
export const RULES: TableRules = {
  seats: 6,
  smallBlind: 10,
  bigBlind: 20,
  headsUpBlinds: 'standard',
  returnPost: true,
  freeFold: 'check',
  boardEvents: 'new',
  actionProtocol: 'strict',
  stateHash: true,
  actionTimeoutMs: 120_000,
  timeBankMs: null,
  betweenHandsMs: 1_000,
  disconnectHoldMs: 120_000,
  missedHandsLimit: 3,
  replayHands: 20,
  replayBytes: 1 << 20,
  resyncBytes: 4 << 20,
  maxStack: null,
  fairDeals: false,
  spectators: true,
  duplicate: null,
};
