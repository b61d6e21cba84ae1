import type * as real from '../../../src/seasons/reminders.js';
import { machine } from '../machine/machine.js';
import * as seasons from '../vault/seasons.js';

/** src/seasons/reminders.ts on the vault. */
export const queueReminders: typeof real.queueReminders = (sql, seasonId) =>
  machine().storage.statement(sql, (vault) => seasons.queueReminders(vault, seasonId));
