import { CloseCode } from '../../protocol/codes.js';
import type { SocketId } from '../../table/api.js';
import { LAST } from '../../table/outbox.js';
import type { WatchRoute } from '../ports.js';
import { WatchStream, type WatchBatch } from './stream.js';
import type { Watcher } from './watcher.js';

/** Watchers that are written to in one turn of the event loop: more would keep players waiting. */
const GROUP = 64;
/** Unsent bytes with which a watcher lags: it gets nothing more until it has read them, and then the table as it is. */
const LAGS_AT = 32 * 1024;
/** A watcher that lags for so long is gone. */
const LAGS_MOST_MS = 60_000;

export interface ChannelHost {
  publish(topic: string, frames: readonly Uint8Array[]): void;
  now(): number;
  readonly delayHands: number;
  /** Asks the table for its state, for newcomers. */
  ask(channel: WatchChannel): void;
  /** Something is to be sent. */
  due(channel: WatchChannel): void;
}

interface Group {
  topic: string;
  watchers: Set<Watcher>;
}

/**
 * All watchers of a table here that see the same. Each event is published once for every group of them. Newcomers and
 * slow readers begin with the table's state.
 */
export class WatchChannel {
  readonly #stream: WatchStream;
  readonly #groups: Group[] = [];
  #groupCount = 0;
  /** They wait for the state. */
  readonly #newcomers = new Set<Watcher>();
  /** They have read it, and get what waits from this frame on. */
  readonly #begun = new Map<Watcher, number>();
  readonly #lagging = new Set<Watcher>();
  #asked = false;
  #over = false;
  /** The batch that is being sent, and the next group. */
  #round: { batch: WatchBatch; begun: [Watcher, number][]; next: number } | null = null;

  constructor(
    readonly id: SocketId,
    public route: WatchRoute,
    private readonly host: ChannelHost,
  ) {
    this.#stream = new WatchStream(host.delayHands);
  }

  get empty(): boolean {
    return this.watchers === 0;
  }

  get watchers(): number {
    return this.#groups.reduce((sum, { watchers }) => sum + watchers.size, this.#waiting);
  }

  get #waiting(): number {
    return this.#newcomers.size + this.#begun.size + this.#lagging.size + (this.#round?.begun.length ?? 0);
  }

  /** The table has closed: what is left is sent, and everybody goes. */
  get over(): boolean {
    return this.#over;
  }

  add(watcher: Watcher): void {
    const state = this.host.delayHands > 0 ? this.#stream.beginning() : null;
    if (state !== null) return this.#begin(watcher, state);
    this.#newcomers.add(watcher);
    this.#ask();
  }

  remove(watcher: Watcher): void {
    this.#newcomers.delete(watcher);
    this.#begun.delete(watcher);
    this.#lagging.delete(watcher);
    if (this.#round !== null) this.#round.begun = this.#round.begun.filter(([each]) => each !== watcher);
    this.#leave(watcher);
  }

  /** The shard that hosts the table came anew: it knows nothing of us. */
  again(): void {
    this.#asked = false;
    this.#ask();
  }

  #ask(): void {
    if (this.#asked || this.host.delayHands > 0) return;
    this.#asked = true;
    this.host.ask(this);
  }

  /** Takes a frame of the table. Its bytes belong to the channel. */
  take(frame: Uint8Array, marked: number): void {
    if ((marked & LAST) !== 0) this.#over = true;
    const state = this.#stream.take(frame, marked);
    if (state !== null) {
      this.#asked = false;
      for (const watcher of this.#newcomers) this.#begin(watcher, state);
      this.#newcomers.clear();
    }
    if (this.host.delayHands > 0 && this.#newcomers.size > 0) this.#beginLate();
    if (!this.#stream.empty || this.#begun.size > 0) this.host.due(this);
  }

  #beginLate(): void {
    const state = this.#stream.beginning();
    if (state === null) return;
    for (const watcher of this.#newcomers) this.#begin(watcher, state);
    this.#newcomers.clear();
  }

  #begin(watcher: Watcher, state: Uint8Array): void {
    watcher.send([state]);
    this.#begun.set(watcher, this.#stream.length);
    this.host.due(this);
  }

  /** Sends to one group of watchers. False: all have got what there was. */
  step(): boolean {
    this.#round ??= this.#startRound();
    const { batch, begun } = this.#round;
    let group = this.#groups[this.#round.next++];
    while (group?.watchers.size === 0) group = this.#groups[this.#round.next++];
    if (group !== undefined) {
      this.#send(group, batch);
      return true;
    }
    const some = begun.splice(0, GROUP);
    for (const [watcher, from] of some) this.#follow(watcher, batch.frames.slice(from), batch.last);
    if (begun.length > 0) return true;
    this.#round = null;
    return batch.last ? this.#sendAway() : !this.#stream.empty || this.#begun.size > 0;
  }

  #startRound() {
    const begun = [...this.#begun];
    this.#begun.clear();
    return { batch: this.#stream.drain(), begun, next: 0 };
  }

  #send({ topic, watchers }: Group, { frames, last }: WatchBatch): void {
    if (last) {
      for (const watcher of [...watchers]) this.#follow(watcher, frames, true);
      return;
    }
    for (const watcher of [...watchers]) if (watcher.socket.buffered() > LAGS_AT) this.#lags(watcher);
    if (watchers.size > 0 && frames.length > 0) this.host.publish(topic, frames);
  }

  /** Sends to a single one; from then on it reads what all read. */
  #follow(watcher: Watcher, frames: readonly Uint8Array[], last: boolean): void {
    watcher.send(frames);
    if (last) watcher.end(CloseCode.tableClosed);
    else if (watcher.open) this.#join(watcher);
  }

  #join(watcher: Watcher): void {
    let group = this.#groups.find(({ watchers }) => watchers.size < GROUP);
    if (group === undefined) {
      group = { topic: `${this.id}:${this.#groupCount++}`, watchers: new Set() };
      this.#groups.push(group);
    }
    group.watchers.add(watcher);
    watcher.topic = group.topic;
    watcher.socket.subscribe(group.topic);
  }

  #leave(watcher: Watcher): void {
    const { topic } = watcher;
    if (topic === null) return;
    watcher.topic = null;
    if (watcher.open) watcher.socket.unsubscribe(topic);
    this.#groups.find((group) => group.topic === topic)?.watchers.delete(watcher);
  }

  #lags(watcher: Watcher): void {
    this.#leave(watcher);
    watcher.laggingSince = this.host.now();
    this.#lagging.add(watcher);
  }

  /** Now and then: who has caught up begins anew, who never does is sent away. Returns how many lag. */
  lookAfter(): number {
    for (const watcher of [...this.#lagging]) {
      if (watcher.socket.buffered() === 0) {
        this.#lagging.delete(watcher);
        this.add(watcher);
      } else if (this.host.now() - watcher.laggingSince > LAGS_MOST_MS) watcher.end(CloseCode.tooSlow);
    }
    return this.#lagging.size;
  }

  #sendAway(): boolean {
    const left = [...this.#newcomers, ...this.#begun.keys(), ...this.#lagging];
    for (const { watchers } of this.#groups) left.push(...watchers);
    for (const watcher of left.slice(0, GROUP)) watcher.end(CloseCode.tableClosed);
    return left.length > GROUP;
  }
}
