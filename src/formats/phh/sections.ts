import { parse, TomlError, type TomlTable } from 'smol-toml';
import { HandFileError, type FilePart } from '../file.js';

/** A head of a section that a key follows: "[12]". A line of a list of lists is no head. */
const HEAD = /^[ \t]*\[[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w.-]+)[ \t]*\][ \t]*(?:#.*)?\r?$(?=(?:\s|#.*$)*["'\w.-]+\s*=)/gm;
/** Fields that only a hand has. */
const FIELD = /^[ \t]*["']?(?:variant|antes|blinds_or_straddles|min_bet|starting_stacks|actions)["']?[ \t]*=/m;

export const looksLikePhh = (text: string): boolean => FIELD.test(text);

/** The hands of a .phh or .phhs file. Other sections belong to the hand before them. */
export function splitPhh(text: string): FilePart[] {
  const heads = [...text.matchAll(HEAD)].map(({ index }) => index);
  const bounds = [0, ...heads, text.length];
  const parts: FilePart[] = [];
  let line = 1;
  for (const [i, from] of bounds.slice(0, -1).entries()) {
    const to = bounds[i + 1]!;
    const piece = text.slice(from, to);
    const last = parts.at(-1);
    if (FIELD.test(piece)) parts.push({ number: parts.length + 1, line, from, to, format: 'phh' });
    else if (last !== undefined) last.to = to;
    line += newlinesIn(piece);
  }
  return parts;
}

/** The fields of one hand, the name of its section, and the lines on which they stand. */
export class PhhSection {
  readonly name: string | null;
  readonly values: TomlTable;

  /** @throws {HandFileError} where the text is not TOML */
  constructor(
    private readonly text: string,
    private readonly line: number,
  ) {
    const root = parsed(text, line);
    const [name, values] = Object.entries(root).find(([, value]) => isHand(value)) ?? [null, null];
    const own = isHand(root);
    this.name = own ? null : name;
    this.values = own || values === null ? root : (values as TomlTable);
  }

  /** The line of a field, or of the nth of its texts. */
  lineOf(key: string, values: readonly string[] = [], nth = -1): number {
    const field = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*=`, 'm').exec(this.text);
    let at = field?.index ?? 0;
    for (const value of values.slice(0, nth + 1)) {
      const found = this.text.indexOf(value, at);
      if (found >= 0) at = found;
    }
    return this.line + newlinesIn(this.text.slice(0, at));
  }

  get lastLine(): number {
    return this.line + newlinesIn(this.text.trimEnd());
  }

  fail(message: string, key: string): never {
    throw new HandFileError(message, this.lineOf(key));
  }
}

function parsed(text: string, line: number): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [, what = ''] = /^Invalid TOML document: (.*)/.exec(error.message) ?? [];
    throw new HandFileError(`This is not TOML: ${what}.`, line + error.line - 1);
  }
}

const isHand = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('variant' in value || 'actions' in value || 'antes' in value);

/** How many lines end in a text. */
function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
