import { HandFileError, type FilePart, type UnreadableHand } from './file.js';
import type { ReplayHand } from './hand.js';

/** The hands of a file, unread. @throws {HandFileError} for a file of no known format */
export function splitHandFile(_text: string): FilePart[] {
  throw new HandFileError('The file holds no hand that is known: PHH, PokerStars, or our own JSON.', 1);
}

/** Reads and reconciles one hand of a file. @throws {HandFileError} */
export function readHand(_text: string, part: FilePart): ReplayHand {
  throw new HandFileError('The hand is of no known format.', part.line);
}

/** All hands of a file. A hand that cannot be read is listed, and the others are read. @throws {HandFileError} */
export function readHandFile(text: string): { hands: ReplayHand[]; unreadable: UnreadableHand[] } {
  const hands: ReplayHand[] = [];
  const unreadable: UnreadableHand[] = [];
  for (const part of splitHandFile(text)) {
    try {
      hands.push(readHand(text, part));
    } catch (error) {
      if (!(error instanceof HandFileError)) throw error;
      unreadable.push({ number: part.number, line: error.line, reason: error.message });
    }
  }
  return { hands, unreadable };
}
