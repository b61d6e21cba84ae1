/**
 * The text of a hand file. UTF-8, UTF-16 and windows-1252 are recognised. Each line that is not valid UTF-8 is decoded
 * alone, since users join files of several programs. A byte order mark at the start is dropped.
 */
export function decodeHandFile(bytes: Uint8Array): string {
  const wide = wideOf(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  return strictUtf8(bytes) ?? decodeLines(bytes);
}

/** Bytes that are looked at for the zeros of UTF-16. */
const SAMPLE = 4096;
const LINE_FEED = 0x0a;

/** By the byte order mark, or by the zero bytes that ASCII letters have in UTF-16: a text of one byte a letter has none. */
function wideOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros: [even: number, odd: number] = [0, 0];
  const sample = bytes.subarray(0, SAMPLE);
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i & 1]!++;
  const [even, odd] = zeros;
  if (even + odd < sample.length / 4) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null where the bytes are not valid UTF-8. */
function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function decodeLines(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed + 1;
    const line = bytes.subarray(from, end);
    parts.push(strictUtf8(line) ?? windows1252(line));
    from = end;
  }
  return parts.join('');
}

/** The letters of 0x80 to 0x9f. Node 20 decodes windows-1252 as ISO 8859-1, which has no € there. */
const LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function windows1252(line: Uint8Array): string {
  let text = '';
  for (const byte of line) text += byte >= 0x80 && byte < 0xa0 ? LETTERS[byte - 0x80]! : String.fromCharCode(byte);
  return text;
}
