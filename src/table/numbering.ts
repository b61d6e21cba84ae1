import { assert, assertWhole } from '../ops/assert.js';

/** The number and date of one frame: the part of the envelope that changes. */
export interface Stamp {
  /** Null between hands. */
  readonly handId: string | null;
  readonly tableSeq: number;
  /** From 1 with hand_start; 0 between hands, where the wire says null. */
  readonly handSeq: number;
  /** Epoch microseconds, a whole number. */
  readonly micros: number;
}

/**
 * How far ahead of the numbers in use the stored bound is put. The opener has stored `seqFloor + SEQ_STEP` before the
 * table sends its first frame.
 */
export const SEQ_STEP = 1_000_000;
/** A new bound is asked for when this much is left. */
const SEQ_MARGIN = 500_000;
/** Answers to single clients stop this short of the bound, so that a hand in progress can still be finished. */
const SEQ_LAST = 10_000;

/**
 * The sequence numbers of a table. One number per event, shared by all who see it; private frames use numbers too. No
 * number above the stored bound is ever used: a table reopened after a crash goes on above that bound.
 */
export class Numbering implements Stamp {
  handId: string | null = null;
  tableSeq: number;
  handSeq = 0;
  micros = 0;
  /** The time that the id of the last hand was made of; 0 before the first. */
  handMicros = 0;
  #bound: number;
  #asked = 0;

  constructor(lowerBound: number) {
    assertWhole(lowerBound, 'the stored bound of table_seq');
    this.tableSeq = lowerBound + 1;
    this.#bound = lowerBound + SEQ_STEP;
  }

  /** Sets the time of all that follows, from epoch ms. A clock put back holds the table's time still. */
  at(now: number): void {
    this.micros = Math.max(this.micros, Math.floor(now * 1000));
  }

  /** The time of the next hand's id, epoch ms: later than that of the last, also where the clock is put back meanwhile. */
  nextHandAt(now: number): number {
    const micros = Math.max(this.micros, this.handMicros + 1);
    assert(micros > this.handMicros, 'the ids of hands rise');
    const isPutBack = Math.floor(now * 1000) < micros;
    this.handMicros = isPutBack ? micros : Math.floor(now * 1000);
    if (!isPutBack) return now;
    this.micros = micros;
    return micros / 1000;
  }

  next(): void {
    this.tableSeq++;
    if (this.handId !== null) this.handSeq++;
  }

  beginHand(handId: string): void {
    assert(this.handId === null, 'one hand is numbered at a time', this.handId);
    this.handId = handId;
    this.handSeq = 0;
  }

  endHand(): void {
    assert(this.handId !== null, 'a hand ends once');
    this.handId = null;
    this.handSeq = 0;
  }

  /** The bound that shall be stored now, or 0 when the present one is far enough or one is being stored. */
  due(): number {
    const near = this.tableSeq > this.#bound - SEQ_MARGIN;
    if (!near || this.#asked > this.#bound) return 0;
    this.#asked = this.tableSeq + SEQ_STEP;
    assert(this.#asked > this.#bound, 'a bound that is asked for is above the present one');
    return this.#asked;
  }

  /** The bound that a hand record stores beside itself. */
  get withHand(): number {
    return this.tableSeq + SEQ_STEP;
  }

  stored(bound: number): void {
    if (bound > this.#bound) this.#bound = bound;
  }

  /** No number above the stored bound was used. */
  get isWithinBound(): boolean {
    return this.tableSeq <= this.#bound;
  }

  /** True when the database has been away for so long that numbers run out: single clients get no more answers. */
  get exhausted(): boolean {
    return this.tableSeq > this.#bound - SEQ_LAST;
  }
}
