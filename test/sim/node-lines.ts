import { Line } from '../../src/nodes/line.js';
import type { Peer } from '../../src/nodes/peer.js';
import type { FrameBatch } from '../../src/table/outbox.js';
import { ensure } from './broken.js';

/** What goes over a line besides the words of the link itself; a number that is odd comes with a batch before it. */
export type LineWord = { goOn: number } | { heard: number } | { number: number; heard: number; item: number };

/** A batch of a line says so. */
const OF_LINE = 0xffff_ffff;

/**
 * A line between two nodes over their link, for as long as both live: whatever the link does, all that one side says the
 * other reads once and in order, and in the end all of it is read and confirmed.
 */
export class SimLine {
  said = 0;
  read = 0;
  /** Read since the last word of the line: it is of the next one, or of none where the link breaks. */
  #batch: number | null = null;
  readonly #line: Line<number>;

  constructor(
    private readonly peer: Peer<LineWord>,
    private readonly name: () => string,
  ) {
    this.#line = new Line((number, heard, item) => {
      if (item % 2 === 1) peer.frames(batchOf(item));
      peer.send({ number, heard, item });
    }, Infinity);
  }

  say(): void {
    this.#line.send(++this.said, 1);
  }

  confirm(): void {
    if (this.#line.owes) this.peer.send({ heard: this.#line.heard });
  }

  healed(): void {
    this.peer.send({ goOn: this.#line.heard });
  }

  broken(): void {
    this.#batch = null;
    this.#line.shut();
  }

  batch(batch: FrameBatch): void {
    this.#batch = wordsOf(batch)[1]!;
  }

  arrived(word: LineWord): void {
    if ('goOn' in word) ensure(this.#line.goOn(word.goOn), () => `${this.name()} cannot go on from ${word.goOn}`);
    else if ('item' in word) this.#item(word);
    else ensure(this.#line.confirmed(word.heard), () => `${this.name()} hears that ${word.heard} was read`);
  }

  #item({ number, heard, item }: { number: number; heard: number; item: number }): void {
    const what = () => `${this.name()} reads ${number} on its line after ${this.read}`;
    const batch = this.#batch;
    this.#batch = null;
    const arrival = this.#line.arrived(number, heard);
    ensure(arrival !== 'false', what);
    if (arrival === 'again') return;
    ensure(item === ++this.read, what);
    ensure(batch === (item % 2 === 1 ? item : null), () => `${what()}, with the batch ${batch}`);
  }

  judge(other: SimLine): void {
    ensure(
      other.read === this.said,
      () => `of ${this.said} that ${this.name()} said on its line ${other.read} was read`,
    );
  }
}

/** The two words that the only frame of a batch consists of. */
export const wordsOf = ({ bytes, index }: FrameBatch): Uint32Array => new Uint32Array(bytes.slice(index[1], index[2]));

export const isOfLine = (batch: FrameBatch): boolean => wordsOf(batch)[0] === OF_LINE;

function batchOf(item: number): FrameBatch {
  const words = Uint32Array.of(OF_LINE, item, 1, 0, 8);
  return { bytes: words.buffer, index: words.subarray(2) };
}
