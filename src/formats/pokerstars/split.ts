import type { FilePart } from '../file.js';

/** The first line of a hand. */
export const HEADER = /^PokerStars (?:[A-Z]\w*\.? )*(?:Hand|Game) #(\d+)\b/;
const ANY_HEADER = new RegExp(`^[\\s\\uFEFF]*${HEADER.source.slice(1)}`, 'm');
/** "*********** # 1 **************" stands between the hands of an archive. */
const SEPARATOR = /^\*+ # \d+ \*+$/;
/** Lines after the head of a summary. */
const SUMMARY = /^(?:Total pot |Board \[|FIRST Board|SECOND Board|Hand was run|Hand cancelled|Seat \d+: )/;

export const looksLikePokerStars = (text: string): boolean => ANY_HEADER.test(text);

/** Files of old computers end their lines with a carriage return alone. */
export const lineEndOf = (text: string): string => (text.includes('\n') ? '\n' : '\r');

/**
 * The hands of a file of PokerStars text, and what stands between them. A hand begins at its header, or where a summary
 * has ended: what begins there is listed, whatever it is.
 */
export function splitPokerStars(text: string): FilePart[] {
  const parts: FilePart[] = [];
  const end = lineEndOf(text);
  let state: 'between' | 'hand' | 'summary' = 'between';
  let line = 0;
  for (let from = 0; from < text.length;) {
    const found = text.indexOf(end, from);
    const to = found < 0 ? text.length : found;
    line++;
    const start = skipSpace(text, from, to);
    const first = text.charCodeAt(start);
    const blank = start === to;
    // Most lines are of players, and need no closer look.
    const content = !blank && (first === LETTER_P || first === STAR || state !== 'hand') ? text.slice(start, to).trimEnd() : ''; // prettier-ignore
    if (first === LETTER_P && HEADER.test(content)) {
      parts.push({ number: parts.length + 1, line, from, to: text.length, format: 'pokerstars' });
      state = 'hand';
    } else if (SEPARATOR.test(content)) {
      state = 'between';
    } else if (content.startsWith('*** SUMMARY ***')) {
      state = 'summary';
    } else if (state === 'summary') {
      if (blank) state = 'between';
      else if (!SUMMARY.test(content)) state = begin(parts, line, from, text.length);
    } else if (state === 'between' && !blank) {
      state = begin(parts, line, from, text.length);
    }
    if (parts.length > 1 && parts.at(-1)!.from === from) parts.at(-2)!.to = from;
    from = to + 1;
  }
  return parts;
}

const [LETTER_P, STAR] = ['P'.charCodeAt(0), '*'.charCodeAt(0)];

function begin(parts: FilePart[], line: number, from: number, to: number): 'hand' {
  parts.push({ number: parts.length + 1, line, from, to, format: 'pokerstars' });
  return 'hand';
}

/** Also over the byte order marks between files that were joined. */
function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && SPACE.has(text.charCodeAt(at))) at++;
  return at;
}

const SPACE = new Set([0x20, 0x09, 0x0d, 0x0a, 0xa0, 0xfeff]);
