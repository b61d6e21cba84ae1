import { HandFileError, type FileFormat, type FilePart, type UnreadableHand } from './file.js';
import type { ReplayHand } from './hand.js';
import { readPhh } from './phh/read.js';
import { looksLikePhh, splitPhh } from './phh/sections.js';
import { readPokerStars } from './pokerstars/read.js';
import { looksLikePokerStars, splitPokerStars } from './pokerstars/split.js';
import { looksLikeCsv, splitCsv } from './records/csv.js';
import { readCsv, readJson } from './records/read.js';
import { splitJson } from './records/split.js';
import { foreignRoom } from './rooms.js';

const SPLIT: Readonly<Record<FileFormat, (text: string) => FilePart[]>> = {
  phh: splitPhh,
  pokerstars: splitPokerStars,
  json: splitJson,
  csv: splitCsv,
};

/** The hands of a file, not read. @throws {HandFileError} for a file of no known format, or without a hand */
export function splitHandFile(text: string): FilePart[] {
  const format = formatOf(text);
  const parts = format === null ? [] : SPLIT[format](text);
  if (parts.length > 0) return parts;
  const room = foreignRoom(text);
  if (room !== null) throw new HandFileError(`The file is of ${room}, which is not read here.`, 1);
  throw new HandFileError('The file holds no hand that is known: PHH, PokerStars text, or our own JSON and CSV.', 1);
}

function formatOf(text: string): FileFormat | null {
  if (/^[\s\uFEFF]*\{/.test(text)) return 'json';
  if (looksLikeCsv(text)) return 'csv';
  if (looksLikePokerStars(text)) return 'pokerstars';
  if (looksLikePhh(text)) return 'phh';
  return /^[\s\uFEFF]*\[/.test(text) ? 'json' : null;
}

/** Reads and reconciles one hand of a file. @throws {HandFileError} */
export function readHand(text: string, part: FilePart): ReplayHand {
  const own = text.slice(part.from, part.to);
  switch (part.format) {
    case 'phh':
      return readPhh(own, part.line);
    case 'pokerstars':
      return readPokerStars(own, part.line);
    case 'json':
      return readJson(own, part.line);
    case 'csv':
      return readCsv(text, part);
  }
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
