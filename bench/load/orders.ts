import type { Target } from './socket.js';
import type { TallyValues } from './tally.js';

/** What a bench orders of a process of bots, one order at a time; each is answered once it is carried out. */
export type Order =
  /** Connect; carried out when all are greeted by the server. */
  | { order: 'connect'; crowd: CrowdOptions }
  /** Join the lobby one after the other; carried out when all are seated. */
  | { order: 'sit' }
  /** Begin to answer turns. */
  | { order: 'play' }
  /** Think as long as it takes to play so many hands a second in all. */
  | { order: 'pace'; handsPerSecond: number }
  /** Count from zero. */
  | { order: 'begin' }
  /** Tell what was counted. */
  | { order: 'end' }
  | { order: 'leave' };

export interface CrowdOptions {
  target: Target;
  apiKeys: readonly string[];
  seed: number;
  /** Number of the first bot. */
  first: number;
  /** Whether the first socket is held to the protocol before the measuring starts; `hash`: with state_hash. */
  witness: { hash: boolean } | null;
  /** Local addresses to connect from, in turn. */
  from: readonly string[];
}

export interface Answer {
  tally: TallyValues | null;
  /** Sockets that are open. */
  open: number;
  /** Frames that the witness has checked. */
  checked: number;
}
