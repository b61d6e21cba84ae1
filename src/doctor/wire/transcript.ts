/** A message as it is on the wire, read without trust. */
export type Frame = Readonly<Record<string, unknown>> & { readonly type?: unknown };

/**
 * The speaker. `bot` is the bot, and `server` is the server as the bot read it. `kept` is the server, withheld from the
 * bot, and `doctor` is the doctor's own notes.
 */
export type Speaker = 'bot' | 'server' | 'kept' | 'doctor';

export interface Entry {
  /** ms since the case began. */
  at: number;
  /** Which of the bot's connections, from 1; 0: none. */
  line: number;
  from: Speaker;
  text: string;
  /** Null where the text is no JSON object. */
  frame: Frame | null;
}

/** All that was said in a case, in order. */
export class Transcript {
  readonly entries: Entry[] = [];
  readonly #started = performance.now();
  readonly #watchers = new Set<() => void>();

  /** ms since the case began. */
  get now(): number {
    return performance.now() - this.#started;
  }

  add(from: Speaker, line: number, text: string, at = this.now): Entry {
    const entry = {
      at,
      line,
      from,
      text,
      frame: from === 'doctor' ? null : read(text),
    };
    this.entries.push(entry);
    for (const watcher of [...this.#watchers]) watcher();
    return entry;
  }

  note(text: string): void {
    this.add('doctor', 0, text);
  }

  /** Something that is no message has changed: whoever waits looks again. */
  stir(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls at every entry, until the returned function is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

function read(text: string): Frame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Frame) : null;
  } catch {
    return null;
  }
}
