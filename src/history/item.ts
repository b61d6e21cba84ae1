import { CARD_NAMES, type Card } from '../cards/card.js';
import type { PostedChips } from '../holdem/record.js';
import { utc } from '../protocol/common.js';
import type { DrawnMix } from '../table/mix.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { postsOfStored } from '../table/record/stored-hand.js';
import { ACTION_NAMES, POST_NAMES, STREET_NAMES } from '../table/frames/words.js';
import type { HandRow } from './queries.js';
import { isPrivy, playerSight, type Sight } from './sight.js';

/** A hand in its player's list: the own cards, the opened board, and all actions, with amounts as in player_action. */
export function historyItem(row: HandRow, hand: StoredHand) {
  const own = hand.players.find(({ seat }) => seat === row.seat)!;
  return {
    hand_id: row.handId,
    table_id: row.tableId,
    hand_number: row.handNumber,
    seat: row.seat,
    stack_start: row.stackStart,
    stack_end: row.stackEnd,
    profit: row.stackEnd - row.stackStart,
    small_blind: hand.smallBlind,
    big_blind: hand.bigBlind,
    hole_cards: cardNames(own.hole),
    board: cardNames(hand.board.slice(0, hand.boardCount)),
    posts: postItems(postsOfStored(hand)),
    actions: actionItems(hand, playerSight(own.agentId)),
    started_at: utc(row.startedAt),
    ended_at: utc(row.endedAt),
  };
}

/** The posts before the cards, in order. */
export const postItems = (posts: readonly PostedChips[]) =>
  posts.map(({ seat, amount, post }) => ({ seat, amount, kind: POST_NAMES[post] }));

/** All actions of a hand, in order. Mixes stand there for players with cards that the reader sees from the deal on. */
export const actionItems = ({ actions, players }: StoredHand, sight: Sight) =>
  actions.map(({ seat, act, amount, street, timeout, mix }) => ({
    seat,
    action: ACTION_NAMES[act]!,
    amount,
    street: STREET_NAMES[street]!,
    ...(timeout && { timeout: true as const }),
    ...(mix &&
      isPrivy(
        sight,
        players.find((player) => player.seat === seat)!,
      ) && { mix: mixItem(mix) }),
  }));

/** A mixed action, and what was drawn of it. */
export const mixItem = ({ number, u, part, parts }: DrawnMix) => ({
  number,
  u,
  part,
  parts: parts.map(({ act, amount, p }) => ({ action: ACTION_NAMES[act]!, ...(amount !== null && { amount }), p })),
});

/** A pool as records name it: the season, or the competition. */
export const namesOf = (poolId: string, inCompetition: boolean) => ({
  season_id: inCompetition ? null : poolId,
  competition_id: inCompetition ? poolId : null,
});

export const cardNames = (cards: readonly Card[]) => cards.map((card) => CARD_NAMES[card]!);
