import { poolHandItem, type PoolHandItem } from '../pool-hands.js';

export const poolRow = poolHandItem;

/** Columns of the CSV form. */
export const POOL_COLUMNS = [
  ...['hand_id', 'table_id', 'hand_number', 'competition_id', 'started_at', 'ended_at', 'button', 'small_blind'],
  ...['big_blind', 'board', 'total_pot', 'players', 'actions', 'posts'],
] as const satisfies readonly (keyof PoolHandItem)[];

/** The cells of a row: the board in one word, lists as JSON. */
export const poolCells = (hand: PoolHandItem): (string | number)[] =>
  POOL_COLUMNS.map((column) => {
    if (column === 'board') return hand.board.join('');
    const value = hand[column];
    return typeof value === 'object' ? JSON.stringify(value) : value;
  });
