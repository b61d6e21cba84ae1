import type { Carrier, CarrierListener, Outgoing } from '../../src/nodes/carrier.js';
import type { NodeId } from '../../src/nodes/peer.js';
import type { Dice } from './dice.js';
import type { Kernel, Thread } from './machine/kernel.js';

/** What a bus knows of a node. */
export interface BusEnd {
  thread: Thread;
  /** The bus says of what is sent to it that it is heard: for a while longer, where its host vanished. */
  heardUntil: number;
}

/** The bus of a world, as bad as it is just now. */
export interface SimBus {
  carrier(own: NodeId): Carrier;
  away(ms: number): void;
  /** A link stands since just now, as far as this side knows. */
  healed(from: NodeId, to: NodeId): void;
  /** What else goes wrong from now on; `id` is a node that lives. */
  worsen(id: NodeId): void;
  /** Nothing goes wrong any more. */
  calm(): void;
}

/** A post is late by so much at most, and its repetition later still. */
export const LATE_MS = 3_000;

/** How the bus is just now: the shares of posts that are lost, come again, and are late. */
interface Weather {
  lost: number;
  again: number;
  late: number;
}
const FINE: Weather = { lost: 0, again: 0, late: 0 };
const WEATHERS: readonly Weather[] = [
  FINE,
  { lost: 0.01, again: 0, late: 0 },
  { lost: 0, again: 0.2, late: 0 },
  { lost: 0, again: 0.02, late: 0.02 },
  { lost: 0.2, again: 0.4, late: 0.3 },
  { lost: 0.1, again: 0.1, late: 0.6 },
];

type Ends = ReadonlyMap<NodeId, BusEnd>;

/** Keeps nothing of what a carrier promises: links must hold by themselves. */
export class WildBus implements SimBus {
  readonly #listeners = new Map<NodeId, CarrierListener>();
  /** When what was posted last arrives, by sender and reader. */
  readonly #arrivals = new Map<string, number>();
  #weather = FINE;
  #awayUntil = 0;
  /** Ways on which posts wait for a while, and those that come after overtake them. */
  readonly #stalls = new Map<string, { until: number; release: number }>();
  #calm = false;

  constructor(
    private readonly kernel: Kernel,
    private readonly dice: Dice,
    private readonly ends: Ends,
  ) {}

