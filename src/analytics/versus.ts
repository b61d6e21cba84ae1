import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hand } from '../holdem/hand.js';
import type { Queryable } from '../store/database.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { selectCommonHands, type CommonHandsAsked } from './common-hands.js';
import { HandReader } from './hand-facts.js';
import { selectRecords } from './keeper-queries.js';
import { OpponentTally, type OpponentTotals } from './opponents.js';

/** Hands that are read at once. */
const HANDS = 256;
/** ms of work at a stretch: then other work of the thread has its turn. */
const STRETCH_MS = 10;
/** Newest hands of the first agent that are searched for common ones. */
const SEARCHED = 20_000;
const LAST_HANDS = 20;

export type VersusAsked = Omit<CommonHandsAsked, 'searched'>;

export interface CommonHand {
  handId: string;
  tableId: string;
  handNumber: number;
  totalPot: number;
  /** Epoch ms. */
  startedAt: number;
  /** Chips that each of the two won, by agent id. */
  profits: Record<string, number>;
}

/** Two agents in their newest common hands. */
export interface HeadToHead {
  hands: number;
  /** How each of the two played, and what the other one won from it; by agent id. Empty without a common hand. */
  players: Record<string, OpponentTotals>;
  /** The newest first. */
  last: CommonHand[];
}

/** Two agents against each other. Rejects where one of their hands cannot be read. */
export async function versusOf(sql: Queryable, asked: VersusAsked): Promise<HeadToHead> {
  const { poolId, agents } = asked;
  const reader = new HandReader(new Hand(), null);
  const tallies = agents.map((agentId) => new OpponentTally(agentId));
  const ids = await selectCommonHands(sql, { ...asked, searched: SEARCHED });
  const last: CommonHand[] = [];
  let since = performance.now();
  for (let at = 0; at < ids.length; at += HANDS) {
    const rows = await selectRecords(sql, poolId, ids.slice(at, at + HANDS));
    for (const { record } of rows) {
      const stored = decodeRecord(record);
      const facts = reader.read(stored).filter(({ agentId }) => agents.includes(agentId));
      for (const tally of tallies) tally.add(stored, facts);
      if (at === 0) last.push(commonHand(stored, agents));
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  const players = tallies.flatMap((tally) => tally.most(1)).map((totals) => [totals.agentId, totals] as const);
  last.sort((a, b) => (a.handId < b.handId ? 1 : -1));
  return { hands: tallies[0]!.hands, players: Object.fromEntries(players), last: last.slice(0, LAST_HANDS) };
}

function commonHand(stored: StoredHand, agents: readonly string[]): CommonHand {
  const { handId, tableId, handNumber, totalPot, startedAt, players } = stored;
  const two = players.filter(({ agentId }) => agents.includes(agentId));
  const profits = Object.fromEntries(two.map(({ agentId, payout, contributed }) => [agentId, payout - contributed]));
  return { handId, tableId, handNumber, totalPot, startedAt, profits };
}
