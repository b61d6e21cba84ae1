import { setImmediate as nextTurn } from 'node:timers/promises';
import { noSums, type PairSums } from '../../collusion/pair-hand.js';
import { marked, PoolJudge, type PairScore } from '../../collusion/pool-judge.js';
import { takersOf, type Taker } from '../../collusion/takers.js';
import type { Queryable } from '../../store/database.js';
import { readPlayers, selectPairs, selectRows, selectStackLosses } from './queries.js';
import { CELLS, TIME_CLASSES, type CellCounts } from '../../collusion/cells.js';

/** A pair as it is told: the first and the second agent, and how alike their paces are. */
export interface Suspects extends PairScore {
  agentIds: readonly [string, string];
  marked: boolean;
  /** Part of the one's decision times under the other's, and whether few pairs of the pool are as alike; null: too few. */
  pace: { overlap: number; rare: boolean } | null;
}

export interface Judgement {
  /** The most suspicious first; MOST_LISTED at most. */
  pairs: Suspects[];
  /** Pairs that have met, and those of them that were judged: those with the most hands together. */
  met: number;
  judged: number;
  takers: Taker[];
}

/** Of the marked pairs at most so many are honest, in the mean. */
export const HONEST_SHARE = 0.05;
/** Pairs that are judged: a second's work of the thread, and some 10 MB. */
const MOST_JUDGED = 10_000;
const MOST_LISTED = 1000;
const MOST_TAKERS = 20;
/** Takers with the most stacks that are looked into. */
const TAKERS_LOOKED_INTO = 100;
/** Pairs whose rows are read at once. */
const AT_ONCE = 250;
/** Two bots of the pool at random: of so many pairs one in RARE is as alike as those that are told to be. */
const PACES_COMPARED = 2000;
const RARE = 100;

/** Judges the pairs of a pool by what is counted of them. For the analytics thread: other work has its turn in between. */
export async function judgePool(sql: Queryable, poolId: string): Promise<Judgement> {
  const judge = new PoolJudge();
  const paces = new Map<string, Float64Array>();
  const counted = new Set<string>();
  const all = { hands: 0, stacks: 0 };
  await readPlayers(sql, poolId, async (rows) => {
    for (const row of rows) {
      const { agentId, hands, stacks } = row;
      judge.add(agentId, row);
      counted.add(agentId);
      all.hands += hands;
      all.stacks += stacks;
      const pace = paceOfCells(row.cells);
      if (pace !== null) paces.set(agentId, pace);
    }
    await nextTurn();
  });
  const { pairs: chosen, all: met } = await selectPairs(sql, poolId, MOST_JUDGED);
  // Whoever was first counted since the players were read is judged next time.
  const known = chosen.filter(({ agentId, otherId }) => counted.has(agentId) && counted.has(otherId));
  const judged: (PairScore & Pick<Suspects, 'agentIds'>)[] = [];
  for (let at = 0; at < known.length; at += AT_ONCE) {
    const part = known.slice(at, at + AT_ONCE);
    const rows = await selectRows(sql, poolId, part);
    const sums = new Map<string, PairSums>(rows.map((row) => [`${row.agentId} ${row.otherId}`, row]));
    for (const { agentId, otherId } of part) {
      const [there, back] = [`${agentId} ${otherId}`, `${otherId} ${agentId}`].map((key) => sums.get(key) ?? noSums());
      judged.push({ ...judge.judge(agentId, otherId, there!, back!), agentIds: [agentId, otherId] });
    }
    await nextTurn();
  }
  judged.sort((a, b) => b.score - a.score);
  const scores = judged.map(({ score }) => score);
  const many = marked(scores, met, HONEST_SHARE);
  const alike = rarePace([...paces.values()]);
  const pairs = judged.slice(0, MOST_LISTED).map((pair, place) => {
    const [one, two] = pair.agentIds.map((agentId) => paces.get(agentId));
    const same = one === undefined || two === undefined ? null : overlap(one, two);
    return { ...pair, marked: place < many, pace: same === null ? null : { overlap: same, rare: same >= alike } };
  });
  const takers = takersOf(await selectStackLosses(sql, poolId, TAKERS_LOOKED_INTO), all);
  takers.sort((a, b) => b.score - a.score);
  return { pairs, met, judged: judged.length, takers: takers.slice(0, MOST_TAKERS) };
}

/** The overlap that one in RARE pairs of the pool reaches; more than 1 where there are too few to say. */
function rarePace(paces: readonly Float64Array[]): number {
  const all: number[] = [];
  // Each with the next ones: the order is that of random ids.
  for (let step = 1; step < paces.length && all.length < PACES_COMPARED; step++) {
    for (let i = 0; i + step < paces.length && all.length < PACES_COMPARED; i++) {
      all.push(overlap(paces[i]!, paces[i + step]!));
    }
  }
  all.sort((a, b) => b - a);
  return all.length < RARE ? 2 : all[Math.floor(all.length / RARE) - 1]!;
}

/** Fewer decision times than this say nothing of a bot's pace. */
const ENOUGH = 100;

/** The shares of a player's decision times by class; null where too few are known. */
export function paceOfCells(cells: CellCounts): Float64Array | null {
  const shares = new Float64Array(TIME_CLASSES);
  let all = 0;
  for (const [cell, count] of cells) {
    if (cell < CELLS) continue;
    shares[cell - CELLS] = count;
    all += count;
  }
  return all < ENOUGH ? null : shares.map((count) => count / all);
}

/** How far two paces are the same, from 0 to 1: the part of the one histogram that lies under the other. */
export const overlap = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, share, i) => sum + Math.min(share, b[i]!), 0);
