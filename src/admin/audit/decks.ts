import { DECK_SIZE } from '../../cards/card.js';
import { duplicateDeck } from '../../cards/duplicate.js';
import type { Queryable } from '../../store/database.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import { dealOf, dealtAsCommitted } from '../../table/record/stored-deal.js';
import { setupOf } from '../../table/record/stored-hand.js';

/** The secrets of the duplicate pools' series of decks, by pool. */
export async function deckSecrets(sql: Queryable): Promise<Map<string, string>> {
  const rows = await sql<{ poolId: string; secret: string }[]>`
    select competition_id as "poolId", encode(deck_secret, 'hex') as secret from competitions where duplicate`;
  return new Map(rows.map(({ poolId, secret }) => [poolId, secret]));
}

/**
 * The fault in the origin of a hand's cards, or null. `secret` is that of its pool's series, if it has one.
 */
export function differenceToDeck(hand: StoredHand, secret: string | undefined): string | null {
  const deal = dealOf(hand);
  if (deal !== null && !dealtAsCommitted(hand, deal)) return 'deck than was committed to';
  if (secret === undefined) return null;
  const series = new Uint8Array(DECK_SIZE);
  duplicateDeck(series, secret, hand.handNumber);
  const dealt = deal === null ? Array.from(setupOf(hand).deck) : Array.from(deal.deck.cards);
  return dealt.every((card, i) => card === series[i]) ? null : 'deck than that of its pool';
}
