/** The part of TOML that PHH files are written in: tables, texts, numbers, dates and times as texts, arrays. */
export type TomlField = number | string | boolean | TomlField[];

export interface TomlTable {
  /** Null before the first header. */
  name: string | null;
  fields: Map<string, TomlField>;
}

/** The tables of a file. @throws {Error} at the first thing that is not understood */
export function tomlTables(text: string): TomlTable[] {
  const tables: TomlTable[] = [{ name: null, fields: new Map() }];
  const rest = new Cursor(text);
  while ((rest.skip(/^(?:\s|#.*)*/), !rest.atEnd)) {
    const header = rest.take(/^\[([\w.-]+)\]/);
    if (header !== null) {
      tables.push({ name: header[1]!, fields: new Map() });
      continue;
    }
    const [, key] = rest.must(/^([\w-]+)[ \t]*=[ \t]*/);
    const { fields } = tables.at(-1)!;
    if (fields.has(key!)) throw new Error(`${key} is there twice`);
    fields.set(key!, valueOf(rest));
    rest.must(/^[ \t]*(?:#.*)?(?:\r?\n|$)/);
  }
  return tables.filter(({ fields }) => fields.size > 0);
}

function valueOf(rest: Cursor): TomlField {
  if (rest.take(/^\[/) !== null) {
    const list: TomlField[] = [];
    while ((rest.skip(/^(?:\s|#.*)*/), rest.take(/^\]/) === null)) {
      list.push(valueOf(rest));
      rest.skip(/^(?:\s|#.*)*/);
      if (rest.take(/^,/) === null) {
        rest.must(/^\]/);
        break;
      }
    }
    return list;
  }
  const literal = rest.take(/^'([^'\n]*)'/) ?? rest.take(/^"([^"\\\n]*)"/);
  if (literal !== null) return literal[1]!;
  const [word] = rest.must(/^[\w.:+-]+/);
  if (word === 'true' || word === 'false') return word === 'true';
  return /^[+-]?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
}

class Cursor {
  #at = 0;

  constructor(private readonly text: string) {}

  get atEnd(): boolean {
    return this.#at >= this.text.length;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.text.slice(this.#at, this.#at + 4000));
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  must(pattern: RegExp): RegExpExecArray {
    const match = this.take(pattern);
    if (match === null) throw new Error(`not TOML: ${this.text.slice(this.#at, this.#at + 60)}`);
    return match;
  }

  skip(pattern: RegExp): void {
    while ((this.take(pattern)?.[0] ?? '') !== '');
  }
}
