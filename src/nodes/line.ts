/** What is said over a line: `number` counts from 1, `heard` is the number of the last that was read from the other side. */
export type Say<Out> = (number: number, heard: number, item: Out) => void;

/** Bytes that may wait to be confirmed: what a link breaks for, too. */
export const MOST_KEPT = 8 * 1024 * 1024;

interface Kept<Out> {
  item: Out;
  bytes: number;
}

/**
 * One side of what two nodes say to each other about one shard, over a link that breaks and heals. Both sides number what
 * they say and keep it until the other has confirmed it; when the link stands again each hears how far the other has read,
 * and says the rest again. So all of it is read once, in order, however often the link breaks. A line that has to keep
 * too much is over, and so is the shard.
 *
 * Pure: it writes by `say`, and never by itself.
 */
export class Line<Out> {
  /** Said and not confirmed, the oldest first; the first has the number `#confirmed + 1`. */
  readonly #kept: Kept<Out>[] = [];
  #bytes = 0;
  #confirmed = 0;
  #read = 0;
  /** How far the other knows that we have read, unless it was lost. */
  #answered = 0;
  /** What is said leaves at once. */
  #open = false;
  /** The number that is said next. */
  #next = 1;
  #saying = false;

  constructor(
    private readonly say: Say<Out>,
    private readonly most = MOST_KEPT,
  ) {}

  /** The number of the last that was read. Whoever asks tells the other. */
  get heard(): number {
    return (this.#answered = this.#read);
  }

  /** Something was read that the other has not been told of. */
  get owes(): boolean {
    return this.#answered < this.#read;
  }

  /** Bytes that are kept. */
  get kept(): number {
    return this.#bytes;
  }

  get open(): boolean {
    return this.#open;
  }

  /** Says it now, or when the line is open again. False: more is kept than may be, the line is over. */
  send(item: Out, bytes: number): boolean {
    this.#kept.push({ item, bytes });
    this.#bytes += bytes;
    this.#sayRest();
    return this.#bytes <= this.most;
  }

  /** The link broke, or nothing may be said: from now on all is kept. */
  shut(): void {
    this.#open = false;
  }

  /** The link stands, and the other has read so far: says the rest again. False: it cannot have read that. */
  goOn(heard: number): boolean {
    this.#open = false;
    if (heard < this.#confirmed || !this.confirmed(heard)) return false;
    this.#open = true;
    this.#next = heard + 1;
    this.#sayRest();
    return true;
  }

  /** Within a process the other has read and answered before `say` returns: what comes of that is said after it. */
  #sayRest(): void {
    if (this.#saying) return;
    this.#saying = true;
    try {
      // Whoever writes may find that the link is broken.
      while (this.#open && this.#next <= this.#confirmed + this.#kept.length) {
        const { item } = this.#kept[this.#next - this.#confirmed - 1]!;
        this.say(this.#next++, this.heard, item);
      }
    } finally {
      this.#saying = false;
    }
  }

  /** The other has read so far. False: that was never said. */
  confirmed(heard: number): boolean {
    const count = heard - this.#confirmed;
    if (count > this.#kept.length) return false;
    if (count <= 0) return true;
    for (const { bytes } of this.#kept.splice(0, count)) this.#bytes -= bytes;
    this.#confirmed = heard;
    this.#next = Math.max(this.#next, heard + 1);
    return true;
  }

  /**
   * Something was read. next: it is the next; again: it was read before; false: nobody can have said it, the line is over.
   */
  arrived(number: number, heard: number): 'next' | 'again' | 'false' {
    if (!this.confirmed(heard)) return 'false';
    if (number <= this.#read) return 'again';
    if (number !== this.#read + 1) return 'false';
    this.#read = number;
    return 'next';
  }
}
