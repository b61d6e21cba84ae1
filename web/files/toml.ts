import { FileError } from './writer.js';

/** As much of TOML as PHH files use: numbers, texts, bare times, lists, sections, comments. */
export type TomlValue = string | number | boolean | TomlValue[];

export interface TomlSection {
  /** Null before the first head. */
  name: string | null;
  values: Record<string, TomlValue>;
}

export function tomlSections(text: string): TomlSection[] {
  const reader = new Reader(text);
  const sections: TomlSection[] = [{ name: null, values: {} }];
  for (;;) {
    reader.skipSpace();
    if (reader.done) return sections;
    if (reader.take('[')) {
      sections.push({ name: reader.until(']'), values: {} });
      continue;
    }
    const key = reader.key();
    reader.skipSpace();
    if (!reader.take('=')) throw reader.error(`"${key}" has no value`);
    sections.at(-1)!.values[key] = reader.value();
  }
}

class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  get done(): boolean {
    return this.#at >= this.text.length;
  }

  error(what: string): FileError {
    const line = this.text.slice(0, this.#at).split('\n').length;
    return new FileError(`Line ${line}: ${what}.`);
  }

  /** Space, ends of lines and comments. */
  skipSpace(): void {
    for (;;) {
      const rest = /^(?:\s+|#[^\n]*)/.exec(this.text.slice(this.#at, this.#at + 4096));
      if (rest === null) return;
      this.#at += rest[0].length;
    }
  }

  take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  until(character: string): string {
    const end = this.text.indexOf(character, this.#at);
    if (end < 0) throw this.error(`${character} is missing`);
    const taken = this.text.slice(this.#at, end);
    this.#at = end + 1;
    return taken.trim();
  }

  key(): string {
    const key = /^[\w-]+/.exec(this.text.slice(this.#at, this.#at + 200))?.[0];
    if (key === undefined) throw this.error('here a name should stand');
    this.#at += key.length;
    return key;
  }

  value(): TomlValue {
    this.skipSpace();
    if (this.take('[')) return this.#list();
    if (this.take("'")) return this.until("'");
    if (this.take('"')) return this.#quoted();
    const word = /^[^\s,\]#]+/.exec(this.text.slice(this.#at, this.#at + 200))?.[0];
    if (word === undefined) throw this.error('a value is missing');
    this.#at += word.length;
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word.replaceAll('_', ''));
    return Number.isNaN(number) ? word : number;
  }

  #list(): TomlValue[] {
    const values: TomlValue[] = [];
    for (;;) {
      this.skipSpace();
      if (this.take(']')) return values;
      values.push(this.value());
      this.skipSpace();
      if (!this.take(',') && this.text[this.#at] !== ']') throw this.error('a comma or a bracket is missing');
    }
  }

  #quoted(): string {
    const found = /^((?:[^"\\\n]|\\.)*)"/.exec(this.text.slice(this.#at));
    if (found === null) throw this.error('a quote is missing');
    this.#at += found[0].length;
    return found[1]!.replace(/\\(.)/g, '$1');
  }
}
