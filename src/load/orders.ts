import type { Target } from './socket.js';
import type { TallyValues } from './tally.js';

/** The orders to a process of bots, one at a time. Each is answered once it is carried out. */
export type LoadOrder =
  /** Connect; carried out when all are greeted by the server. The answer is an error when one is refused. */
  | { order: 'connect'; crowd: CrowdOptions }
  /** Join the lobby one after the other: the next so many, all by default; carried out when they are seated. */
  | { order: 'sit'; next?: number }
  /** Begin to answer turns, or go on. */
  | { order: 'play' }
  /** Answer no turns until told to play again. */
  | { order: 'halt' }
  /** Connect, join and play by and by, whatever comes; carried out at once. */
  | { order: 'come'; crowd: CrowdOptions; coming: Coming }
  /** Act by a schedule that makes so many hands a second in all. */
  | { order: 'pace'; handsPerSecond: number }
  /** Think for so many ms a turn, in the mean. */
  | { order: 'think'; ms: number }
  /** Count from zero. */
  | { order: 'begin' }
  /** Tell what was counted. */
  | { order: 'tell' }
  /** Give the seats up, tell, and close; carried out when all have left, or when the patience is over. */
  | { order: 'leave'; patienceMs: number }
  | { order: 'close' };

export interface CrowdOptions {
  target: Target;
  apiKeys: readonly string[];
  seed: number;
  /** Number of the first bot. */
  first: number;
  /** Players of a table who follow each other by number, where it is known that those sit together; else null. */
  tableOf: number | null;
  /** Whether the first socket is held to the protocol before the measuring starts; `hash`: with state_hash. */
  witness: { hash: boolean } | null;
  /** So many of a hundred bots read lean frames (protocol.md, "Lean"). */
  leanPercent: number;
  /** Local addresses to connect from, in turn. */
  from: readonly string[];
}

export interface Coming {
  /** The bots come evenly spread over so long. */
  rampMs: number;
  /** Each joins when the one before it sits, so that tables are filled one after the other. */
  inOrder: boolean;
}

export interface OrderAnswer {
  tally: TallyValues | null;
  /** Bots that are connected and greeted. */
  up: number;
  seated: number;
  /** Frames that the witness has checked. */
  checked: number;
}
