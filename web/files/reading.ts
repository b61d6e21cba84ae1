import {
  HandFileError,
  readHand,
  splitHandFile,
  type FilePart,
  type ReplayHand,
  type UnreadableHand,
} from '../../src/formats/index.js';
import type { FileProgress, HandRow } from './messages.js';

interface ReadPart extends HandRow {
  part: FilePart;
}

/** A file that is read hand by hand. A hand is read again when it is asked for: only its place and its row are kept. */
export class HandFileReading {
  readonly #parts: readonly FilePart[];
  readonly #hands: ReadPart[] = [];
  readonly #unreadable: UnreadableHand[] = [];
  #next = 0;

  /** `onFault` gets the errors that no file should cause. @throws {HandFileError} for a file of no known format */
  constructor(
    private readonly text: string,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.#parts = splitHandFile(text);
  }

  get progress(): FileProgress {
    const [found, read] = [this.#parts.length, this.#next];
    return { found, read, hands: this.#hands.length, unreadable: this.#unreadable.length };
  }

  /** Reads the next hand; false after the last. */
  readNext(): boolean {
    const part = this.#parts[this.#next];
    if (part === undefined) return false;
    this.#next++;
    try {
      const { title, players } = readHand(this.text, part);
      this.#hands.push({ part, number: part.number, title, players: players.map(({ name }) => name).join(', ') });
    } catch (error) {
      this.#unreadable.push({ number: part.number, ...this.#reasonOf(error, part) });
    }
    return true;
  }

  hand(index: number): ReplayHand | null {
    const read = this.#hands[index];
    return read === undefined ? null : readHand(this.text, read.part);
  }

  /** Where the hand with this number of the file is, or the next that can be replayed, or else the last. */
  indexOf(number: number): number {
    let [low, high] = [0, this.#hands.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#hands[middle]!.number < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  rows(from: number, size: number): HandRow[] {
    return this.#hands.slice(from, from + size).map(({ number, title, players }) => ({ number, title, players }));
  }

  unreadable(from: number, size: number): UnreadableHand[] {
    return this.#unreadable.slice(from, from + size);
  }

  #reasonOf(error: unknown, part: FilePart): Pick<UnreadableHand, 'line' | 'reason'> {
    if (error instanceof HandFileError) return { line: error.line, reason: error.message };
    this.onFault(error);
    return { line: part.line, reason: `The reader of this page failed: ${String(error)}.` };
  }
}
