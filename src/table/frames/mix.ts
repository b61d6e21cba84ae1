import { Act } from '../../holdem/types.js';
import type { ResultEvent } from '../events.js';
import type { DrawnMix, MixedPart } from '../mix.js';
import { asciiBytes, type ByteWriter } from './byte-writer.js';
import { ACTION_NAMES, key } from './words.js';

/** Mixed actions on the wire (protocol.md, "Mixed actions"). Only their own player reads them. */

const DRAWN = asciiBytes(',"drawn":{"action":"');
const OWN_DICE = key('own_dice');

/** `,"drawn":{…}` of an acknowledgement. */
export function writeDrawn(w: ByteWriter, { parts, number, u, part }: DrawnMix): void {
  w.bytes(DRAWN);
  writeAction(w, parts[part]!);
  w.ascii(',"part":').int(part).ascii(`,"u":${u},"number":`).int(number).ascii('}');
}

/** `,"own_dice":{…}` of a hand_result: nothing where the seat did not mix, or the deck was not committed to. */
export function writeOwnDice(w: ByteWriter, { actions, deal }: ResultEvent, seat: number): void {
  const mixes = actions.flatMap(({ seat: actor, mix }) => (actor === seat && mix ? [mix] : []));
  const dice = mixes.length === 0 ? null : (deal?.ownDice(seat) ?? null);
  if (dice === null) return;
  const hashes = dice.hashes.map((each) => `"${each}"`).join();
  w.bytes(OWN_DICE).ascii(`{"seed":"${dice.seed}","undealt":"${dice.undealt}","hashes":[${hashes}],"mixes":[`);
  mixes.forEach(({ parts, number, u, part }, i) => {
    w.ascii(i === 0 ? '{"number":' : ',{"number":').int(number);
    w.ascii(`,"u":${u},"part":`).int(part).ascii(',"parts":[');
    parts.forEach((each, k) => {
      w.ascii(k === 0 ? '{"action":"' : ',{"action":"');
      writeAction(w, each);
      w.ascii(`,"p":${each.p}}`);
    });
    w.ascii(']}');
  });
  w.ascii(']}');
}

/** The most bytes of `own_dice`. */
export function ownDiceBytes({ actions }: Pick<ResultEvent, 'actions'>): number {
  const parts = actions.reduce((sum, { mix }) => sum + (mix?.parts.length ?? 0) + (mix ? 1 : 0), 0);
  return parts === 0 ? 0 : 640 + 96 * parts;
}

/** The rest of an object that began with `"action":"`: its amount is a raise's alone. */
function writeAction(w: ByteWriter, { act, amount }: MixedPart): void {
  w.ascii(ACTION_NAMES[act]).ascii('"');
  if (act === Act.raise) w.ascii(',"amount":').int(amount!);
}
