import type { Log } from '../gateway/transport.js';
import type { ShardListener } from '../shard/main/options.js';
import type { FromShard, ShardStats, ToShard } from '../shard/messages.js';
import type { FrameBatch } from '../table/outbox.js';
import { Line } from './line.js';
import type { Heard, LentShard, NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

/** The thread of a shard that is lent. */
export interface GuestThread {
  send(message: ToShard): void;
  /** Resolves once it plays; rejects when it never will. */
  start(listener: ShardListener): Promise<void>;
  drain(ms: number): Promise<boolean>;
  stop(): Promise<void>;
  /** Its latest report, null before the first. */
  readonly stats: ShardStats | null;
}

export interface GuestShardsOptions {
  /** How many are lent. */
  count: number;
  /** `now`: the leader's clock. */
  thread: (shard: LentShard, now: number) => GuestThread;
  /** The node's lease has not run out: else nothing may be said, and no hand begins. */
  holds: () => boolean;
  /** Hears what the threads count. */
  counts: {
    shard(shard: number, stats: ShardStats): void;
    /** Its thread ends: one that has the number later counts from zero. */
    shardEnded(shard: number): void;
  };
  log: Log;
}

/** What is said over the line of a shard. */
type Item = { frames: FrameBatch } | { message: FromShard };

interface GuestShard extends LentShard {
  line: Line<Item>;
  thread: GuestThread;
}

const LOOK_MS = 100;
const BEAT_MS = 250;
/** Whoever is not heard for so long cannot be spoken to by the tables: their clocks stand still. */
const UNHEARD_MS = 1000;
/** A leader that has given no number by then is asked again. */
const ASK_AGAIN_MS = 5000;
/** …and so soon for another in the place of one that is lost. */
const REPLACE_MS = 500;
/** What a message may weigh: they are small. */
const MESSAGE_BYTES = 300;
/** No leader waits for longer. */
const LONGEST_DRAIN_MS = 600_000;

/**
 * The shards that a node lends to the leader it follows, each a thread of its own. They end with that leader, and with the
 * node's life; one that is lost is replaced by a new one, without tables.
 */
export class GuestShards {
  readonly #shards = new Map<number, GuestShard>();
  /** The leader, while a link to it stands. */
  #leader: Peer<NodeMessage> | null = null;
  #heardAt = -Infinity;
  #paused = true;
  /** Its lease ran out: lines are shut until the leader hears of them again. */
  #mute = false;
  #askedAt = -Infinity;
  #beatAt = -Infinity;
  #leaving = false;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: GuestShardsOptions) {}

  /** Numbers of those that the leader has. */
  get numbers(): number[] {
    return [...this.#shards.keys()];
  }

  /** The clocks of tables here stand still: the leader is not heard, or the lease does not hold. */
  get paused(): boolean {
    return this.#paused;
  }

  /** How many ended before they were given back. */
  get lost(): number {
    return this.#lost;
  }

  /** Tells what the threads have counted. */
  report(): void {
    for (const guest of this.#shards.values()) this.#report(guest);
  }

  /** The leader serves us over a link that is new. */
  began(leader: Peer<NodeMessage>): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    this.#leader = leader;
    this.#heardAt = performance.now();
    this.#mute = !this.options.holds();
    if (!this.#mute) this.#sync(leader);
  }

  broken(): void {
    this.#leader = null;
    for (const { line } of this.#shards.values()) line.shut();
  }

  /** The leader leads no more, or the node's life is over. */
  leave(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#leader = null;
    this.#paused = true;
    this.#askedAt = -Infinity;
    for (const guest of this.#shards.values()) this.#over(guest);
  }

  /** Hands in play may finish; then the leader has the shards back. */
  async drain(ms: number): Promise<void> {
    this.#leaving = true;
    const shards = [...this.#shards.values()];
    if (shards.length === 0) return;
    this.#leader?.send({ t: 'lend', lent: null, more: 0, leaving: true });
    const finished = await Promise.all(shards.map(({ thread }) => thread.drain(ms)));
    if (finished.includes(false)) this.options.log.warn({}, 'hands still running after DRAIN_MS are void');
    for (const { shard, epoch } of shards) this.#leader?.send({ t: 'over', shard, epoch });
    this.#leader?.flush();
  }

  /** False: it is none of ours. */
  heard(leader: Peer<NodeMessage>, message: NodeMessage): boolean {
    this.#heardAt = performance.now();
    switch (message.t) {
      case 'borrow':
        this.#start(leader, message, message.now);
        return true;
      case 'goOn':
        // It is asked again when the lease is renewed.
        if (!this.options.holds()) this.#mute = true;
        else if (this.#find(message)?.line.goOn(message.heard) === false)
          this.#lose(message, 'it read what was never said');
        return true;
      case 'said': {
        const shard = this.#find(message);
        // Only a leader says it, to a shard.
        if (shard !== undefined) this.#said(shard, message.number, message.heard, message.message as ToShard);
        return true;
      }
      case 'beat':
        for (const { heard, ...of } of message.lines) this.#find(of)?.line.confirmed(heard);
        return true;
      case 'over':
        this.#end(message, 'the leader has no use for it');
        return true;
      default:
        return false;
    }
  }

  #said(shard: GuestShard, number: number, heard: number, message: ToShard): void {
    const what = shard.line.arrived(number, heard);
    if (what === 'false') return this.#lose(shard, 'something is missing that was said to it');
    if (what === 'again') return;
    if (message.t !== 'drain') return shard.thread.send(message);
    // The leader waits no longer than it wants to.
    void shard.thread
      .drain(LONGEST_DRAIN_MS)
      .then(() => this.#say(shard, { message: { t: 'drained' } }, MESSAGE_BYTES));
  }

  /** All that we have, and what we would lend. */
  #sync(leader: Peer<NodeMessage>): void {
    const lent = [...this.#shards.values()].map(({ shard, epoch, line }) => ({ shard, epoch, heard: line.heard }));
    this.#askedAt = performance.now();
    leader.send({ t: 'lend', lent, more: this.#more, leaving: this.#leaving });
  }

  get #more(): number {
    return this.#leaving ? 0 : Math.max(0, this.options.count - this.#shards.size);
  }

  #start(leader: Peer<NodeMessage>, { shard, epoch }: LentShard, now: number): void {
    if (this.#more === 0) return leader.send({ t: 'over', shard, epoch });
    const line = new Line<Item>((number, heard, item) => {
      if ('frames' in item) leader.frames(item.frames);
      leader.send({ t: 'said', shard, epoch, number, heard, message: 'message' in item ? item.message : null });
    });
    line.goOn(0);
    const thread = this.options.thread({ shard, epoch }, now);
    const guest: GuestShard = { shard, epoch, line, thread };
    this.#shards.set(shard, guest);
    if (this.#paused) thread.send({ t: 'pause', unheardMs: 0, place: null });
    const listener: ShardListener = {
      onFrames: (_shard, bytes, index, used) => {
        // A copy of what is in it: the block goes back to the shard, and this is kept until the leader has it.
        const size = index.byteOffset + index.byteLength;
        const copy = bytes.slice(0, size);
        const frames = { bytes: copy, index: new Uint32Array(copy, index.byteOffset, index.length) };
        used(bytes);
        this.#say(guest, { frames }, size);
      },
      onMessage: (_shard, message) => this.#say(guest, { message }, MESSAGE_BYTES),
      onLost: (_shard, reason) => this.#lose(guest, reason),
    };
    thread.start(listener).then(
      () => this.#say(guest, { message: { t: 'ready', epoch } }, MESSAGE_BYTES),
      (error: unknown) => this.#lose(guest, (error as Error).message),
    );
  }

  #say(guest: GuestShard, item: Item, bytes: number): void {
    if (this.#shards.get(guest.shard) !== guest) return;
    try {
      if (!guest.line.send(item, bytes)) this.#lose(guest, 'the leader has read too little of it');
    } catch (error) {
      this.#lose(guest, (error as Error).message);
    }
  }

  #lose(of: LentShard, reason: string): void {
    const { shard, epoch } = of;
    if (this.#find(of) === undefined) return;
    this.#leader?.send({ t: 'over', shard, epoch });
    this.#end(of, reason);
  }

  #end(of: LentShard, reason: string): void {
    const guest = this.#find(of);
    if (guest === undefined) return;
    this.options.log.warn({ shard: of.shard, reason }, 'a shard that was lent ends');
    this.#over(guest);
    this.#askedAt = performance.now() - ASK_AGAIN_MS + REPLACE_MS;
  }

  #over(guest: GuestShard): void {
    this.#report(guest);
    this.options.counts.shardEnded(guest.shard);
    if (!this.#leaving) this.#lost++;
    this.#shards.delete(guest.shard);
    void guest.thread.stop();
  }

  #report({ shard, thread: { stats } }: GuestShard): void {
    if (stats !== null) this.options.counts.shard(shard, stats);
  }

  #look(): void {
    const now = performance.now();
    const holds = this.options.holds();
    const unheardMs = now - this.#heardAt;
    this.#pause(!holds || unheardMs > UNHEARD_MS, unheardMs);
    if (!holds) {
      this.#mute = true;
      for (const { line } of this.#shards.values()) line.shut();
    }
    const leader = this.#leader;
    if (leader === null || !holds) return;
    if (this.#mute) {
      this.#mute = false;
      this.#sync(leader);
    }
    const owing = [...this.#shards.values()].filter(({ line }) => line.open && line.owes);
    if (now - this.#beatAt >= BEAT_MS && owing.length > 0) {
      this.#beatAt = now;
      const lines = owing.map(({ shard, epoch, line }): Heard => ({ shard, epoch, heard: line.heard }));
      leader.send({ t: 'beat', lines });
    }
    if (this.#more > 0 && now - this.#askedAt >= ASK_AGAIN_MS) {
      this.#askedAt = now;
      leader.send({ t: 'lend', lent: null, more: this.#more, leaving: false });
    }
  }

  #pause(paused: boolean, unheardMs: number): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const { thread } of this.#shards.values())
      thread.send({ t: 'pause', unheardMs: paused ? unheardMs : null, place: null });
  }

  #find({ shard, epoch }: LentShard): GuestShard | undefined {
    const found = this.#shards.get(shard);
    return found?.epoch === epoch ? found : undefined;
  }
}
