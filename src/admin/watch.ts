import type { Database } from '../store/database.js';
import { CHANNEL, selectExpelledSince, selectNow } from './queries.js';
import { selectClosings } from './table-queries.js';

export interface WatchOptions {
  sql: Database;
  /** Ends an agent's sessions and forgets its key, which is no longer good since then; once for each time. */
  expel: (agentId: string, since: Date) => void;
  /** The active season may have got another end. */
  refreshSeason: () => Promise<void>;
  /** Some competitions may have changed, or be over. */
  refreshCompetitions: () => Promise<void>;
  /** Some bot tokens may have ended. */
  refreshTokens: () => Promise<void>;
  /** Closes a table after its hand; one that closes, or is not there, stays as it is. */
  closeTable: (tableId: string) => void;
  log: { warn(detail: object, message: string): void };
}

/** Without a word from the channel it looks this often: a word may be lost with the connection that it came over. */
const LOOK_MS = 5000;
/**
 * A ban or a new key has the date of its transaction's begin, so it may become visible after others with a later date.
 */
const OVERLAP_MS = 60_000;

/**
 * Carries out the admin commands that change the database beside a running server: it throws out ended keys, and ends
 * seasons, tables and competitions early. The database is the truth; the channel only says when to look.
 */
export class AdminWatch {
  #since = new Date(0);
  #looking = false;
  #again = false;
  #failed = false;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(private readonly options: WatchOptions) {}

  async start(): Promise<void> {
    const { sql, expel } = this.options;
    this.#since = before(await selectNow(sql));
    // Nobody has a session here yet: these are known from now on.
    for (const { agent_id, at } of await selectExpelledSince(sql, this.#since)) expel(agent_id, at);
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    // It listens again by itself on a new connection, and then looks for what it missed.
    await sql.listen(
      CHANNEL,
      () => void this.look(),
      () => void this.look(),
    );
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** Does what has been decided since the last look. Asked while it looks, it looks once more. */
  async look(): Promise<void> {
    this.#again = true;
    if (this.#looking) return;
    this.#looking = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#lookOnce();
        this.#failed = false;
      } catch (error) {
        if (!this.#failed && !this.#stopped) this.options.log.warn({ err: error }, 'admin commands wait');
        this.#failed = true;
      }
    }
    this.#looking = false;
  }

  async #lookOnce(): Promise<void> {
    const { sql, expel, refreshSeason, refreshCompetitions, refreshTokens, closeTable } = this.options;
    const now = await selectNow(sql);
    for (const { agent_id, at } of await selectExpelledSince(sql, this.#since)) expel(agent_id, at);
    this.#since = before(now);
    for (const tableId of await selectClosings(sql)) closeTable(tableId);
    await refreshSeason();
    await refreshCompetitions();
    await refreshTokens();
  }
}

const before = (now: Date) => new Date(now.getTime() - OVERLAP_MS);
