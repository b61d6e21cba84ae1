import type { TableView, Turn } from '../strategy.js';

/** A loss of so many big blinds in one hand angers. */
const BAD_BEAT = 25;
/** Share of the anger that is left after another hand. */
const COOLING = 0.9;

/** How angry a player is, from what its stack did between two hands. */
export class Temper {
  #handId = '';
  #stack: number | null = null;
  #heat = 0;

  /** 0 calm, 1 just lost a lot. Asked at every turn. */
  heat({ handId, seat }: Turn, { seats, bigBlind }: TableView): number {
    if (handId === this.#handId) return this.#heat;
    this.#handId = handId;
    const hero = seats.find((other) => other.seat === seat);
    const stack = (hero?.stack ?? 0) + (hero?.bet ?? 0);
    const lost = this.#stack === null ? 0 : this.#stack - stack;
    this.#heat = lost >= BAD_BEAT * bigBlind ? 1 : this.#heat * COOLING;
    this.#stack = stack;
    return this.#heat;
  }
}
