import type { ReplayHand } from '../../src/formats/hand.js';
import { ownHands } from './own.js';
import { phhHands } from './phh.js';
import { pokerStarsHands } from './pokerstars.js';
import { FileError } from './writer.js';

export { FileError } from './writer.js';

/** Files above this many characters are refused: some 10,000 hands. */
export const MOST_CHARACTERS = 30_000_000;

/** The hands of a file, whatever its form. @throws {FileError} */
export function readHands(text: string): ReplayHand[] {
  if (text.length > MOST_CHARACTERS) throw new FileError('The file is too large: 30 MB at most.');
  const start = text.trimStart().replace(/^\uFEFF/, '');
  const hands = start.startsWith('{') || /^\[\s*[{\]]/.test(start) ? ownHands(start) : textHands(start);
  if (hands.length === 0)
    throw new FileError('The file holds no hand that is known: PHH, PokerStars, or our own JSON.');
  return hands;
}

const textHands = (text: string) => (/^PokerStars /m.test(text) ? pokerStarsHands(text) : phhHands(text));
