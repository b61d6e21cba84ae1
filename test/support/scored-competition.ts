import type { Test } from 'tap';
import { duplicateSlot } from '../../src/cards/duplicate.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { addCompetition, addParticipants } from './competition-rows.js';
import { freshPool } from './database.js';
import { openRandomTables } from './random-table.js';
import { anytimeInterval, stakedBy } from './anytime-interval.js';
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

/** The definition: for each deck, number of players and place behind the button, the mean of all players with it. Decks are the sample. */
export function compared(hands: readonly HandRecord[], agentId: string) {
  const held = hands.flatMap(({ handNumber, button, bigBlind, players }) => {
    const clockwise = [...players].sort((a, b) => ((a.seat - button + 5) % 6) - ((b.seat - button + 5) % 6));
    const { deck } = duplicateSlot(handNumber);
    return clockwise.map(({ agentId, seat, stackStart, stackEnd }, place) => {
      const own = stackStart / bigBlind;
      const others = players.filter((other) => other.seat !== seat).map((other) => other.stackStart / bigBlind);
      // The database knows less of unlike stacks: see src/store/stakes.ts.
      const chance = Math.min(sum(others), others.length * own);
      const cell = `${deck} ${players.length} ${place}`;
      return { agentId, won: stackEnd / bigBlind - own, deck, cell, ...stakedBy(own, others), chance };
    });
  });
  const cells = new Map<string, typeof held>();
  for (const each of held) cells.set(each.cell, [...(cells.get(each.cell) ?? []), each]);
  const decks = new Map<number, { hands: number; difference: number; risk: number; chance: number }>();
  for (const each of held.filter((one) => one.agentId === agentId)) {
    const same = cells.get(each.cell)!;
    const others = same.filter((other) => other.agentId !== agentId);
    if (others.length === 0) continue;
    const known = decks.get(each.deck) ?? { hands: 0, difference: 0, risk: 0, chance: 0 };
    known.hands++;
    known.difference += each.won - sum(same.map(({ won }) => won)) / same.length;
    // The part of the others, and the opposite of each other holder.
    const part = others.length / same.length;
    known.risk += part * each.risk + sum(others.map(({ chance }) => chance)) / same.length;
    known.chance += part * each.chance + sum(others.map(({ risk }) => risk)) / same.length;
    decks.set(each.deck, known);
  }
  const all = [...decks.values()];
  const count = sum(all.map((deck) => deck.hands));
  const perDeck = anytimeInterval(all.map((deck) => deck.difference), all); // prettier-ignore
  const ci95 = perDeck!.map((end) => (end * all.length) / count);
  return { hands: count, bb_per_100: (100 * sum(all.map((deck) => deck.difference))) / count, ci95 };
}
