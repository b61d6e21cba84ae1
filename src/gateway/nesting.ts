/** How deep a client's frame may nest (PROTOCOL.md, "Limits of a socket"). */
export const MAX_NESTING = 8;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])];

/**
 * Whether a JSON text nests deeper than `levels`; looked at before it is parsed, since the parser's stack and what it
 * builds are what deep nesting costs. Stops at the first bracket too many. Of a text that is no JSON it may say either.
 */
export function nestsDeeper(text: string, levels: number): boolean {
  // What bots say has one brace, so it is settled by two searches.
  if (text.indexOf('{', 1) < 0 && text.indexOf('[', 1) < 0) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      if (++depth > levels) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}

/** Where the string that opens at `start` closes; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
