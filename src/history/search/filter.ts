import { POSITIONS, positionsOf } from '../../holdem/positions.js';
import { Act } from '../../holdem/types.js';
import { STREET_NAMES } from '../../table/frames/words.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import { postsOfStored } from '../../table/record/stored-hand.js';

/** Which of the agent's hands are found. An absent field allows all. */
export interface HandFilter {
  result?: 'won' | 'lost' | 'even' | undefined;
  /** One of POSITIONS. */
  position?: string | undefined;
  /** Chips. */
  minPot?: number | undefined;
  opponentId?: string | undefined;
  /** The last street with dealt cards: one of STREET_NAMES. */
  street?: string | undefined;
  /** Whether the agent put its whole stack in. */
  allIn?: boolean | undefined;
}

export const HAND_ORDERS = ['newest', 'biggest_pot', 'biggest_win', 'biggest_loss'] as const;
export type HandOrder = (typeof HAND_ORDERS)[number];

/** The agent's part of a hand, as a row of `hand_players` has it. */
export interface PlayedSeat {
  seat: number;
  stackStart: number;
  stackEnd: number;
}

/** Whether the rows of `hand_players` are enough, without the records of the hands. */
export const needsRecord = ({ position, minPot, opponentId, street, allIn }: HandFilter, order: HandOrder): boolean =>
  [position, minPot, opponentId, street, allIn].some((each) => each !== undefined) || order === 'biggest_pot';

const profitOf = ({ stackStart, stackEnd }: PlayedSeat) => stackEnd - stackStart;

/** The part of the filter that needs no record. */
export function fitsRow({ result }: HandFilter, row: PlayedSeat): boolean {
  const profit = profitOf(row);
  return result === undefined || result === (profit > 0 ? 'won' : profit < 0 ? 'lost' : 'even');
}

/** The part of the filter that needs the record. */
export function fitsRecord(filter: HandFilter, { seat }: PlayedSeat, stored: StoredHand): boolean {
  const { position, minPot, opponentId, street, allIn } = filter;
  return (
    (minPot === undefined || stored.totalPot >= minPot) &&
    (street === undefined || street === lastStreet(stored)) &&
    (opponentId === undefined ||
      stored.players.some((player) => player.agentId === opponentId && player.seat !== seat)) &&
    (position === undefined || position === positionOf(stored, seat)) &&
    (allIn === undefined || allIn === isAllIn(stored, seat))
  );
}

/** The hand's place in the order: a larger one stands first. Null: the hand is not in the list. */
export function weightOf(order: HandOrder, row: PlayedSeat, stored: StoredHand | null): number | null {
  const profit = profitOf(row);
  switch (order) {
    case 'newest':
      return 0;
    case 'biggest_pot':
      return stored!.totalPot;
    case 'biggest_win':
      return profit > 0 ? profit : null;
    case 'biggest_loss':
      return profit < 0 ? -profit : null;
  }
}

/** Cards on the board by street. */
const BOARD_CARDS = [0, 3, 4, 5];

const lastStreet = ({ boardCount }: Pick<StoredHand, 'boardCount'>) => STREET_NAMES[BOARD_CARDS.indexOf(boardCount)];

function positionOf({ players, button, bigBlindSeat }: StoredHand, seat: number) {
  const seats = players.map((player) => player.seat);
  return POSITIONS[positionsOf(seats, button, bigBlindSeat).get(seat)!];
}

/** Whether all chips of the seat went in, also where a part of them came back uncalled. */
function isAllIn(stored: StoredHand, seat: number): boolean {
  const stack = stored.players.find((player) => player.seat === seat)!.stackStart;
  let bet = postsOfStored(stored).reduce((sum, post) => sum + (post.seat === seat ? post.amount : 0), 0);
  let [put, street] = [bet, 0];
  for (const action of stored.actions) {
    if (action.seat !== seat || action.amount === null) continue;
    if (action.street !== street) [bet, street] = [0, action.street];
    // A raise names the bet of the street that it makes, a call and an all-in the chips that it adds.
    const added = action.act === Act.raise ? action.amount - bet : action.amount;
    bet += added;
    put += added;
  }
  return put === stack;
}
