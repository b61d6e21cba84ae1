import type { Action, Hand, Mix } from './hand.js';
import type { ClientMessage } from './generated/messages.js';
import type { LogLevel } from './log.js';

/** Something that the bot should not do, or that should not happen to it. */
export interface Warning {
  /** For programs: decide, late, rejected, timeout, rate_limited, error, frame, unfair. */
  readonly kind: string;
  readonly text: string;
  readonly [about: string]: unknown;
}

/** The offer to a player without chips. */
export interface RebuyOffer {
  readonly options: readonly string[];
  /** Hands played so far. */
  readonly hands: number;
}

export type TimerName = 'again' | 'guard';

/** A player's needs of its surroundings: sockets, clocks and promises. */
export interface Port {
  /** False where there is no open connection. */
  send(message: ClientMessage): boolean;
  /** Rings the timer then; a new one replaces the one of its name. */
  later(name: TimerName, ms: number): void;
  cancel(name: TimerName): void;
  /** Has `decide` asked; its answer comes back by `decided`. */
  think(token: string, hand: Hand): void;
  /** Has the rebuy function asked; its answer comes back by `rebuyDecided`. */
  askRebuy(offer: RebuyOffer): void;
  decision(hand: Hand, action: Action | Mix): void;
  /** To the hook `warning`, and to the log. */
  warn(kind: string, text: string, about?: Readonly<Record<string, unknown>>): void;
  log(level: LogLevel, event: string, text: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Sends less for a while. */
  slowDown(): void;
  /** ms since 1970. */
  now(): number;
}
