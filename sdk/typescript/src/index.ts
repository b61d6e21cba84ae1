/** Everything that a bot's author uses of @agent-poker/client. */
export { Bot, playBot, type Summary } from './bot.js';
export { FINAL_CODES, type ConnectionChange } from './connection.js';
export { ApiError, IllegalAction, KitError, Unreachable, type InvalidField } from './errors.js';
export { NonceChain, verify, type Deal, type Verified } from './fair.js';
export { Hand, STREETS, type Action, type ActionName, type HandFields, type PlayedAction } from './hand.js';
export type { Mix, MixedAction, Player, Position, Pot, Street } from './hand.js';
export type { LogLevel, LogRecord } from './log.js';
export type { CallOptions, Download } from './operation.js';
export type { BotOptions, HookEvents, Hooks } from './options.js';
export type { Place } from './player.js';
export type { RebuyOffer, Warning } from './port.js';
export type { RebuyPolicy } from './rebuys.js';
export { RestClient, type RestOptions } from './rest.js';
export * from './generated/messages.js';
export type * from './generated/rest.js';
export { API_VERSION, operations } from './generated/rest.js';
