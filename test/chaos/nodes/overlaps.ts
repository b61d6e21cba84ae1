import type { ServerMessage } from '../../../src/protocol/server.js';

/** An ended node plays on until it knows that it has ended; ms. Two owners of a table play on for longer. */
export const UNKNOWING_MS = 5000;

/** Frames that only a hand's owner sends while it plays it. */
const PLAY = new Set<ServerMessage['type']>(['hand_start', 'player_action', 'community_cards', 'your_turn']);

interface Span {
  first: number;
  last: number;
}

/**
 * The owners of tables by what players read, also of hands that were never stored. If two shards played a table at
 * once, one hand would go on after another had begun, by the time of the events.
 */
export class Overlaps {
  readonly #spans = new Map<string, Map<string, Span>>();

  note(frame: ServerMessage): void {
    if (!PLAY.has(frame.type) || !('hand_id' in frame) || !('ts' in frame) || frame.hand_id === null) return;
    const hands = this.#spans.get(frame.table_id) ?? new Map<string, Span>();
    this.#spans.set(frame.table_id, hands);
    const at = Date.parse(frame.ts);
    const span = hands.get(frame.hand_id);
    if (span === undefined) hands.set(frame.hand_id, { first: at, last: at });
    else hands.set(frame.hand_id, { first: Math.min(span.first, at), last: Math.max(span.last, at) });
  }

  /** Each overlap is found once. The newest hand of a table is kept for the next check. */
  check(): string[] {
    return [...this.#spans].flatMap(([table, hands]) => {
      const inOrder = [...hands].sort(([, a], [, b]) => a.first - b.first);
      this.#spans.set(table, new Map(inOrder.slice(-1)));
      return inOrder.slice(1).flatMap(([hand, { first }], n) => {
        const [before, { last }] = inOrder[n]!;
        if (last <= first + UNKNOWING_MS) return [];
        return [`table ${table}: hand ${before} went on for ${last - first} ms after hand ${hand} had begun`];
      });
    });
  }
}
