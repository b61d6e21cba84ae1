import type { SocketId } from '../../table/api.js';
import type { Posts } from './flusher.js';
import type { TableSlot } from './table-slot.js';

/** An answer may be lost with a thread: it is asked for again, and not waited for without end. */
const AGAIN_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Before anything runs out on a player, the thread that holds its socket reads all that has arrived there
 * (PROTOCOL.md, "Time"): it is asked, and answers behind what it has read. Times in epoch ms.
 */
export class Rounds {
  #last = 0;

  constructor(private readonly posts: Posts) {}

  /** When to look again; null: the answer has been waited for long enough. */
  waits(slot: TableSlot, socket: SocketId, now: number): number | null {
    slot.round ??= { number: 0, first: now, asked: -Infinity };
    const { round } = slot;
    if (now >= round.first + LONGEST_MS) return null;
    if (now < round.asked + AGAIN_MS) return round.asked + AGAIN_MS;
    round.number = ++this.#last;
    round.asked = now;
    this.posts.send({ t: 'round', table: slot.id, socket, round: round.number });
    return now + AGAIN_MS;
  }
}
