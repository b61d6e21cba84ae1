import type * as real from '../../../src/seasons/reminders.js';
import { led } from './led.js';
import * as seasons from '../vault/seasons.js';

/** src/seasons/reminders.ts on the vault. */
export const queueReminders: typeof real.queueReminders = (sql, leadership, seasonId) =>
  led(sql, leadership, (vault) => seasons.queueReminders(vault, seasonId));
