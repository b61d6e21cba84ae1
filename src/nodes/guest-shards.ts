import type { ShardListener } from '../shard/main/options.js';
import type { FromShard, ShardStats, ToShard } from '../shard/messages.js';
import { Departure } from './departure.js';
import type { GuestShardsOptions, GuestThread } from './guest-thread.js';
import { Line } from './line.js';
import type { Heard, LentShard, NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

interface GuestShard extends LentShard {
  /** Null while nobody leads: whoever does next begins with a report of the shard. */
  line: Line<FromShard> | null;
  thread: GuestThread;
  /** It plays. */
  up: boolean;
}

/** Whose clocks stand still: of all tables, of those with players of other nodes, of none. */
type Paused = 'all' | 'others' | 'none';

const LOOK_MS = 100;
const BEAT_MS = 250;
/** After so long without a word from anywhere the players of other nodes cannot be spoken to: clocks stand still. */
const DEAF_MS = 1000;
/** A leader that has given no number by then is asked again. */
const ASK_AGAIN_MS = 5000;
/** …and so soon for another in the place of one that is lost. */
const REPLACE_MS = 500;
/** What a message may weigh: they are small. */
const MESSAGE_BYTES = 300;
/** No leader waits for longer. */
const LONGEST_DRAIN_MS = 600_000;

/**
 * The shards of a node, each a thread of its own. Whoever leads gives them their numbers, sends them what its lobby
 * decides and hears what becomes of it; frames and actions go past it. They outlive leaders: the next one takes them as
 * they are. One that is lost is replaced by a new one, without tables.
 */
export class GuestShards {
  readonly #shards = new Map<number, GuestShard>();
  /** The leader, while a link to it stands. */
  #leader: Peer<NodeMessage> | null = null;
  #paused: Paused = 'none';
  /** Its lease ran out: lines are shut until the leader hears of them again. */
  #mute = false;
  #askedAt = -Infinity;
  #beatAt = -Infinity;
  #leaving = false;
  #lost = 0;
  readonly departure = new Departure(
    () => this.#leader,
    () => [...this.#shards.values()],
  );
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: GuestShardsOptions) {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Numbers of those that there are. */
  get numbers(): number[] {
    return [...this.#shards.keys()];
  }

  /** All play, and as many as there shall be. */
  get ready(): boolean {
    return this.#shards.size >= this.options.count && [...this.#shards.values()].every(({ up }) => up);
  }

  statsOf(shard: number): ShardStats | null {
    return this.#shards.get(shard)?.thread.stats ?? null;
  }

  /** Open tables here, as far as their threads have told. */
  get tables(): number {
    return [...this.#shards.values()].reduce((sum, { thread }) => sum + (thread.stats?.tables ?? 0), 0);
  }

  /** Clocks of tables here stand still: players of other nodes cannot be heard, or the lease does not hold. */
  get paused(): boolean {
    return this.#paused !== 'none';
  }

  /** How many ended before they were given back. */
  get lost(): number {
    return this.#lost;
  }

  /** Tells what the threads have counted. */
  report(): void {
    for (const guest of this.#shards.values()) this.#report(guest);
  }

  /** Of a socket, wherever it is; false where the shard is not here. */
  take(shard: number, message: ToShard): boolean {
    const guest = this.#shards.get(shard);
    guest?.thread.send(message);
    return guest !== undefined;
  }

  /** A link to whoever leads stands: it is told what is here. */
  follow(leader: Peer<NodeMessage>): void {
    this.#leader = leader;
    this.#mute = !this.options.holds();
    if (!this.#mute) this.#sync(leader);
  }

  /** It does not any more. */
  broken(): void {
    this.#leader = null;
    this.departure.parting();
    for (const { line } of this.#shards.values()) line?.shut();
  }

  /** Whoever led has ended. */
  leaderless(): void {
    this.broken();
    for (const guest of this.#shards.values()) guest.line = null;
  }

  /** The node's life is over. */
  end(): void {
    clearInterval(this.#timer);
    this.#leader = null;
    for (const guest of this.#shards.values()) this.#over(guest);
    // What a leader says from now on, which a bus brings until it is closed, begins nothing that nobody would end.
    this.#leaving = true;
  }

  /** Resolves to false where some hands did not finish in so many ms. `others`: there are nodes that could have the tables. */
  drain(ms: number, others: boolean): Promise<boolean> {
    this.#leaving = true;
    return this.departure.drain(ms, others);
  }

  /** False: it is none of ours. */
  heard(leader: Peer<NodeMessage>, message: NodeMessage): boolean {
    switch (message.t) {
      case 'borrow':
        this.#start(leader, message, message.now);
        return true;
      case 'goOn':
        // It is asked again when the lease is renewed.
        if (!this.options.holds()) this.#mute = true;
        else this.#goOn(leader, message);
        return true;
      case 'said': {
        const shard = this.#find(message);
        // Only a leader says it, to a shard.
        if (shard !== undefined) this.#said(shard, message.number, message.heard, message.message as ToShard);
        return true;
      }
      case 'beat':
        for (const { heard, ...of } of message.lines) this.#find(of)?.line?.confirmed(heard);
        return true;
      case 'over':
        this.#end(message, 'the leader has no use for it');
        return true;
      default:
        return false;
    }
  }

  #goOn(leader: Peer<NodeMessage>, { anew, heard, ...of }: Extract<NodeMessage, { t: 'goOn' }>): void {
    const guest = this.#find(of);
    if (guest === undefined) return;
    // What the leader before has not read, the next one hears in the shard's report.
    if (anew) guest.line = this.#line(leader, guest);
    if (guest.line?.goOn(heard) === false) this.#lose(guest, 'it read what was never said');
  }

  #said(shard: GuestShard, number: number, heard: number, message: ToShard): void {
    const what = shard.line?.arrived(number, heard) ?? 'again';
    if (what === 'false') return this.#lose(shard, 'something is missing that was said to it');
    if (what === 'again') return;
    if (message.t !== 'drain') return shard.thread.send(message);
    // The leader waits no longer than it wants to.
    void shard.thread.drain(LONGEST_DRAIN_MS).then(() => this.#say(shard, { t: 'drained' }));
  }

  /** All that we have, and how many more there could be. */
  #sync(leader: Peer<NodeMessage>): void {
    const lent = [...this.#shards.values()].map(({ shard, epoch, line }) => ({
      shard,
      epoch,
      heard: line?.heard ?? 0,
    }));
    this.#askedAt = performance.now();
    leader.send({ t: 'lend', lent, more: this.#more, leaving: this.#leaving });
  }

  get #more(): number {
    return this.#leaving ? 0 : Math.max(0, this.options.count - this.#shards.size);
  }

  #start(leader: Peer<NodeMessage>, of: LentShard, now: number): void {
    const { shard, epoch } = of;
    if (this.#more === 0) return leader.send({ t: 'over', shard, epoch });
    const line = this.#line(leader, of);
    line.goOn(0);
    const thread = this.options.thread({ shard, epoch }, now);
    const guest: GuestShard = { shard, epoch, line, thread, up: false };
    this.#shards.set(shard, guest);
    if (this.paused) thread.send(this.#pauseOf(0));
    const listener: ShardListener = {
      onFrames: (_shard, bytes, index, used) => this.options.frames(bytes, index, used),
      onMessage: (_shard, message) => this.#say(guest, message),
      onLost: (_shard, reason) => this.#lose(guest, reason),
    };
    thread.start(listener).then(
      () => {
        guest.up = true;
        this.#say(guest, { t: 'ready', epoch });
      },
      (error: unknown) => this.#lose(guest, (error as Error).message),
    );
  }

  #line(leader: Peer<NodeMessage>, { shard, epoch }: LentShard): Line<FromShard> {
    return new Line((number, heard, message) => leader.send({ t: 'said', shard, epoch, number, heard, message }));
  }

  #say(guest: GuestShard, message: FromShard): void {
    if (this.#shards.get(guest.shard) !== guest) return;
    // What comes of its frames is not said before these.
    if (this.options.holds()) this.options.regained();
    else this.#silence();
    try {
      if (guest.line?.send(message, MESSAGE_BYTES) === false) this.#lose(guest, 'the leader has read too little of it');
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
    if (!this.#leaving) this.options.log.warn({ shard: of.shard, reason }, 'a shard of this node ends');
    this.#over(guest);
    this.#askedAt = performance.now() - ASK_AGAIN_MS + REPLACE_MS;
  }

  #over(guest: GuestShard): void {
    this.#report(guest);
    this.options.counts.shardEnded(guest.shard);
    if (!this.#leaving) this.#lost++;
    this.#shards.delete(guest.shard);
    if (this.#shards.size === 0) this.departure.empty();
    void guest.thread.stop();
  }

  #report({ shard, thread: { stats } }: GuestShard): void {
    if (stats !== null) this.options.counts.shard(shard, stats);
  }

  #look(): void {
    const now = performance.now();
    const holds = this.options.holds();
    const deafMs = this.options.deafMs();
    this.#pause(holds ? (this.#isDeaf(deafMs) ? 'others' : 'none') : 'all', deafMs);
    const leader = this.#leader;
    if (!holds) return this.#silence();
    this.options.regained();
    if (this.#mute) {
      this.#mute = false;
      if (leader !== null) this.#sync(leader);
    }
    if (leader === null) return;
    const owing = [...this.#shards.values()].filter(({ line }) => line !== null && line.open && line.owes);
    if (now - this.#beatAt >= BEAT_MS && owing.length > 0) {
      this.#beatAt = now;
      const lines = owing.map(({ shard, epoch, line }): Heard => ({ shard, epoch, heard: line!.heard }));
      leader.send({ t: 'beat', lines });
    }
    if (this.#more > 0 && now - this.#askedAt >= ASK_AGAIN_MS) {
      this.#askedAt = now;
      leader.send({ t: 'lend', lent: null, more: this.#more, leaving: false });
    }
  }

  /** Its lease does not hold: until the leader has heard of its shards again nothing is said of them. */
  #silence(): void {
    this.#mute = true;
    for (const { line } of this.#shards.values()) line?.shut();
  }

  /** Whoever was cut off may have lost shards meanwhile: it says nothing to other nodes before the leader has confirmed them. */
  #isDeaf(deafMs: number): boolean {
    if (deafMs > DEAF_MS) return true;
    return this.#paused === 'others' && [...this.#shards.values()].some(({ line }) => line?.open !== true);
  }

  #pause(paused: Paused, deafMs: number): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    for (const { thread } of this.#shards.values()) thread.send(this.#pauseOf(deafMs));
  }

  #pauseOf(deafMs: number): ToShard {
    const place = this.#paused === 'others' ? this.options.place : null;
    return { t: 'pause', unheardMs: this.#paused === 'none' ? null : deafMs, place };
  }

  #find({ shard, epoch }: LentShard): GuestShard | undefined {
    const found = this.#shards.get(shard);
    return found?.epoch === epoch ? found : undefined;
  }
}
