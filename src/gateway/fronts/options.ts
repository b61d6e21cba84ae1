import type { OrderedChannels } from '../../shard/fronts/ordered-channels.js';
import type { Log } from '../transport.js';
import type { FrontTask } from './front-messages.js';

export interface FrontsOptions {
  count: number;
  shards: number;
  channels: OrderedChannels;
  /** Of every front's thread. */
  settings: Pick<
    FrontTask,
    'transport' | 'messagesPerSecond' | 'bufferBytes' | 'deferMs' | 'delayHands' | 'trustedProxies'
  >;
  log: Log;
  /** Posts what was sent to shards so far. */
  flushShards(): void;
  /** A front began its life: `connect` is to be called for every shard that is up. */
  wantShards(front: number): void;
  /** A front hangs, or ended out of order: the process cannot go on. */
  fatal(error: Error): void;
  /** The threads' module; another one in tests. */
  entry?: URL;
}
