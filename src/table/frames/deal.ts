import type { PlayerNonce, Opening } from '../../cards/committed-deck.js';
import { asciiBytes, type ByteWriter } from './byte-writer.js';
import type { StartedDeal, DealtHand } from '../deal/deal.js';
import type { ResultEvent } from '../events.js';
import { writeOwnDice } from './mix.js';
import { key } from './words.js';

/** The commitment's part of hand_start and hand_result. Nothing in it needs escaping. */

const HAND_NUMBER = key('hand_number');
const DECK_COMMITMENT = asciiBytes(',"deck_commitment":"');
const DEAL_NONCES = asciiBytes('","deal_nonces":[');
const NEXT_DEAL = asciiBytes('],"next_deal":{"deck_commitment":"');
const ANCHORS = asciiBytes('","anchors":[');

export function writeDealStart(w: ByteWriter, { handNumber, commitment, nonces, next }: StartedDeal): void {
  w.bytes(HAND_NUMBER).int(handNumber).bytes(DECK_COMMITMENT).ascii(commitment).bytes(DEAL_NONCES);
  writeNonces(w, nonces, ',"nonce":"');
  w.bytes(NEXT_DEAL).ascii(next.commitment).bytes(ANCHORS);
  writeNonces(w, next.anchors, ',"anchor":"');
  w.ascii(']}');
}

function writeNonces(w: ByteWriter, nonces: readonly PlayerNonce[], name: string): void {
  let before = '{"seat":';
  for (const { seat, nonce } of nonces) {
    w.ascii(before).int(seat).ascii(name).ascii(nonce).ascii('"}');
    before = ',{"seat":';
  }
}

const DEAL_PROOF = asciiBytes(',"deal_proof":{"hashes":[');
const REST = asciiBytes('],"rest":"');
const OPENED = asciiBytes('","opened":[');
const OWN_OPENED = asciiBytes(',"own_opened":[');

/** The shared part: all that is needed for the commitment, and what opens the cards that everybody saw. */
export function writeProof(w: ByteWriter, event: ResultEvent): void {
  const { deal } = event;
  if (deal === null) return;
  w.bytes(DEAL_PROOF);
  let before = '"';
  for (const leaf of deal.deck.hashes) {
    w.ascii(before).ascii(leaf).ascii('"');
    before = ',"';
  }
  w.bytes(REST).ascii(deal.deck.rest).bytes(OPENED);
  writeOpenings(w, deal.shared(dealtHand(event)));
  w.ascii(']}');
}

/** The tail of a dealt-in player's hand_result: what opens its own cards, and the dice of its mixed actions. */
export function writeOwnOpened(w: ByteWriter, event: ResultEvent, seat: number): void {
  if (event.deal === null) return;
  w.bytes(OWN_OPENED);
  writeOpenings(w, event.deal.own(dealtHand(event), seat));
  w.ascii(']');
  writeOwnDice(w, event, seat);
}

function writeOpenings(w: ByteWriter, openings: readonly Opening[]): void {
  let before = '{"index":';
  for (const { index, card, salt } of openings) {
    w.ascii(before).int(index).ascii(',"card":"').ascii(card).ascii('","salt":"').ascii(salt).ascii('"}');
    before = ',{"index":';
  }
}

function dealtHand({ players, button, shown, boardCount }: ResultEvent): DealtHand {
  return { seats: players.map(({ seat }) => seat), button, shown, boardCount };
}
