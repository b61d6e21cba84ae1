import type { BreakReason } from './peer.js';

/** What each post says of the link it belongs to. */
export interface Head {
  /** Which of its links to the reader the sender means. It counts them for as long as it lives, and uses none twice. */
  own: number;
  /** The reader's, as far as the sender knows; 0: it knows of none. */
  other: number;
  /** By link and direction, from 1, no gaps. 0: a greeting, which only says which links there are. */
  number: number;
  /** The number of the last post that was read from the reader: it need not be kept in mind any more. */
  heard: number;
}

/** What a post that has arrived leads to, in this order. */
export interface Arrival {
  broken: BreakReason | null;
  healed: boolean;
  /** read: it is the next; late: of a link that is over; again: it was read before; false: nobody can have sent it. */
  what: 'read' | 'greeting' | 'late' | 'again' | 'false';
}

/** A link that does not stand yet is asked for so often: parts of the time in which it would break by silence. */
const GREETINGS = 20;
/** Who reads says how far, at the latest after this share of what may wait. */
const HEARD_SHARE = 8;

/**
 * One side of the link between two nodes, over a bus that may lose, repeat, delay and reorder. Both sides count their
 * links, and a pair of these numbers is used once: a side that breaks the link goes on to its next number, so no post
 * of the old link is ever taken for one of the new. It stands for a side that has heard from the other that it knows our
 * present number. Of a link that stands the posts are read in order, and the first one that is missing breaks it.
 *
 * Pure: times are given, in ms of a clock that never goes back.
 */
export class Link {
  #own = 1;
  #other = 0;
  #up = false;
  /** The last post each way. */
  #sent = 0;
  #read = 0;
  /** Sizes of the posts that the other has not read, as far as we know, the oldest first. */
  #sizes: number[] = [];
  #waiting = 0;
  /** What was read since we last said how far. */
  #unsaid = 0;
  #heardAt = 0;
  #spokeAt = -Infinity;
  /** The other waits for a word. */
  #owing = true;

  /** `silentMs`: after so long without a post the link is broken. `mostWaiting`: bytes that may wait to be read. */
  constructor(
    private readonly silentMs: number,
    private readonly mostWaiting: number,
  ) {}

  get up(): boolean {
    return this.#up;
  }

  /** Which of our links it is. */
  get own(): number {
    return this.#own;
  }

  /** Bytes of ours that the other has not read, as far as we know. */
  get waiting(): number {
    return this.#waiting;
  }

  /** More waits than may. */
  get full(): boolean {
    return this.#waiting > this.mostWaiting;
  }

  arrived(head: Head, bytes: number, now: number): Arrival {
    if (isFalse(head) || head.other > this.#own) return { broken: null, healed: false, what: 'false' };
    if (head.own < this.#other) return { broken: null, healed: false, what: 'late' };
    let broken = this.look(now);
    if (head.own > this.#other) {
      // A link that stands is known to both by its number: the other has given it up.
      if (this.#up) broken = this.break('anew');
      this.#other = head.own;
      this.#owing = true;
    }
    if (head.other !== this.#own) {
      // Posts of a link that we gave up may be many: the word of that is on its way, and is said again in time.
      if (head.number === 0) this.#owing = true;
      return { broken, healed: false, what: head.number === 0 ? 'greeting' : 'late' };
    }
    if (!this.#up) return this.#begun(head, bytes, now, broken);
    if (head.number === 0) return { broken, healed: false, what: 'greeting' };
    return { ...this.#next(head, bytes, now), healed: false };
  }

  /** Why the link is broken by now, or null. Before anything that came later: a process that froze reads on as if nothing was. */
  look(now: number): BreakReason | null {
    return this.#up && now - this.#heardAt > this.silentMs ? this.break('silent') : null;
  }

  break(why: BreakReason): BreakReason {
    this.#own++;
    this.#up = false;
    this.#sizes = [];
    this.#owing = true;
    this.#waiting = this.#unsaid = this.#sent = this.#read = 0;
    return why;
  }

  /** The last word may not have got through. */
  owe(): void {
    this.#owing = true;
  }

  /** The other is to be sent something now, if only an empty post or a greeting. */
  due(now: number): boolean {
    if (this.#owing || this.#unsaid * HEARD_SHARE > this.mostWaiting) return true;
    return now - this.#spokeAt >= this.silentMs / (this.#up ? 3 : GREETINGS);
  }

  /** For a post of so many bytes that leaves now. */
  post(bytes: number, now: number): Head {
    this.#said(now);
    this.#sizes.push(bytes);
    this.#waiting += bytes;
    return { own: this.#own, other: this.#other, number: ++this.#sent, heard: this.#read };
  }

  greeting(now: number): Head {
    this.#said(now);
    return { own: this.#own, other: this.#other, number: 0, heard: 0 };
  }

  #said(now: number): void {
    this.#owing = false;
    this.#unsaid = 0;
    this.#spokeAt = now;
  }

  /** The other knows our number: the link stands, unless its first post was lost. */
  #begun(head: Head, bytes: number, now: number, broken: BreakReason | null): Arrival {
    if (head.number > 1) {
      this.break('gap');
      return { broken, healed: false, what: 'late' };
    }
    this.#up = true;
    this.#heardAt = now;
    // A post shows that the link stands on the other side; a greeting does not.
    this.#owing = head.number === 0;
    const { what } = head.number === 0 ? { what: 'greeting' as const } : this.#next(head, bytes, now);
    return { broken, healed: true, what };
  }

  #next({ number, heard }: Head, bytes: number, now: number): Pick<Arrival, 'broken' | 'what'> {
    if (number <= this.#read) return { broken: null, what: 'again' };
    if (heard > this.#sent) return { broken: null, what: 'false' };
    if (number !== this.#read + 1) return { broken: this.break('gap'), what: 'late' };
    this.#read = number;
    this.#heardAt = now;
    this.#unsaid += bytes;
    const read = this.#sizes.length - (this.#sent - heard);
    if (read > 0) for (const size of this.#sizes.splice(0, read)) this.#waiting -= size;
    return { broken: null, what: 'read' };
  }
}

/** A greeting hears nothing, and who has not heard of us has no post for us. */
const isFalse = ({ own, other, number, heard }: Head): boolean => own < 1 || (number === 0 ? heard !== 0 : other === 0);
