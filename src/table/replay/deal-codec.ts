import { Buffer } from 'node:buffer';
import { CommittedDeck, type PlayerNonce } from '../../cards/committed-deck.js';
import { DECK_SIZE } from '../../cards/card.js';
import { Deal, type StartedDeal } from '../deal/deal.js';
import type { Packer, Unpacker } from './packer.js';

/** Deals in the records of the replay window; 0 where there is none. */

export function packDealStart(p: Packer, deal: StartedDeal | null): void {
  p.uint(deal === null ? 0 : deal.handNumber);
  if (deal === null) return;
  p.text(deal.commitment).text(deal.next.commitment);
  packNonces(p, deal.nonces);
  packNonces(p, deal.next.anchors);
}

export function unpackDealStart(u: Unpacker): StartedDeal | null {
  const handNumber = u.uint();
  if (handNumber === 0) return null;
  const [commitment, next] = [u.text(), u.text()];
  return { handNumber, commitment, nonces: unpackNonces(u), next: { commitment: next, anchors: unpackNonces(u) } };
}

/** Keeps a deck's secret and cards: the hashes can be computed again. */
export function packDeal(p: Packer, deal: Deal | null): void {
  p.uint(deal === null ? 0 : deal.deck.handNumber);
  if (deal === null) return;
  const { deck, nonces } = deal;
  p.text(deck.tableId).text(Buffer.from(deck.secret).toString('hex'));
  for (let i = 0; i < DECK_SIZE; i++) p.uint(deck.cards[i]!);
  packNonces(p, nonces);
}

export function unpackDeal(u: Unpacker): Deal | null {
  const handNumber = u.uint();
  if (handNumber === 0) return null;
  const [tableId, secret] = [u.text(), Buffer.from(u.text(), 'hex')];
  const cards = Array.from({ length: DECK_SIZE }, () => u.uint());
  return new Deal(new CommittedDeck(tableId, handNumber, secret, cards), unpackNonces(u));
}

function packNonces(p: Packer, nonces: readonly PlayerNonce[]): void {
  p.uint(nonces.length);
  for (const { seat, nonce } of nonces) p.uint(seat).text(nonce);
}

function unpackNonces(u: Unpacker): PlayerNonce[] {
  return Array.from({ length: u.uint() }, () => ({ seat: u.uint(), nonce: u.text() }));
}
