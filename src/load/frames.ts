import { numberAfter } from './choice.js';

/** The bytes of a frame that a bot reads instead of parsing it. */

export const CODE = { quote: 0x22, a: 0x61, e: 0x65, h: 0x68, l: 0x6c, p: 0x70, r: 0x72, s: 0x73, t: 0x74, y: 0x79 } as const; // prettier-ignore
const CLOSING_BRACE = 0x7d;
const COLON = 0x3a;
const DIGIT_0 = 0x30;
/** `{"stream":"event"` and `{"stream":"state"` differ here. */
export const STREAM_LETTER = 11;
/** No envelope is so short that its `"type":` begins before. */
const SHORTEST_ENVELOPE = 100;
/** The place of the first letter of the type in `{"type":"`. */
const TYPE_LETTER = 9;
const FINAL_STACKS = Buffer.from('"final_stacks":{');

/** Where the name of an event's type starts, 0 where there is none. The envelope before it has no other `"type"`. */
export function typeAt(bytes: Buffer, start: number, end: number): number {
  for (let at = start + SHORTEST_ENVELOPE; at < end - 10; at++) {
    if (
      bytes[at] === CODE.t &&
      bytes[at + 1] === CODE.y &&
      bytes[at + 2] === CODE.p &&
      bytes[at + 3] === CODE.e &&
      bytes[at + 4] === CODE.quote
    ) {
      return at + 7;
    }
  }
  return 0;
}

/** The frames that only lean sockets read (protocol.md, "Lean"). */
export type LeanWord = 'hand' | 'turn' | 'ack' | 'result';

/** The type of a lean frame that begins with `{"type":"`, by its first letter and its length; null of others. */
export function leanWordAt(bytes: Buffer, start: number): LeanWord | null {
  const at = start + TYPE_LETTER;
  switch (bytes[at]) {
    case CODE.h:
      return bytes[at + 4] === CODE.quote ? 'hand' : null;
    case CODE.t:
      return bytes[at + 4] === CODE.quote ? 'turn' : null;
    case CODE.a:
      return bytes[at + 3] === CODE.quote ? 'ack' : null;
    case CODE.r:
      return bytes[at + 6] === CODE.quote ? 'result' : null;
    default:
      return null;
  }
}

/** How many actions the hand has had, by a lean turn or result: those told before, and the lines of this one. */
export function actionsPlayed(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('"street":'); at >= 0; at = text.indexOf('"street":', at + 1)) lines++;
  return numberAfter(text, '"first":') + lines;
}

/** How many players the hand of a result was dealt to, and whether to this seat: `final_stacks` has them by seat. */
export function dealtTo(bytes: Buffer, start: number, seat: number): { players: number; mine: boolean } | null {
  const stacks = bytes.indexOf(FINAL_STACKS, start);
  if (stacks < 0) return null;
  let players = 0;
  let mine = false;
  for (let at = stacks + FINAL_STACKS.length; bytes[at] !== CLOSING_BRACE; at++) {
    if (bytes[at] !== COLON) continue;
    players++;
    // {"SEAT":
    if (bytes[at - 2]! - DIGIT_0 === seat) mine = true;
  }
  return { players, mine };
}

/** Whether a bot reads lean frames where so many of a hundred do: they are spread evenly. */
export const isLeanBot = (bot: number, percent: number): boolean =>
  Math.floor(((bot + 1) * percent) / 100) > Math.floor((bot * percent) / 100);
