import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { RecentLines } from './recent-lines.js';

export type { Logger } from 'pino';

/**
 * One JSON line an event, on stdout or `destination`. Secrets never reach it: callers log ids, not credentials, and
 * headers and settings are redacted by name. `recent` reads along.
 */
export function createLogger(level: string, recent?: RecentLines, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', '*.authorization', 'api_key', '*.api_key', 'password', '*.password', 'headers'],
      censor: '(hidden)',
    },
    ...(recent && { hooks: { streamWrite: (line) => (recent.take(line), line) } }),
    formatters: { level: (label) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
