import type { ServerMessage } from '../../src/protocol/server.js';
import { stateHashOf } from './canonical.js';

/**
 * A suspicious client's checks of its server, frame by frame, from its own frames alone. Numbers rise, each hand counts
 * from one, and every table_state fits its hash.
 */
export class Watch {
  readonly #table = new Map<string, number>();
  readonly #hands = new Map<string, number>();

  /** `seqs`: the agent's highest table_seq by table, over all its sockets. The watch updates it. */
  constructor(
    private readonly seqs: Map<string, number>,
    private readonly stateHash: boolean,
  ) {
    for (const [table, seq] of seqs) this.#table.set(table, seq);
  }

  /** Throws an Error that names the frame's fault. */
  see(frame: ServerMessage): void {
    if ('table_seq' in frame) this.#numbers(frame);
    if (frame.type === 'table_state') this.#hash(frame);
    if (frame.type === 'resync_response') {
      this.#hash(frame.snapshot);
      const numbers = frame.replayed_events.map((event) => event.table_seq);
      if (numbers.some((seq, i) => i > 0 && seq <= numbers[i - 1]!)) throw new Error('replayed events out of order');
      if (numbers.some((seq) => seq > frame.to_table_seq)) throw new Error('a replayed event beyond to_table_seq');
    }
  }

  #numbers(frame: Extract<ServerMessage, { table_seq: number }>): void {
    const { table_id: table, table_seq: seq, hand_id: hand, type } = frame;
    const handSeq = 'hand_seq' in frame ? frame.hand_seq : null;
    const before = this.#table.get(table) ?? 0;
    if (seq <= before) throw new Error(`table_seq ${seq} of ${type} after ${before}`);
    this.#table.set(table, seq);
    this.seqs.set(table, Math.max(this.seqs.get(table) ?? 0, seq));

    // An acknowledgement may name an older hand. Then it does not count.
    if (hand === null || handSeq === null) return;
    const last = this.#hands.get(hand) ?? 0;
    if (type === 'hand_start' ? handSeq !== 1 : handSeq <= last) {
      throw new Error(`hand_seq ${handSeq} of ${type} after ${last}`);
    }
    this.#hands.set(hand, handSeq);
  }

  #hash(state: Record<string, unknown> & { state_hash: string | null }): void {
    const expected = this.stateHash ? stateHashOf(state) : null;
    if (state.state_hash !== expected) throw new Error(`state_hash is ${state.state_hash}, computed ${expected}`);
  }
}