  carrier(own: NodeId): Carrier {
    const isUp = () => this.kernel.now >= this.#awayUntil;
    return {
      deafMs: 0,
      get up() {
        return isUp();
      },
      begin: async (listener) => void this.#listeners.set(own, listener),
      publish: (posts) => {
        const copies = posts.map(({ to, post }) => ({ to, post: Buffer.from(post) }));
        return Promise.all(copies.map(({ to, post }) => this.#publish(own, to, post)));
      },
      close: () => Promise.resolve(),
    };
  }

  away(ms: number): void {
    this.#awayUntil = this.kernel.now + ms;
  }

  /** Where only one side has heard of a link yet, the most can go wrong. */
  healed(from: NodeId, to: NodeId): void {
    if (this.#calm || !this.dice.chance(0.1)) return;
    const until = this.kernel.now + this.dice.int(20, 300);
    this.#stalls.set(`${from} ${to}`, { until, release: until + this.dice.int(20, 300) });
  }

  worsen(): void {
    this.#weather = this.dice.pick(WEATHERS);
  }

  calm(): void {
    this.#calm = true;
    this.#weather = FINE;
  }

  async #publish(from: NodeId, to: NodeId, post: Buffer): Promise<number> {
    const { kernel, dice } = this;
    const { lost, again, late } = this.#weather;
    const end = this.ends.get(to);
    if (kernel.now < this.#awayUntil) {
      // The connection broke: what was on it may have come through.
      if (dice.chance(0.5) || end === undefined) throw new Error('the bus is away');
      this.#arrive(from, to, post, 0);
      throw new Error('the bus is away');
    }
    if (end === undefined || kernel.now > end.heardUntil) return 0;
    const stall = this.#stalls.get(`${from} ${to}`);
    if (stall !== undefined && kernel.now < stall.until) {
      this.#arrive(from, to, post, stall.release - kernel.now);
      return dice.chance(0.3) ? 0 : 1;
    }
    if (dice.chance(lost)) return dice.chance(0.3) ? 0 : 1;
    this.#arrive(from, to, post, dice.chance(late) ? dice.int(1, LATE_MS) : 0);
    while (dice.chance(again)) this.#arrive(from, to, post, dice.int(1, 8_000));
    return 1;
  }

  /** In order, unless it is late by so many ms. */
  #arrive(from: NodeId, to: NodeId, post: Buffer, lateMs: number): void {
    const { kernel } = this;
    const way = `${from} ${to}`;
    const soon = Math.max(kernel.now + this.dice.delay(2), this.#arrivals.get(way) ?? 0);
    if (lateMs === 0) this.#arrivals.set(way, soon);
    kernel.plan(soon + lateMs, () => this.#listeners.get(to)?.post(Buffer.from(post)), this.ends.get(to)!.thread);
  }
}

/** What a node has to the server: a subscription, and a connection that writes. */
interface Way {
  readonly own: NodeId;
  open: boolean;
  /** Given up by the node: it reads nothing more of it. */
  over: boolean;
  /** So long the server reads what is written, counts the subscription, and reaches it. */
  readUntil: number;
  heardUntil: number;
  reachedUntil: number;
  /** When what was written last is read, what was sent to it last arrives, and the last answer does. */
  writtenAt: number;
  arrivesAt: number;
  answeredAt: number;
  readonly unanswered: Set<(error: Error) => void>;
}

/** A connection that is cut is noticed at once, or only by an echo that stays away. */
const UNNOTICED_MS = 5_000;

/**
 * One server, which takes turns one after the other, each as a whole. It loses only what is on connections that break,
 * which nodes hear of sooner or later.
 */
export class ServerBus implements SimBus {
  readonly #ways: Way[] = [];
  readonly #carriers = new Map<NodeId, { listener: CarrierListener | null; way: Way | null; up: boolean }>();
  #awayUntil = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly dice: Dice,
    private readonly ends: Ends,
  ) {}

  carrier(own: NodeId): Carrier {
    const state = { listener: null as CarrierListener | null, way: null as Way | null, up: false };
    this.#carriers.set(own, state);
    const deafMs = () => this.#deafMs(state.way);
    return {
      get deafMs() {
        return state.up ? deafMs() : Infinity;
      },
      get up() {
        return state.up;
      },
      begin: async (listener) => {
        state.listener = listener;
        this.#open(own);
      },
      publish: async (posts) => this.#publish(state.way, posts),
      close: () => {
        if (state.way !== null) Object.assign(state.way, { over: true, readUntil: 0, heardUntil: 0 });
        Object.assign(state, { listener: null, way: null, up: false });
        return Promise.resolve();
      },
    };
  }

  away(ms: number): void {
    this.#awayUntil = this.kernel.now + ms;
    for (const way of this.#ways) if (way.open && !way.over) this.#cut(way, true, true);
  }

  healed(): void {
    return;
  }

  worsen(id: NodeId): void {
    const way = this.#carriers.get(id)?.way;
    if (way?.open !== true) return;
    const [reader, writer] = this.dice.pick([
      [true, false],
      [false, true],
      [true, true],
    ] as const);
    this.#cut(way, reader, writer);
  }

  calm(): void {
    return;
  }

  /** Since when its own echo stays away. */
  #deafMs(way: Way | null): number {
    return way === null ? Infinity : Math.max(0, this.kernel.now - Math.min(way.reachedUntil, way.readUntil));
  }

  #threadOf = (id: NodeId): Thread => this.ends.get(id)!.thread;

  #open(own: NodeId): void {
    const { kernel, dice } = this;
    const never = { readUntil: Infinity, heardUntil: Infinity, reachedUntil: Infinity };
    const times = { writtenAt: 0, arrivesAt: 0, answeredAt: 0 };
    const way: Way = { own, open: false, over: false, ...never, ...times, unanswered: new Set() };
    const state = this.#carriers.get(own)!;
    state.way = way;
    kernel.later(Math.max(0, this.#awayUntil - kernel.now) + dice.delay(5), () => {
      if (kernel.now < this.#awayUntil) return this.#open(own);
      this.#ways.push(way);
      way.open = true;
      const up = () => {
        if (way.over) return;
        state.up = true;
        state.listener?.up();
      };
      kernel.plan(kernel.now + dice.delay(2), up, this.#threadOf(own));
    });
  }

  #publish(way: Way | null, posts: readonly Outgoing[]): Promise<readonly number[]> {
    const { kernel, dice } = this;
    if (way === null || !way.open || way.over) throw new Error('there is no connection');
    const copies = posts.map(({ to, post }) => ({ to, post: Buffer.from(post) }));
    way.writtenAt = Math.max(kernel.now + dice.delay(1), way.writtenAt);
    return new Promise((resolve, reject) => {
      way.unanswered.add(reject);
      kernel.later(way.writtenAt - kernel.now, () => {
        if (kernel.now >= way.readUntil) return;
        const counts = copies.map(({ to, post }) => this.#deliver(to, post));
        way.answeredAt = Math.max(kernel.now + dice.delay(1), way.answeredAt);
        const answer = () => way.unanswered.delete(reject) && resolve(counts);
        kernel.plan(way.answeredAt, answer, this.#threadOf(way.own));
      });
    });
  }

  #deliver(to: NodeId, post: Buffer): number {
    const { kernel } = this;
    let count = 0;
    for (const way of this.#ways) {
      if (way.own !== to || kernel.now >= Math.min(way.heardUntil, this.ends.get(to)!.heardUntil)) continue;
      count++;
      if (kernel.now >= way.reachedUntil) continue;
      way.arrivesAt = Math.max(kernel.now + this.dice.delay(2), way.arrivesAt);
      const arrive = () => {
        if (!way.over) this.#carriers.get(to)!.listener?.post(Buffer.from(post));
      };
      kernel.plan(way.arrivesAt, arrive, this.#threadOf(to));
    }
    return count;
  }

  #cut(way: Way, reader: boolean, writer: boolean): void {
    const { kernel, dice } = this;
    const noticed = dice.chance(0.6);
    if (reader) way.reachedUntil = Math.min(way.reachedUntil, kernel.now);
    // Where nobody notices, the server goes on counting a subscription that reaches nobody.
    if (reader && noticed) way.heardUntil = Math.min(way.heardUntil, kernel.now);
    // What was under way may come through.
    if (writer) way.readUntil = Math.min(way.readUntil, kernel.now + dice.int(0, 3));
    const at = kernel.now + (noticed ? dice.int(0, 50) : dice.int(50, UNNOTICED_MS));
    kernel.plan(at, () => this.#lost(way), this.#threadOf(way.own));
  }

  /** The node hears of it. */
  #lost(way: Way): void {
    if (way.over) return;
    const { kernel, dice } = this;
    way.over = true;
    way.readUntil = Math.min(way.readUntil, kernel.now + dice.int(0, 3));
    way.heardUntil = Math.min(way.heardUntil, kernel.now + dice.int(0, 3_000));
    const state = this.#carriers.get(way.own)!;
    Object.assign(state, { way: null, up: false });
    state.listener?.lost();
    for (const reject of way.unanswered) reject(new Error('the connection was closed'));
    kernel.plan(kernel.now + dice.int(50, 500), () => this.#open(way.own), this.#threadOf(way.own));
  }
}
