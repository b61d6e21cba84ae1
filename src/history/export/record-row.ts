import { CARD_NAMES, type Card } from '../../cards/card.js';
import type { StoredHand } from '../../table/record-codec.js';
import { historyItem } from '../item.js';
import type { HandRow } from '../queries.js';

const names = (cards: readonly Card[]) => cards.map((card) => CARD_NAMES[card]!);

/** The record of GET /me/hand-history and what else the agent may know of the hand: no card that nobody showed it. */
export function exportedHand(row: HandRow, hand: StoredHand, nameOf: ReadonlyMap<string, string>) {
  const own = hand.players.find(({ seat }) => seat === row.seat)!;
  const shown = hand.players.filter((player) => player.shown);
  return {
    ...historyItem(row, hand),
    season_id: hand.poolId,
    button: hand.button,
    small_blind: hand.smallBlind,
    big_blind: hand.bigBlind,
    hole_cards: names(own.hole),
    board: names(hand.board.slice(0, hand.boardCount)),
    total_pot: hand.totalPot,
    shown_cards: Object.fromEntries(shown.map(({ seat, hole }) => [String(seat), names(hole)])),
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
  ...['shown_cards', 'players'],
] as const satisfies readonly (keyof ExportedHand)[];

/** The cells of a row: cards in one word, lists and maps as JSON. */
export function csvCells(hand: ExportedHand): (string | number)[] {
  return CSV_COLUMNS.map((column) => {
    if (column === 'hole_cards' || column === 'board') return hand[column].join('');
    const value = hand[column];
    return typeof value === 'object' ? JSON.stringify(value) : value;
  });
}
