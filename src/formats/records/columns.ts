/** The columns of our CSV files. They are the fields of the same records in JSON. */

/** A player's own hands, as in GET /api/me/hand-history/export. */
export const PLAYER_COLUMNS = [
  ...['hand_id', 'table_id', 'hand_number', 'seat', 'stack_start', 'stack_end', 'profit', 'actions', 'started_at'],
  ...['ended_at', 'season_id', 'button', 'small_blind', 'big_blind', 'hole_cards', 'board', 'total_pot'],
  ...['shown_cards', 'players', 'competition_id', 'posts', 'opened_cards'],
] as const;

/** The hands of a pool, as in GET /api/competitions/{competition_id}/hands/export. */
export const POOL_COLUMNS = [
  ...['hand_id', 'table_id', 'hand_number', 'competition_id', 'started_at', 'ended_at', 'button', 'small_blind'],
  ...['big_blind', 'board', 'total_pot', 'players', 'actions', 'posts'],
] as const;

/** Columns with cards in one word, and columns with JSON. */
export const CARD_COLUMNS: ReadonlySet<string> = new Set(['hole_cards', 'board']);
export const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'actions',
  'shown_cards',
  'opened_cards',
  'players',
  'posts',
]);
export const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  ...['hand_number', 'seat', 'stack_start', 'stack_end', 'profit'],
  ...['button', 'small_blind', 'big_blind', 'total_pot'],
]);
