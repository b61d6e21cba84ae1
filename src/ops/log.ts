import { pino, type Logger } from 'pino';
import type { RecentLines } from './recent-lines.js';

export type { Logger } from 'pino';

/**
 * One JSON line an event on stdout. Secrets never reach it: callers log ids, not credentials, and what might carry one
 * by accident (headers, settings) is redacted by name. `recent` reads along.
 */
export function createLogger(level: string, recent?: RecentLines): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', '*.authorization', 'api_key', '*.api_key', 'password', '*.password', 'headers'],
      censor: '(hidden)',
    },
    ...(recent && { hooks: { streamWrite: (line) => (recent.take(line), line) } }),
    formatters: { level: (label) => ({ level: label }) },
  });
}
