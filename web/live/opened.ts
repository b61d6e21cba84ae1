import { ApiError, call } from '../lib/api.js';

/** Between two hands that are asked for, in ms: an address has 60 a minute, for all its pages. */
const REST_MS = 3000;
/** A hand with a result is stored, but the spectators' delay may be one hand behind. */
const TRIES = 3;
const AGAIN_MS = 500;

/** Folded and mucked cards of a table's hands, where its pool opens them after each hand. */
export class OpenedHands {
  /** Cards of this table stay closed while it plays. Known from the first hand that was read. */
  #closed = false;
  #askedAt = -Infinity;

  /** By seat; empty where nothing opens or the hand stays away. */
  async of(handId: string): Promise<ReadonlyMap<number, readonly string[]>> {
    const now = performance.now();
    if (this.#closed || now - this.#askedAt < REST_MS) return NONE;
    this.#askedAt = now;
    for (let left = TRIES; left > 0; left--) {
      try {
        const { open_cards: rule, players } = await call('GET /api/hands/{hand_id}', { params: { hand_id: handId } });
        this.#closed = rule !== 'after_hand';
        return new Map(players.flatMap(({ seat, hole_cards: cards }) => (cards === null ? [] : [[seat, cards]])));
      } catch (error) {
        // Later hands may come: this one is not asked for again after a refusal.
        if (!(error instanceof ApiError) || error.status !== 404) return NONE;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    return NONE;
  }
}

const NONE: ReadonlyMap<number, readonly string[]> = new Map();
