import type { DealNonce, Opening } from '../cards/committed-deck.js';
import type { ByteWriter } from './bytes.js';
import type { DealStart, DealtHand } from './deal.js';
import type { ResultEvent } from './events.js';

/** What hand_start and hand_result tell of a deck that was committed to. Nothing in it needs escaping. */

export function writeDealStart(w: ByteWriter, { handNumber, commitment, nonces, next }: DealStart): void {
  w.ascii(',"hand_number":').int(handNumber).ascii(`,"deck_commitment":"${commitment}","deal_nonces":[`);
  writeNonces(w, nonces, 'nonce');
  w.ascii(`],"next_deal":{"deck_commitment":"${next.commitment}","anchors":[`);
  writeNonces(w, next.anchors, 'anchor');
  w.ascii(']}');
}

function writeNonces(w: ByteWriter, nonces: readonly DealNonce[], name: string): void {
  w.ascii(nonces.map(({ seat, nonce }) => `{"seat":${seat},"${name}":"${nonce}"}`).join());
}

/** The shared part: all that is needed for the commitment, and what opens the cards that everybody saw. */
export function writeProof(w: ByteWriter, event: ResultEvent): void {
  const { deal } = event;
  if (deal === null) return;
  w.ascii(',"deal_proof":{"hashes":["').ascii(deal.deck.hashes.join('","')).ascii(`"],"rest":"${deal.deck.rest}"`);
  w.ascii(',"opened":[')
    .ascii(openings(deal.shared(dealtHand(event))))
    .ascii(']}');
}

/** The tail of a dealt-in player's hand_result: what opens its own cards. */
export function writeOwnOpened(w: ByteWriter, event: ResultEvent, seat: number): void {
  if (event.deal === null) return;
  w.ascii(',"own_opened":[')
    .ascii(openings(event.deal.own(dealtHand(event), seat)))
    .ascii(']');
}

const openings = (opened: readonly Opening[]): string =>
  opened.map(({ index, card, salt }) => `{"index":${index},"card":"${card}","salt":"${salt}"}`).join();

function dealtHand({ players, button, shown, boardCount }: ResultEvent): DealtHand {
  return { seats: players.map(({ seat }) => seat), button, shown, boardCount };
}
