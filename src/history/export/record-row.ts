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

export type ExportedHand = ReturnType<typeof exportedHand>;

/** Columns of the CSV form: those of the history record first. */
export const CSV_COLUMNS = [
  ...['hand_id', 'table_id', 'hand_number', 'seat', 'stack_start', 'stack_end', 'profit', 'actions', 'started_at'],
  ...['ended_at', 'season_id', 'button', 'small_blind', 'big_blind', 'hole_cards', 'board', 'total_pot'],
  ...['shown_cards', 'players', 'competition_id', 'posts'],
] as const satisfies readonly (keyof ExportedHand)[];

/** The cells of a row: cards in one word, lists and maps as JSON. */
export function csvCells(hand: ExportedHand): (string | number)[] {
  return CSV_COLUMNS.map((column) => {
    if (column === 'hole_cards' || column === 'board') return hand[column].join('');
    const value = hand[column];
    return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : value;
  });
}
