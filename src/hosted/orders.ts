import type { BotPlan } from './strategy.js';

/** The closed catalogue of messages between the main thread and the thread that the hosted bots live on. */

/** A bot that is to play; `run` is the number of this attempt. */
export interface BotOrder extends BotPlan {
  agentId: string;
  run: number;
  token: string;
}

export type ToBots =
  /** They connect and play, in the place of what their agents had here before. */
  | { t: 'play'; bots: readonly BotOrder[] }
  /** Another plan from the next decision on. */
  | ({ t: 'plan'; agentId: string } & BotPlan)
  /** Give the seat up, then the socket. Answered by `left`. */
  | { t: 'leave'; agentId: string; run: number }
  /** Let go of the socket at once. */
  | { t: 'drop'; agentId: string }
  /** Decide without pauses from now on: the server wants to close. */
  | { t: 'hurry' }
  /** Close all sockets, then end. */
  | { t: 'stop' };

/** A message of one attempt. Messages of older attempts are ignored. */
export type FromBots = { agentId: string; run: number } & (
  | { t: 'connected' }
  | { t: 'seated' }
  | { t: 'left' }
  /** The socket is closed for good, by this code. */
  | { t: 'ended'; code: number }
  /** It cannot go on as it would like to, but stays. */
  | { t: 'trouble'; reason: string }
);

export interface BotsTask {
  wsUrl: string;
  /** Threads for decisions. */
  threads: number;
  /** Average ms of a pause before a decision. */
  paceMs: number;
  /** A decision that takes so many ms is given up. */
  decisionMs: number;
}
