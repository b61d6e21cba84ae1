import { Buckets, HANDS, SECONDS } from '../ops/buckets.js';
import type { ShardSpans, ShardStats } from './messages.js';

/** Counters of a shard that others raise as things happen. */
export class Counters {
  hands = 0;
  actions = 0;
  frames = 0;
  frameBytes = 0;
  committedHands = 0;
  /** How often a table has put its next hand off for other pools. */
  heldHands = 0;
  readonly spans: Readonly<Record<keyof ShardSpans, Buckets>> = {
    action: new Buckets(SECONDS),
    queue: new Buckets(SECONDS),
    storing: new Buckets(SECONDS),
    commit: new Buckets(SECONDS),
    batch: new Buckets(HANDS),
  };

  /** The counts for the shard's report. */
  read(): Pick<ShardStats, 'hands' | 'actions' | 'frames' | 'frameBytes' | 'committedHands' | 'heldHands' | 'spans'> {
    const { hands, actions, frames, frameBytes, committedHands, heldHands } = this;
    const { action, queue, storing, commit, batch } = this.spans;
    const spans = {
      action: action.read(),
      queue: queue.read(),
      storing: storing.read(),
      commit: commit.read(),
      batch: batch.read(),
    };
    return { hands, actions, frames, frameBytes, committedHands, heldHands, spans };
  }
}
