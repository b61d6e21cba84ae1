import type { ConnectionChange } from './connection.js';
import type { Verified } from './fair.js';
import type { ServerMessages } from './generated/messages.js';
import type { Action, Hand, Mix } from './hand.js';
import type { LogRecord } from './log.js';
import { environment } from './platform.js';
import type { Warning } from './port.js';
import type { RebuyPolicy } from './rebuys.js';

/** The arguments of each hook: every message of the server by its type, and the kit's own events. */
export interface HookEvents extends ServerMessages {
  /** The decision, by `decide` or in its place. */
  decision: { readonly hand: Hand; readonly action: Action | Mix };
  connection: ConnectionChange;
  verified: Verified;
  warning: Warning;
  log: LogRecord;
}

/** A hook may be async; where it throws or rejects, the log says so, and the bot goes on. */
export type Hooks = { readonly [E in keyof HookEvents]?: (about: HookEvents[E]) => unknown };

/** The options of a bot. All of it can be left out but `decide`. */
export interface BotOptions {
  /**
   * Answers with what a helper of the hand made, or `{action, amount}`, or `{mix: [{action, amount, p}…]}`; at once, or as
   * a promise.
   */
  decide: (hand: Hand) => Action | Mix | Promise<Action | Mix>;
  /** The platform. Where it is not given: the environment's BASE_URL, else a platform on this machine. */
  url?: string | undefined;
  /** By default made of `url`, or the environment's WS_URL beside BASE_URL. */
  wsUrl?: string | undefined;
  /** To register under, where there is no key; the environment's NAME, else a name by chance. */
  name?: string | undefined;
  /** To register with. */
  email?: string | undefined;
  /** Else the environment's API_KEY, else the content of `keyFile`, else the bot registers. */
  apiKey?: string | undefined;
  /** Where the key of a registration is kept, and found the next time. */
  keyFile?: string | undefined;
  /**
   * Opens the socket in the place of the key (docs/reference/rest.md, "Bots"). A function is asked before each connection, so
   * the bot goes on with a new token when one is over (4003).
   */
  botToken?: string | (() => string | Promise<string>) | undefined;
  /** Plays there, not in the season. */
  competitionId?: string | undefined;
  /** Chips to take to a table; by default what the server takes. */
  buyIn?: number | undefined;
  /** The version of the bot: 1 to 32 letters, digits, `.`, `_` and `-`. Its owner sees the ratings of each one. */
  version?: string | undefined;
  rebuy?: RebuyPolicy | undefined;
  /** ms before it asks for another seat after it lost one: others come first. By default none. */
  rejoinMs?: number | undefined;
  /** Leaves after so many. */
  hands?: number | undefined;
  /** ms of a turn's clock that are kept in reserve: 2000, or a fifth of a clock below ten seconds. */
  deadline?: number | undefined;
  /** The server's clock for a turn, where it is not the usual one. */
  timeoutSeconds?: number | undefined;
  /** Takes part in the shuffle of each deck, and checks each hand afterwards. */
  nonces?: boolean | undefined;
  /**
   * Fewer and shorter frames (protocol.md, "Lean"): for bots that want speed. `decide` sees the same hand, but who
   * disconnected and why the server acted; hooks are told `hand`, `turn`, `ack` and `result`. Not with `nonces`.
   */
  lean?: boolean | undefined;
  on?: Hooks | undefined;
  /** Stops the bot where it is; its seat is held for a while. */
  signal?: AbortSignal | undefined;
}

const LOCAL = 'http://127.0.0.1:8080';

/** Without a slash at its end. */
export const baseUrlOf = ({ url }: Pick<BotOptions, 'url'>): string =>
  (url ?? environment('BASE_URL') ?? LOCAL).replace(/\/+$/, '');

/** With the competition, if there is one. */
export function socketUrlOf(options: Pick<BotOptions, 'url' | 'wsUrl' | 'competitionId'>): string {
  const told = options.wsUrl ?? (options.url === undefined ? environment('WS_URL') : undefined);
  const url = told ?? `${baseUrlOf(options).replace(/^http/, 'ws')}/ws`;
  if (options.competitionId === undefined) return url;
  return `${url}${url.includes('?') ? '&' : '?'}competition_id=${encodeURIComponent(options.competitionId)}`;
}

export const newNameOf = ({ name }: Pick<BotOptions, 'name'>): string =>
  name ?? environment('NAME') ?? `bot_${crypto.randomUUID().slice(0, 8)}`;
