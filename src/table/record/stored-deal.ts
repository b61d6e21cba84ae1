import { Buffer } from 'node:buffer';
import { CommittedDeck } from '../../cards/committed-deck.js';
import { DECK_SIZE } from '../../cards/card.js';
import { Deal, type DealtHand } from '../deal/deal.js';
import type { StoredHand } from './record-codec.js';
import { setupOf } from './stored-hand.js';

/** The deal of a stored hand, from which its cards can be proven again; null where its deck was not committed to. */
export function dealOf(stored: StoredHand): Deal | null {
  const { deal, tableId, handNumber } = stored;
  if (deal === undefined) return null;
  const cards = deal.undealt === null ? undefined : [...Array.from(setupOf(stored).deck), ...deal.undealt];
  const secret = Buffer.from(deal.secret, 'hex');
  return new Deal(new CommittedDeck(tableId, handNumber, secret, cards, deal.hasDice ?? false), deal.nonces);
}

/** The seats of a stored hand and the cards that were seen. */
export function dealtHandOf({ players, button, boardCount }: StoredHand): DealtHand {
  const shown = players.reduce((mask, player) => (player.shown ? mask | (1 << player.seat) : mask), 0);
  return { seats: players.map(({ seat }) => seat), button, shown, boardCount };
}

/** Whether the cards of a stored hand are those that its deck and its nonces give, all different. */
export function dealtAsCommitted(stored: StoredHand, deal: Deal): boolean {
  const dealt = Array.from(setupOf(stored).deck);
  const expected = new Uint8Array(dealt.length);
  deal.cards(expected, dealt.length);
  const whole = new Set(Array.from(deal.deck.cards)).size === DECK_SIZE;
  return whole && dealt.every((card, i) => card === expected[i]);
}
