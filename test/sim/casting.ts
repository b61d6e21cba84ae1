import type { Player, TableRules } from '../../src/table/api.js';
import type { Dice } from './dice.js';

/** Every switch of a table gets its turn; times are short, so that much happens in little virtual time. */
export function randomRules(dice: Dice): TableRules {
  return {
    seats: 6,
    smallBlind: 10,
    bigBlind: 20,
    headsUpBlinds: dice.pick(['standard', 'ring']),
    boardEvents: dice.pick(['new', 'cumulative']),
    actionProtocol: dice.pick(['strict', 'strict', 'loose']),
    stateHash: dice.chance(0.7),
    actionTimeoutMs: dice.pick([500, 2_000, 10_000]),
    betweenHandsMs: dice.pick([0, 0, 250, 1_000]),
    disconnectHoldMs: dice.pick([5_000, 20_000, 120_000]),
    missedHandsLimit: 3,
    replayHands: dice.pick([1, 3, 20]),
    replayBytes: dice.pick([2_000, 1 << 20]),
  };
}

export function randomPlayer(name: string, dice: Dice): Player {
  return {
    agentId: `agent-${name}`,
    name,
    avatarUrl: dice.chance(0.2) ? 'https://a.example/é.png' : null,
    publicProfileSlug: dice.chance(0.2) ? name : null,
    isPro: dice.chance(0.3),
    isHouse: dice.chance(0.2),
    autoRebuy: dice.chance(0.5),
  };
}
