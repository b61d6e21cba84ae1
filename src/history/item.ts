import { utc } from '../protocol/common.js';
import type { StoredHand } from '../table/record-codec.js';
import { ACTION_NAMES, STREET_NAMES } from '../table/words.js';
import type { HandRow } from './queries.js';

/** A hand as its player sees it in a list: everybody's actions, with amounts as player_action tells them. */
export function historyItem(row: HandRow, { actions }: StoredHand) {
  return {
    hand_id: row.handId,
    table_id: row.tableId,
    hand_number: row.handNumber,
    seat: row.seat,
    stack_start: row.stackStart,
    stack_end: row.stackEnd,
    profit: row.stackEnd - row.stackStart,
    actions: actions.map(({ seat, act, amount, street }) => ({
      seat,
      action: ACTION_NAMES[act]!,
      amount,
      street: STREET_NAMES[street]!,
    })),
    started_at: utc(row.startedAt),
    ended_at: utc(row.endedAt),
  };
}
