import { assert } from '../../ops/assert.js';
import { MAX_SEATS } from '../../holdem/types.js';
import type { Seat } from './seat.js';

/** The seats of a table: who sits where, and which seats are kept for buy-ins under way. */
export class Seats {
  readonly size: number;
  /** By seat number; null where nobody sits. */
  readonly all: (Seat | null)[];
  /** The taken seats in seat order. */
  present: Seat[] = [];
  readonly #reserved: (string | null)[];

  constructor(size: number) {
    assert(size > 0 && size <= MAX_SEATS, 'a table has so many seats', size);
    this.size = size;
    this.all = Array.from({ length: size }, () => null);
    this.#reserved = Array.from({ length: size }, () => null);
  }

  /** Keeps the lowest free seat; the same sitting asked twice gets the same seat. -1 when the table is full. */
  reserve(sitting: string): number {
    const kept = this.#reserved.indexOf(sitting);
    if (kept >= 0) return kept;
    const free = this.all.findIndex((seat, index) => seat === null && this.#reserved[index] === null);
    if (free >= 0) this.#reserved[free] = sitting;
    return free;
  }

  unreserve(sitting: string): void {
    const index = this.#reserved.indexOf(sitting);
    if (index >= 0) this.#reserved[index] = null;
  }

  /** The sitting that a free seat is kept for; null: none. */
  reservedBy(index: number): string | null {
    return this.#reserved[index] ?? null;
  }

  get reservations(): number {
    return this.#reserved.filter((sitting) => sitting !== null).length;
  }

  put(seat: Seat): void {
    assert(seat.index < this.size, 'the table has such a seat', seat.index);
    assert(this.all[seat.index] === null, 'the seat is free', seat.index);
    assert(this.byAgent(seat.player.agentId) === null, 'an agent has one seat', seat.player.agentId);
    const keeper = this.reservedBy(seat.index);
    assert(keeper === null || keeper === seat.sitting, 'the seat is kept for another buy-in', seat.index);
    this.unreserve(seat.sitting);
    this.all[seat.index] = seat;
    this.#list();
  }

  clear(seat: Seat): void {
    assert(this.all[seat.index] === seat, 'a seat is cleared by its own player', seat.index);
    this.all[seat.index] = null;
    this.#list();
  }

  #list(): void {
    this.present = this.all.filter((seat) => seat !== null);
  }

  byAgent(agentId: string): Seat | null {
    for (const seat of this.present) if (seat.player.agentId === agentId) return seat;
    return null;
  }

  bySitting(sitting: string): Seat | null {
    for (const seat of this.present) if (seat.sitting === sitting) return seat;
    return null;
  }

  get occupied(): number {
    return this.present.length;
  }

  count(holds: (seat: Seat) => boolean): number {
    let count = 0;
    for (const seat of this.present) if (holds(seat)) count++;
    return count;
  }

  /** Bit mask of the seats that may be dealt into a new hand. */
  get eligible(): number {
    let mask = 0;
    for (const seat of this.present) if (seat.eligible) mask |= 1 << seat.index;
    return mask;
  }
}
