import type { ServerMessageOf, ServerMessageType } from '../protocol/server.js';
import type { ConnectionOptions } from './connection.js';
import type { SlowStrategy } from './strategy.js';
import type { FrameView } from './view.js';

/** Called with each message of a type, before the client itself acts on it. Types nobody listens to may go unparsed. */
export type Listeners = { [T in ServerMessageType]?: (message: ServerMessageOf[T]) => void };

export interface PlayerOptions extends ConnectionOptions {
  /** Null: turns are answered by `act`. */
  strategy: SlowStrategy | null;
  /** True: the server rebuys after a bust. False: nobody does. Absent: the client asks for it. */
  autoRebuy?: boolean;
  /** ms before a decision is made; 0 (the default) at once. `hurry` cuts it short. */
  pace?: (view: FrameView) => number;
  /** ms before it joins the lobby again after a seat was lost. */
  rejoinMs?: number;
  on?: Listeners;
  /** Every frame as it came. */
  onText?: (text: string) => void;
  /** ms from sending an action to its acknowledgement. */
  onLatency?: (ms: number) => void;
  /** It has no seat any more, or has read that it has none. */
  onUnseated?: () => void;
  /** The session is over for good, by this close code. */
  onEnded?: (code: number) => void;
}
