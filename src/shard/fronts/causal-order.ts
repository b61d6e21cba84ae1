import type { LifeId, PostReader } from '../channels.js';

/** Triples: sender, reader, number of the latest post between them that the writer knows of. Twice the same life: it is over. */
export type Knowledge = readonly number[];

/** What a post carries beside its content. Numbers rise by one from 1, by sender and reader. */
export interface Stamp {
  at: number;
  /** What its writer has learned since its last post to the same reader. */
  knows: Knowledge;
}

interface Count {
  from: LifeId;
  to: LifeId;
  at: number;
}

interface Peer {
  life: LifeId;
  take: PostReader<never>;
  /** Number of its post that was read last. */
  read: number;
  /** …and of the one that arrived last. */
  arrived: number;
  /** Its posts that have arrived and wait for others. */
  held: { stamp: Stamp; post: unknown }[];
  /** What it is to be told with our next post to it. */
  news: Set<Count>;
  /** Nothing more will arrive. */
  gone: boolean;
}

const NOTHING: Stamp = { at: 0, knows: [] };
/** Lives are counted from 0, and a process has far fewer. */
const MOST_LIVES = 2 ** 26;
const keyOf = (from: LifeId, to: LifeId) => from * MOST_LIVES + to;

/**
 * Causal delivery among threads that write to each other over ports (each keeps the order of its one writer), without
 * anything shared: what came about through a post is read after it, wherever it came from. Each post says which posts to
 * its reader its writer knows of, and is kept until these were read (the matrix of Raynal, Schiper and Toueg, 1991, sent
 * as what has changed).
 */
export class CausalOrder {
  /** Posts to others that we know of, our own among them. */
  readonly #counts = new Map<number, Count>();
  readonly #peers = new Map<LifeId, Peer>();
  /** Lives that are over. */
  readonly #over = new Set<LifeId>();
  #delivering = false;

  constructor(readonly own: LifeId) {}

  /** We and this life write to each other from now on; `take` is given its posts. */
  meet<T>(life: LifeId, take: PostReader<T>): void {
    const news = new Set([...this.#counts.values()].filter(({ from }) => from !== life));
    this.#peers.set(life, { life, take, read: 0, arrived: 0, held: [], news, gone: false });
  }

  /** All that it wrote to us has arrived, and nothing more will: who waits for what did not come waits no longer. */
  leave(life: LifeId): void {
    const peer = this.#peers.get(life);
    if (peer === undefined) return;
    peer.gone = true;
    this.#deliver();
  }

  /** This life is over for so long that all it wrote to anybody is read: nobody has to know of it, and all are told so. */
  forget(life: LifeId): void {
    this.#bury(life, this.own);
  }

  /** The number of the post that we shall write next to this reader: posts to others may name it before it leaves. */
  reserve(to: LifeId): number {
    const at = (this.#counts.get(keyOf(this.own, to))?.at ?? 0) + 1;
    this.#learn(this.own, to, at, this.own);
    return at;
  }

  /** For a post that leaves now. Who is gone reads it no more. */
  stamp(to: LifeId, reserved: number | null = null): Stamp {
    const peer = this.#peers.get(to);
    if (peer === undefined || peer.gone) return NOTHING;
    const at = reserved ?? this.reserve(to);
    const knows: number[] = [];
    for (const count of peer.news) knows.push(count.from, count.to, count.at);
    peer.news.clear();
    return { at, knows };
  }

  /** A post has arrived: it is read now, or once all that led to it was. */
  arrived(from: LifeId, stamp: Stamp, post: unknown): void {
    const peer = this.#peers.get(from);
    if (peer === undefined) return;
    peer.arrived = stamp.at;
    peer.held.push({ stamp, post });
    this.#deliver();
  }

  /** Posts that wait. */
  get waiting(): number {
    let waiting = 0;
    for (const { held } of this.#peers.values()) waiting += held.length;
    return waiting;
  }

  /** Whoever reads may write, meet and leave: what may be read then is read after it. */
  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      while (this.#round());
    } finally {
      this.#delivering = false;
    }
  }

  /** Reads what may be read, of every peer in turn; false when nothing was. */
  #round(): boolean {
    let found = false;
    for (const peer of this.#peers.values()) {
      for (let next = peer.held[0]; next !== undefined && this.#isNext(next.stamp); next = peer.held[0]) {
        peer.held.shift();
        peer.read = next.stamp.at;
        this.#learnAll(peer.life, next.stamp);
        found = true;
        peer.take(next.post as never);
      }
      if (peer.gone && peer.held.length === 0) this.#peers.delete(peer.life);
    }
    return found;
  }

  #isNext({ knows }: Stamp): boolean {
    for (let i = 0; i < knows.length; i += 3) {
      if (knows[i + 1] !== this.own) continue;
      const sender = this.#peers.get(knows[i]!);
      const at = knows[i + 2]!;
      if (sender === undefined || sender.read >= at) continue;
      if (!sender.gone || at <= sender.arrived) return false;
    }
    return true;
  }

  #learnAll(via: LifeId, { knows }: Stamp): void {
    for (let i = 0; i < knows.length; i += 3) {
      const [from, to] = [knows[i]!, knows[i + 1]!];
      if (from === to) this.#bury(from, via);
      // What came to us is read: nobody has to hear of it from us.
      else if (to !== this.own) this.#learn(from, to, knows[i + 2]!, via);
    }
  }

  #learn(from: LifeId, to: LifeId, at: number, via: LifeId): void {
    if (this.#over.has(from) || this.#over.has(to)) return;
    const key = keyOf(from, to);
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, (count = { from, to, at }));
    else if (at > count.at) count.at = at;
    else return;
    this.#tell(count, via);
  }

  #bury(life: LifeId, via: LifeId): void {
    if (this.#over.has(life)) return;
    this.#over.add(life);
    for (const [key, count] of this.#counts) {
      if (count.from !== life && count.to !== life) continue;
      this.#counts.delete(key);
      for (const { news } of this.#peers.values()) news.delete(count);
    }
    this.#tell({ from: life, to: life, at: 0 }, via);
  }

  /** To all but whom we have it from, and whose own post it is; and ours to a reader tells its number by itself. */
  #tell(count: Count, via: LifeId): void {
    for (const { life, news } of this.#peers.values()) {
      if (life !== via && life !== count.from && !(count.from === this.own && count.to === life)) news.add(count);
    }
  }
}
