import { ByteWriter } from '../frames/byte-writer.js';
import { FrameType, type Envelope } from '../frames/envelope.js';
import { writeBody } from '../frames/event.js';
import type { ReplayWindow } from './window.js';
import { writeOwnTail } from './frames.js';

/** The most tables of a shard with kept public events: those of the latest requests. */
const KEPT_TABLES = 16;
const FIRST_BYTES = 16 * 1024;

/**
 * A table's window as spectators read it. Each event is encoded once, at its first request (protocol.md, "Resync").
 * Each answer is the end of the same bytes.
 */
class PublicReplay {
  readonly #w = new ByteWriter(FIRST_BYTES);
  /** Number and start of each event, ascending. */
  #numbers: number[] = [];
  #starts: number[] = [];
  /** How many events were encoded so far. */
  encoded = 0;

  /** Writes all events from this number on, which the window still has, separated by commas. */
  write(w: ByteWriter, envelope: Envelope, window: ReplayWindow, from: number): void {
    this.#drop(firstFrom(this.#numbers, window.startAfter(0) ?? from));
    this.#follow(envelope, window, from);
    const at = firstFrom(this.#numbers, from);
    if (at < this.#starts.length) w.bytes(this.#w.buffer.subarray(this.#starts[at], this.#w.pos));
  }

  /** Gives room back once more than half have left the window: the first so many. */
  #drop(count: number): void {
    if (2 * count <= this.#numbers.length) return;
    const cut = this.#starts[count] ?? this.#w.pos;
    this.#w.buffer.copyWithin(0, cut, this.#w.pos);
    this.#w.pos -= cut;
    this.#numbers = this.#numbers.slice(count);
    this.#starts = this.#starts.slice(count).map((start) => start - cut);
  }

  /** Encodes what was sent since the last time. */
  #follow(envelope: Envelope, window: ReplayWindow, from: number): void {
    const last = this.#numbers.at(-1) ?? (window.startAfter(0) ?? from) - 1;
    window.forEachAfter(last, (stamp, event, players) => {
      if (this.#w.pos > 0) this.#w.ascii(',');
      this.#numbers.push(stamp.tableSeq);
      this.#starts.push(this.#w.pos);
      this.encoded++;
      envelope.open(this.#w, stamp, FrameType[event.kind]);
      writeBody(this.#w, event);
      writeOwnTail(this.#w, event, players, null);
      this.#w.ascii('}');
    });
  }
}

/** The replays of a shard's tables; with those dropped that nobody has asked for lately, so memory has a bound. */
export class PublicReplays {
  readonly #kept = new Map<string, PublicReplay>();

  of(tableId: string): PublicReplay {
    const replay = this.#kept.get(tableId) ?? new PublicReplay();
    this.#kept.delete(tableId);
    this.#kept.set(tableId, replay);
    if (this.#kept.size > KEPT_TABLES) this.#kept.delete(this.#kept.keys().next().value!);
    return replay;
  }
}

/** The place of the first that is not below `least`. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
