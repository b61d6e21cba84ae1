import type { Test } from 'tap';
import { duplicateSlot } from '../../src/cards/duplicate.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { addCompetition, addParticipants } from './competition-rows.js';
import { freshPool } from './database.js';
import { openRandomTables } from './random-table.js';
import { SEED } from './seed.js';
import { wildPlay } from './wild-hands.js';
import type { HandRecord } from '../../src/table/effects.js';

/** The starting chips of each player. */
export const CHIPS = 5000;

/** A competition with tables on which hands are played. */
export async function openCompetition(t: Test, { tables = 2, players = 4, ...rules }: Rules = {}) {
  const sql = await freshPool(t);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { tables, players, chips: CHIPS, seed: SEED });
  const agents = randomTables.flatMap(({ seated }) => seated.map(({ agentId }) => agentId));
  await addCompetition(sql, agents[0]!, { poolId, state: 'active', ...rules });
  await addParticipants(
    sql,
    poolId,
    agents.map((agentId) => ({ agentId })),
  );
  const hands: HandRecord[] = [];
  const play = async (count: number, calm = false) => {
    const decide = calm ? undefined : wildPlay(seededRandom(SEED + hands.length));
    for (const randomTable of randomTables) {
      for (let n = 0; n < count && randomTable.seated.filter(({ stack }) => stack > 0).length > 1; n++) {
        const record = randomTable.play(decide);
        await commitHands(sql, fence, [record]);
        hands.push(record);
      }
    }
  };
  return { sql, poolId, agents, randomTables, hands, play };
}
export type Rules = { tables?: number; players?: number } & Parameters<typeof addCompetition>[2];

export const profitsOf = (hands: readonly HandRecord[], agentId: string) =>
  hands.flatMap(({ players }) =>
    players.filter((player) => player.agentId === agentId).map(({ stackStart, stackEnd }) => stackEnd - stackStart),
  );
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const near = (a: number | null, b: number | null) => a === b || Math.abs(a! - b!) < 1e-6 * (1 + Math.abs(b!));

/** The definition: for each deck, number of players and place behind the button, the mean of all players with it. */
export function compared(hands: readonly HandRecord[], agentId: string) {
  const held = hands.flatMap(({ handNumber, button, bigBlind, players }) => {
    const clockwise = [...players].sort((a, b) => ((a.seat - button + 5) % 6) - ((b.seat - button + 5) % 6));
    return clockwise.map(({ agentId, stackStart, stackEnd }, place) => ({
      agentId,
      won: (stackEnd - stackStart) / bigBlind,
      cell: `${duplicateSlot(handNumber).deck} ${players.length} ${place}`,
    }));
  });
  const cells = new Map<string, typeof held>();
  for (const each of held) cells.set(each.cell, [...(cells.get(each.cell) ?? []), each]);
  const differences = held.flatMap(({ agentId: whose, won, cell }) => {
    const same = cells.get(cell)!;
    if (whose !== agentId || same.every((other) => other.agentId === agentId)) return [];
    return [won - sum(same.map((each) => each.won)) / same.length];
  });
  const mean = sum(differences) / differences.length;
  const variance = sum(differences.map((difference) => (difference - mean) ** 2)) / (differences.length - 1);
  const half = 196 * Math.sqrt(variance / differences.length);
  return { hands: differences.length, bb_per_100: 100 * mean, ci95: [100 * mean - half, 100 * mean + half] };
}
