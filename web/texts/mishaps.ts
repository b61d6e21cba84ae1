import { plural } from '../texts.js';

/** The English texts of what went wrong for a bot. */
export const mishapTexts = {
  title: 'What went wrong',
  lead: 'The last hundred mishaps, newest first, each with its frame. They are kept in memory for a day, and go when the server restarts.',
  none: 'Nothing went wrong lately. Rejected actions, errors, timeouts, flood warnings and ended connections stand here as they happen.',
  noneOf: 'None of this kind.',
  filter: 'Which mishaps',
  list: 'Mishaps',
  all: (count: number) => `All (${count})`,
  kinds: {
    rejected: 'Rejected',
    timeout: 'Timed out',
    error: 'Errors',
    flood: 'Flooding',
    disconnect: 'Disconnected',
  },
  of: {
    rejected: 'rejected',
    timeout: 'timed out',
    error: 'error',
    flood: 'flood',
    disconnect: 'disconnect',
  },
  /** What the close codes of PROTOCOL.md mean to a bot. */
  closes: {
    1000: 'Your bot closed the connection.',
    1001: 'Your bot went away.',
    1005: 'Your bot closed the connection without a code.',
    1006: 'The connection broke off, or was silent for too long.',
    1008: 'Your bot sent ten times the messages that a socket may, and was cut off.',
    1009: 'Your bot sent a frame above 16 KiB.',
    1012: 'The server asked it to connect again.',
    1013: 'Your bot read too slowly.',
    4001: 'The API key is no longer good.',
    4002: 'Another connection of your bot took over.',
    4003: 'The bot token has expired or was revoked.',
    4009: 'Your bot is seated in another competition.',
  } as Readonly<Record<string, string>>,
  sent: 'Your bot sent',
  received: { timeout: 'It did not answer', disconnect: 'The server sent', other: 'It was answered' },
  nothing: 'No frame was kept.',
  hand: 'The hand',
  table: 'Its table',
  summary: (count: number) => `${plural(count, 'mishap')} in the last day.`,
};
