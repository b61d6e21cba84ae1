import { CARD_NAMES } from '../../src/cards/card.js';
import type { CommittedDeck } from '../../src/cards/committed-deck.js';
import { type PlayerNonce } from '../../src/cards/committed-deck.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { Deal, holePlaces, type DealtHand } from '../../src/table/deal/deal.js';

/**
 * The frames of a hand as a dishonest server would have sent them, from another deck or with other nonces. All cards
 * and hashes fit, except the announcements before the hand.
 */
export function forgedDeal(
  frames: readonly ServerMessage[],
  deck: CommittedDeck,
  nonces: PlayerNonce[],
): ServerMessage[] {
  const deal = new Deal(deck, nonces);
  const dealt = new Uint8Array(17);
  deal.cards(dealt, dealt.length);
  const start = frames.findLast((frame) => frame.type === 'hand_start')!;
  const result = frames.find((frame) => frame.type === 'hand_result' && frame.hand_id === start.hand_id);
  const seats = Object.keys((result as ServerMessageOf['hand_result']).final_stacks).map(Number);
  const button = start.dealer_seat;
  const holes = (seat: number) => holePlaces(seats, button, seat).map((place) => CARD_NAMES[dealt[place]!]!);
  let board = 2 * seats.length;
  return frames.map((frame) => {
    if (!('hand_id' in frame) || frame.hand_id !== start.hand_id) return frame;
    switch (frame.type) {
      case 'hand_start':
        return { ...frame, deck_commitment: deck.commitment, deal_nonces: nonces };
      case 'hole_cards':
        return { ...frame, cards: holes(start.seat!) };
      case 'community_cards':
        return { ...frame, cards: frame.cards.map(() => CARD_NAMES[dealt[board++]!]!) } as typeof frame;
      case 'hand_result': {
        const shown = Object.keys(frame.shown_cards).map(Number);
        const mask = shown.reduce((mask, seat) => mask | (1 << seat), 0);
        const seen: DealtHand = { seats, button, shown: mask, boardCount: board - 2 * seats.length };
        return {
          ...frame,
          shown_cards: Object.fromEntries(shown.map((seat) => [String(seat), holes(seat)])),
          deal_proof: { hashes: [...deck.hashes], rest: deck.rest, opened: deal.shared(seen) },
          own_opened: deal.own(seen, start.seat!),
        };
      }
      default:
        return frame;
    }
  });
}
