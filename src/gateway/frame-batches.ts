import type { SocketId } from '../table/api.js';
import { ASKS, LAST, MAY_WAIT, MAY_WAIT_LONG, START } from '../table/outbox.js';
import { Deferral } from './deferral.js';
import type { Session } from './session.js';
import type { WatchHub } from './watch/watch-hub.js';

/** The delay of frames that may wait long, in delays of the others. */
const LONGER = 3;

export interface FrameBatchesOptions {
  sessions: ReadonlyMap<SocketId, Session>;
  /** Gets what is for nobody of these. */
  watch: WatchHub;
  stats: { frames: number; frameBytes: number };
  /** Longest time that frames wait which may, in ms; those of MAY_WAIT_LONG, LONGER times as long. */
  deferMs: number;
  /** ms of a clock that never goes back. */
  now: () => number;
}

/**
 * Finished frames on their way from shards to sockets, a batch at a time.
 *
 * A socket's cost is its writes, much more than its bytes. So frames that may wait (MAY_WAIT) are held for a moment.
 * They leave in one write with the next ones, or before the next frame that may not wait. Those of players who are out
 * of the hand (MAY_WAIT_LONG) wait longer, until something comes for them that may not.
 */
export class FrameBatches {
  readonly #sessions: ReadonlyMap<SocketId, Session>;
  readonly #watch: WatchHub;
  readonly #stats: FrameBatchesOptions['stats'];
  readonly #now: () => number;
  #bytes: ArrayBuffer = new ArrayBuffer(0);
  #index: Uint32Array = new Uint32Array(0);
  /** For each frame of the batch the next one for the same socket, -1 after the last. */
  #next = new Int32Array(1024);
  readonly #touched: Session[] = [];
  readonly #soon: Deferral;
  readonly #late: Deferral;
  #current: Session | null = null;

  constructor({ sessions, watch, stats, deferMs, now }: FrameBatchesOptions) {
    this.#sessions = sessions;
    this.#watch = watch;
    this.#stats = stats;
    this.#now = now;
    this.#soon = new Deferral(deferMs);
    this.#late = new Deferral(LONGER * deferMs, this.#soon);
  }

  /** Triples (socket, start, end) of `index` say who gets which part of `bytes`; order is kept for each socket. */
  forward(bytes: ArrayBuffer, index: Uint32Array, used?: (bytes: ArrayBuffer) => void): void {
    this.#bytes = bytes;
    this.#index = index;
    this.#chain(index);
    let retaining: Deferral | null = null;
    for (const session of this.#touched) {
      if (session.mayWait && !session.hasPending) {
        const deferral = session.mayWaitLong ? this.#late : this.#soon;
        if (retaining !== this.#late) retaining = deferral;
        this.#defer(session, deferral);
      } else if (!session.checkBacklog()) {
        this.#current = session;
        session.socket.cork(this.#burst);
      }
      session.head = session.tail = -1;
    }
    this.#touched.length = 0;
    this.#current = null;
    // The frames of one buffer may go at different times: it is kept until the last of them are gone.
    if (retaining === null) used?.(bytes);
    else retaining.retain(bytes, used);
  }

  /** Defers the frames of the batch for this socket; nothing is pending that would have to go before them. */
  #defer(session: Session, deferral: Deferral): void {
    deferral.add(session);
    for (let frame = session.head; frame >= 0; frame = this.#next[frame]!) session.defer(this.#view(frame));
  }

  /** A frame of the batch, counted. */
  #view(frame: number): Uint8Array {
    const start = this.#index[frame * 3 + 1]! & START;
    const length = this.#index[frame * 3 + 2]! - start;
    this.#stats.frames++;
    this.#stats.frameBytes += length;
    return new Uint8Array(this.#bytes, start, length);
  }

  /** Strings the frames of each socket together, in order of first appearance. */
  #chain(index: Uint32Array): void {
    const count = index.length / 3;
    if (count > this.#next.length) this.#next = new Int32Array(count * 2);
    const next = this.#next;
    let now: number | undefined;
    for (let frame = 0; frame < count; frame++) {
      const session = this.#sessions.get(index[frame * 3]!);
      const marked = index[frame * 3 + 1]!;
      if (session === undefined) this.#watch.frame(index[frame * 3]!, this.#bytes, marked, index[frame * 3 + 2]!);
      if (session === undefined || !session.live) continue;
      if ((marked & ASKS) !== 0) session.asked((now ??= this.#now()));
      if ((marked & LAST) !== 0) session.left();
      if (session.tail < 0) {
        session.head = frame;
        session.mayWait = session.mayWaitLong = true;
        this.#touched.push(session);
      } else next[session.tail] = frame;
      session.tail = frame;
      next[frame] = -1;
      if ((marked & MAY_WAIT) === 0) session.mayWait = false;
      if ((marked & MAY_WAIT_LONG) === 0) session.mayWaitLong = false;
    }
  }

  /** All that one socket gets of a batch; made once, since it runs for every socket of every batch. */
  readonly #burst = (): void => {
    const session = this.#current;
    if (session === null) return;
    session.sendWaiting();
    for (let frame = session.head; frame >= 0 && session.live; frame = this.#next[frame]!) {
      session.sendFrame(this.#view(frame));
    }
  };
}
