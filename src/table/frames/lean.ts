import { asciiBytes, jsonAscii, type ByteWriter } from './byte-writer.js';
import type { Legal } from '../../holdem/types.js';
import type { ResultEvent } from '../events.js';
import type { HandInPlay } from '../hand/hand-in-play.js';
import { writeFinalStacks, writeShownCards, writeWins } from './event.js';
import { writeDrawn } from './mix.js';
import { writeClock, writeValidActions, type TakenAction } from './private.js';
import { ACTION_NAMES, STREET_NAMES, writeCards, writeIntOrNull } from './words.js';

/**
 * The frames of sockets that prefer speed to comfort (protocol.md, "Lean"). They are the cards, each own turn with all
 * actions since the last one, an acknowledgement and the result. They have no time and no hash, and nothing that
 * follows from the rest.
 */

const TABLE_SEQ = asciiBytes(',"table_seq":');

/** `{"type":…,"table_id":…,"hand_id":…,"table_seq":…`, the first two of a table made once, the hand's once a hand. */
export class LeanHead {
  readonly #tableId: string;
  #handId = '';
  #hand = asciiBytes('');
  #turn = asciiBytes('');
  #result = asciiBytes('');

  constructor(tableId: string) {
    this.#tableId = jsonAscii(tableId);
  }

  open(w: ByteWriter, type: 'hand' | 'turn' | 'result', handId: string, tableSeq: number): void {
    if (handId !== this.#handId) {
      const head = (of: string) => asciiBytes(`{"type":"${of}","table_id":${this.#tableId},"hand_id":"${handId}"`);
      this.#handId = handId;
      this.#hand = head('hand');
      this.#turn = head('turn');
      this.#result = head('result');
    }
    w.bytes(type === 'turn' ? this.#turn : type === 'hand' ? this.#hand : this.#result);
    w.bytes(TABLE_SEQ).int(tableSeq);
  }
}

/** The players with posted blinds, and the own cards. */
export function writeHand(w: ByteWriter, play: HandInPlay, seat: number): void {
  const { hand } = play;
  const { button, smallBlind, bigBlind } = hand.setup;
  w.ascii(',"seat":').int(seat).ascii(',"dealer_seat":').int(button);
  w.ascii(',"blinds":{"small_blind":').int(smallBlind).ascii(',"big_blind":').int(bigBlind);
  let before = '},"players":[{"seat":';
  for (const player of play.players) {
    const bet = postedBy(play, player.seat);
    w.ascii(before).int(player.seat).ascii(',"name":').ascii(player.nameJson);
    w.ascii(',"stack":')
      .int(play.seats[player.seat]!.stack - bet)
      .ascii(',"bet":')
      .int(bet)
      .ascii('}');
    before = ',{"seat":';
  }
  w.ascii('],"hole_cards":');
  writeCards(w, hand.hole, 2 * seat, 2 * seat + 2);
  w.ascii('}');
}

/** The chips that a seat posted. A short stack posts less. */
function postedBy({ hand, seats }: HandInPlay, seat: number): number {
  const { smallBlind, bigBlind, returns } = hand.setup;
  const whole = seat === hand.bigBlindSeat || (returns & (1 << seat)) !== 0;
  const blind = whole ? bigBlind : seat === hand.smallBlindSeat ? smallBlind : 0;
  return Math.min(blind, seats[seat]!.stack);
}

/** The own turn with so many ms left, and the actions from number `first` of the hand on. */
export function writeTurn(w: ByteWriter, play: HandInPlay, first: number, legal: Legal, leftMs: number): void {
  const { hand } = play;
  writeActions(w, play, first);
  w.ascii(',"board":');
  writeCards(w, hand.boardCards, 0, play.boardCount);
  w.ascii(',"pot":').int(hand.pot);
  writeValidActions(w, legal);
  writeClock(w, play, leftMs);
}

/** The end of the hand, with the actions from number `first` on. */
export function writeResult(w: ByteWriter, play: HandInPlay, first: number, event: ResultEvent): void {
  writeActions(w, play, first);
  w.ascii(',"board":');
  writeCards(w, event.board, 0, event.boardCount);
  writeWins(w, event);
  writeShownCards(w, event);
  writeFinalStacks(w, event);
  w.ascii('}');
}

const ACTION = ACTION_NAMES.map((name) => asciiBytes(`,"action":"${name}","amount":`));
const STREET = STREET_NAMES.map((name) => asciiBytes(`,"street":"${name}"}`));

/** Lines as those of hand_result. `first` tells how many came before: 0 is the whole hand so far. */
function writeActions(w: ByteWriter, { actions }: HandInPlay, first: number): void {
  w.ascii(',"first":').int(first).ascii(',"actions":[');
  for (let i = first; i < actions.length; i++) {
    const { seat, act, amount, street } = actions[i]!;
    w.ascii(i === first ? '{"seat":' : ',{"seat":')
      .int(seat)
      .bytes(ACTION[act]!);
    writeIntOrNull(w, amount);
    w.bytes(STREET[street]!);
  }
  w.ascii(']');
}

/** A complete `ack` frame. A client that gave no id (loose form) reads null. */
export function writeLeanAck(w: ByteWriter, clientId: string | null, taken: TakenAction): void {
  w.ascii('{"type":"ack","client_action_id":');
  if (clientId === null) w.ascii('null');
  else w.string(clientId);
  if (taken.freeFold) w.ascii(',"taken_as":"check"');
  if (taken.mix !== null) writeDrawn(w, taken.mix);
  w.ascii('}');
}
