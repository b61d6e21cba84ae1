import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hand } from '../holdem/hand.js';
import type { Database } from '../store/database.js';
import { decodeRecord } from '../table/record/record-codec.js';
import { HandReader } from './hand-facts.js';
import { selectRecords } from './keeper-queries.js';
import { selectNewestHands } from './queries.js';
import { OpponentTally, type OpponentTotals } from './opponents.js';

/** Hands that are read at once. */
const HANDS = 256;
/** ms of work at a stretch: then other work of the thread has its turn. */
const STRETCH_MS = 10;
export const MOST_OPPONENTS = 200;

/** How many hands were looked into, and who was met in them. */
export interface Met {
  hands: number;
  opponents: OpponentTotals[];
}

/** The opponents of an agent in its newest hands of a pool, up to so many. Rejects where one of them cannot be read. */
export async function meetingsOf(sql: Database, poolId: string, agentId: string, most: number): Promise<Met> {
  const reader = new HandReader(new Hand(), null);
  const tally = new OpponentTally(agentId);
  const ids = await selectNewestHands(sql, poolId, agentId, most);
  let since = performance.now();
  for (let at = 0; at < ids.length; at += HANDS) {
    for (const { record } of await selectRecords(sql, poolId, ids.slice(at, at + HANDS))) {
      const stored = decodeRecord(record);
      tally.add(stored, reader.read(stored));
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  }
  return { hands: tally.hands, opponents: tally.most(MOST_OPPONENTS) };
}
