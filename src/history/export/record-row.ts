import type { StoredHand } from '../../table/record/record-codec.js';
import { cardNames, historyItem, namesOf } from '../item.js';
import type { HandRow } from '../queries.js';
import { shownToAll } from '../sight.js';

/** The record of GET /me/hand-history and what else the agent may know of the hand: no card that nobody showed it. */
export function exportedHand(
  row: HandRow,
  hand: StoredHand,
  nameOf: ReadonlyMap<string, string>,
  inCompetition: boolean,
) {
  const shown = shownToAll(hand);
  return {
    ...historyItem(row, hand),
    ...namesOf(hand.poolId, inCompetition),
    button: hand.button,
    total_pot: hand.totalPot,
    shown_cards: Object.fromEntries(shown.map(({ seat, hole }) => [String(seat), cardNames(hole)])),
    players: hand.players.map(({ seat, agentId, stackStart, stackEnd }) => ({
      seat,
      name: nameOf.get(agentId) ?? `seat_${seat}`,
      stack_start: stackStart,
      stack_end: stackEnd,
    })),
  };
}
