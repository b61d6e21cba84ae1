import type { Clock, LobbyLog } from '../lobby/index.js';
import { retrying, type Database } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import { queueReminders } from './reminders.js';
import { endingSoonAt, type SeasonRules } from './rules.js';
import type { Season } from './season.js';

export interface EndingSoonOptions {
  sql: Database;
  leadership: Leadership;
  rules: SeasonRules;
  season: Season;
  clock: Clock;
  log: LobbyLog;
}

/** Has everybody in the season written to some time before it ends. That it was done is stored, safe from restarts. */
export class EndingSoon {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #started = false;

  constructor(private readonly options: EndingSoonOptions) {
    const plan = () => this.#plan();
    options.season.onOpened(plan);
    options.season.onMoved(plan);
  }

  start(): void {
    this.#started = true;
    this.#plan();
  }

  /** For the season that is active now: at its time, or at once when that has passed meanwhile. */
  #plan(): void {
    const { season, rules, clock } = this.options;
    this.#cancel();
    const current = season.current;
    const at = current && endingSoonAt(current, rules);
    if (current === null || at === null || !this.#started || this.#abort.signal.aborted) return;
    this.#cancel = clock.at(at, () => void this.#remind(current.seasonId));
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }

  async #remind(seasonId: string): Promise<void> {
    const { sql, leadership, log } = this.options;
    const { signal } = this.#abort;
    try {
      const count = await retrying(() => queueReminders(sql, leadership, seasonId), { signal });
      if (count !== null) log.info({ season_id: seasonId, mails: count }, 'season ends soon');
    } catch (error) {
      if (signal.aborted || error instanceof Displaced) return;
      log.error({ season_id: seasonId, err: error }, 'reminders not queued');
    }
  }
}
