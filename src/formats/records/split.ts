import type { FilePart } from '../file.js';

const OPENS = new Set(['{', '[']);
const CLOSES = new Set(['}', ']']);

/**
 * The hands of a JSON file: the elements of its list, or of the list `hands` of its object. Any other object is one
 * hand. A file that is cut in a hand has it as its last part.
 */
export function splitJson(text: string): FilePart[] {
  const scan = new Scan(text);
  const start = scan.skipSpace();
  const parts: FilePart[] = [];
  const part = (from: number, to: number) =>
    parts.push({ number: parts.length + 1, line: scan.lineAt(from), from, to, format: 'json' });
  const list = text[start] === '[' ? start : scan.listOf('hands');
  if (list === null) {
    part(start, text.length);
    return parts;
  }
  scan.at = list + 1;
  for (;;) {
    const from = scan.skipSpace();
    if (text[from] === ']') return parts;
    scan.skipValue();
    // A list that is cut off may have no rest: its end itself is unreadable.
    part(from, scan.at);
    scan.skipSpace();
    if (text[scan.at] === ',') scan.at++;
    else if (text[scan.at] !== ']') {
      if (scan.at > from && scan.at < text.length) part(scan.at, text.length);
      return parts;
    }
  }
}

/** Reads over JSON without making values of it. */
class Scan {
  at = 0;
  #line = 1;
  #counted = 0;

  constructor(private readonly text: string) {}

  /** The line of a place, from 1. Places are asked for in rising order. */
  lineAt(place: number): number {
    for (; this.#counted < place; this.#counted++) if (this.text[this.#counted] === '\n') this.#line++;
    return this.#line;
  }

  skipSpace(): number {
    while (this.at < this.text.length && /[\s\uFEFF]/.test(this.text[this.at]!)) this.at++;
    return this.at;
  }

  /** Moves behind a value: to the comma or bracket that follows, or to the end of a text that is cut. */
  skipValue(): void {
    const { text } = this;
    for (let depth = 0; this.at < text.length; this.at++) {
      const character = text[this.at]!;
      if (character === '"') this.#skipString();
      else if (OPENS.has(character)) depth++;
      else if (CLOSES.has(character)) {
        if (depth === 0) return;
        depth--;
      } else if (depth === 0 && character === ',') return;
    }
  }

  /** Where the list of a field of the outer object begins; null where it has no such list. */
  listOf(field: string): number | null {
    const { text } = this;
    const start = this.at;
    this.at++;
    while (this.skipSpace() < text.length && text[this.at] === '"') {
      const from = this.at;
      this.#skipString();
      const name = text.slice(from, ++this.at);
      this.skipSpace();
      if (text[this.at] !== ':') break;
      this.at++;
      const value = this.skipSpace();
      if (name === `"${field}"` && text[value] === '[') return value;
      this.skipValue();
      if (text[this.at] === ',') this.at++;
    }
    this.at = start;
    return null;
  }

  /** From a quote to the one that ends the text. */
  #skipString(): void {
    const { text } = this;
    for (this.at++; this.at < text.length && text[this.at] !== '"'; this.at++) if (text[this.at] === '\\') this.at++;
  }
}
