import { CARD_NAMES, type Card } from '../cards/card.js';
import type { Deal } from '../table/deal/deal.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { dealOf, dealtHandOf } from '../table/record/stored-deal.js';
import { mixItem } from './item.js';
import { isOpened, playerSight, shownToAll } from './sight.js';

const names = (cards: readonly Card[]) => cards.map((card) => CARD_NAMES[card]!);

/** Opens the dice of a seat that mixed actions. */
function ownDice({ actions }: StoredHand, deal: Deal, seat: number) {
  const mixes = actions.flatMap((action) => (action.seat === seat && action.mix ? [mixItem(action.mix)] : []));
  const dice = mixes.length === 0 ? null : deal.ownDice(seat);
  return dice === null ? {} : { own_dice: { ...dice, hashes: [...dice.hashes], mixes } };
}

/**
 * The proof of a hand for one of its players, without the cards that it does not see. `opened`: its pool has opened its
 * cards. Null where its deck was not
 * committed to.
 */
export function handProof(hand: StoredHand, seat: number, opened = false) {
  const deal = dealOf(hand);
  const own = hand.players.find((player) => player.seat === seat);
  if (deal === null || own === undefined) return null;
  const dealt = dealtHandOf(hand);
  const sight = playerSight(own.agentId, opened);
  const { hashes, rest, commitment } = deal.deck;
  const shown = shownToAll(hand);
  return {
    hand_id: hand.handId,
    table_id: hand.tableId,
    hand_number: hand.handNumber,
    dealer_seat: hand.button,
    seat,
    seats: [...dealt.seats],
    hole_cards: names(own.hole),
    board: names(hand.board.slice(0, hand.boardCount)),
    shown_cards: Object.fromEntries(shown.map((player) => [String(player.seat), names(player.hole)])),
    deck_commitment: commitment,
    deal_nonces: deal.nonces,
    deal_proof: { hashes: [...hashes], rest, opened: deal.shared(dealt) },
    own_opened: deal.own(dealt, seat),
    opened_hands: hand.players
      .filter((player) => isOpened(sight, player))
      .map((player) => ({ seat: player.seat, hole_cards: names(player.hole), opened: deal.own(dealt, player.seat) })),
    ...ownDice(hand, deal, seat),
  };
}
