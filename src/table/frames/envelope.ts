import { asciiBytes, jsonAscii, type ByteWriter } from './byte-writer.js';
import type { Stamp } from '../numbering.js';
import { writeTimestamp } from './timestamp.js';

/** Everything that comes with an envelope, and how its frame goes on after the time. */
const typed = (type: string) => asciiBytes(`","state_hash":null,"type":"${type}"`);
const answer = (type: string) => asciiBytes(`","type":"${type}"`);

export const FrameType = {
  hand_start: typed('hand_start'),
  hole_cards: typed('hole_cards'),
  your_turn: typed('your_turn'),
  player_action: typed('player_action'),
  community_cards: typed('community_cards'),
  hand_result: typed('hand_result'),
  table_joined: typed('table_joined'),
  player_joined: typed('player_joined'),
  player_left: typed('player_left'),
  table_closed: typed('table_closed'),
  resync_response: typed('resync_response'),
  /** Answers to the actor have no state_hash. */
  action_ack: answer('action_ack'),
  action_rejected: answer('action_rejected'),
} as const;

const HAND_SEQ = asciiBytes(',"hand_seq":');
const NO_HAND_SEQ = asciiBytes(',"hand_seq":null');

/** Writes the envelope of a table's events: `{"stream":"event",…,"type":"…"`, without the closing brace. */
export class Envelope {
  readonly #tablePrefix: string;
  /** Up to the table_seq, by the hand id it was made for; one hand follows the other, so one is enough. */
  #head: Uint8Array;
  #headFor: string | null = null;

  constructor(tableId: string) {
    this.#tablePrefix = `{"stream":"event","table_id":${jsonAscii(tableId)},"hand_id":`;
    this.#head = this.#headOf(null);
  }

  open(w: ByteWriter, stamp: Stamp, type: Uint8Array): void {
    if (stamp.handId !== this.#headFor) {
      this.#head = this.#headOf(stamp.handId);
      this.#headFor = stamp.handId;
    }
    w.bytes(this.#head);
    writeNumbers(w, stamp);
    w.bytes(type);
  }

  #headOf(handId: string | null): Uint8Array {
    return asciiBytes(`${this.#tablePrefix}${handId === null ? 'null' : jsonAscii(handId)},"table_seq":`);
  }
}

/** `…,"hand_seq":…,"ts":"…` with the quote of the time still open. */
function writeNumbers(w: ByteWriter, stamp: Stamp): void {
  w.int(stamp.tableSeq);
  if (stamp.handSeq === 0) w.bytes(NO_HAND_SEQ);
  else w.bytes(HAND_SEQ).int(stamp.handSeq);
  writeTimestamp(w, stamp.micros);
}
