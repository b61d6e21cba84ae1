import type { TableRules } from '../../src/table/api.js';

/** Of tables in tests: a second between hands, and no fair deals, so that a test fixes cards. */
export const TABLE_RULES: TableRules = {
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
