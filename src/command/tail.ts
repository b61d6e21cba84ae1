import type { Readable } from 'node:stream';

const LINES = 60;

/** The last lines that a process wrote, to be shown when it fails. */
export class Tail {
  #lines: string[] = [];

  /** Keeps reading the stream; several may be read at once. */
  read(stream: Readable | null): this {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.#add(lines);
    });
    stream?.on('end', () => this.#add(rest === '' ? [] : [rest]));
    return this;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Each line after `name |`. */
  prefixed(name: string): string {
    return this.#lines.map((line) => `${name} | ${line}`).join('\n');
  }

  #add(lines: readonly string[]): void {
    this.#lines = [...this.#lines, ...lines].slice(-LINES);
  }
}
