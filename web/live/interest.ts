/** How much there is to see at a table, as far as it is known. */
export interface TableInterest {
  players: number;
  handNumber: number;
  /** Unknown without a look at the table. */
  play?: { pot: number; bigBlind: number; allIn: boolean } | undefined;
}

/** An all-in is worth as much as a pot of so many big blinds, and a player of so many. */
const ALL_IN_BLINDS = 60;
const PLAYER_BLINDS = 4;
/** Of two tables that are equal else, the longer played one is first. */
const HAND_BLINDS = 1e-9;

/** The interest of a table in big blinds: its pot, an all-in, and its players. */
export function interestOf({ players, handNumber, play }: TableInterest): number {
  const pot = play === undefined || play.bigBlind === 0 ? 0 : play.pot / play.bigBlind;
  return pot + (play?.allIn === true ? ALL_IN_BLINDS : 0) + players * PLAYER_BLINDS + handNumber * HAND_BLINDS;
}

/** The most interesting first. Equal ones keep their order. */
export const byInterest = <T>(tables: readonly T[], of: (table: T) => TableInterest): T[] =>
  tables
    .map((table) => ({ table, interest: interestOf(of(table)) }))
    .sort((a, b) => b.interest - a.interest)
    .map(({ table }) => table);
