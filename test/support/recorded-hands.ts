import { seededRandom } from '../../src/cards/shuffle.js';
import { actionItems, cardNames, postItems } from '../../src/history/item.js';
import { playerSight } from '../../src/history/sight.js';
import type { RecordedHand } from '../../src/rethink/recorded.js';
import type { HandRecord } from '../../src/table/effects.js';
import { postsOfStored } from '../../src/table/record/stored-hand.js';
import { uuid7 } from '../../src/table/uuid.js';
import { RandomTable } from './random-table.js';

const POOL = '0190b2c4-8e2f-7a10-9f00-00000000abcd';
const START = Date.UTC(2026, 0, 31, 12);

/** Hands of a table of four, as the player on seat 1 exports them. */
export function recordedHands(
  count: number,
  seed: number,
  table = '0190b2c4-8e2f-7a10-9f00-0000000000ff',
): RecordedHand[] {
  const seated = [0, 1, 2, 4].map((seat) => ({
    seat,
    stack: 5000,
    agentId: POOL.slice(0, -1) + String(seat),
    sitting: POOL,
  }));
  const random = seededRandom(seed);
  const played = new RandomTable(POOL, table, seated, random);
  return Array.from({ length: count }, (_, n) => {
    for (const seat of seated) seat.stack = 1000 + 100 * seat.seat;
    return recordOf(played.play(), 1, uuid7(START + 1000 * n + 0.5, random));
  });
}

function recordOf(hand: HandRecord, seat: number, handId: string): RecordedHand {
  const own = hand.players.find((player) => player.seat === seat)!;
  const shown = hand.players.filter((player) => player.shown);
  return {
    hand_id: handId,
    table_id: hand.tableId,
    hand_number: hand.handNumber,
    seat,
    button: hand.button,
    small_blind: hand.smallBlind,
    big_blind: hand.bigBlind,
    hole_cards: cardNames(own.hole),
    board: cardNames(hand.board.slice(0, hand.boardCount)),
    shown_cards: Object.fromEntries(shown.map((player) => [String(player.seat), cardNames(player.hole)])),
    posts: postItems(postsOfStored(hand)),
    actions: actionItems(hand, playerSight(own.agentId)),
    players: hand.players.map((player) => ({
      seat: player.seat,
      name: `player_${player.seat}`,
      stack_start: player.stackStart,
      stack_end: player.stackEnd,
    })),
  };
}
