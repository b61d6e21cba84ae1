import type { LobbyControl } from '../../lobby/index.js';
import type { Database } from '../../store/database.js';
import { selectVersions } from '../queries.js';
import type { LivePool } from '../record.js';
import type { LivePools } from './live-pools.js';

/** Why tables close when a competition ends, as table_closed says it. */
export const ENDED = 'competition_ended';

export interface DirectorOptions {
  sql: Database;
  pools: LivePools;
  lobby: Pick<LobbyControl, 'windDown' | 'resumePool' | 'closePool'>;
}

/** Tables of a competition that close; `now`: hands in progress do not count. */
interface Closing {
  now: boolean;
  done: Promise<void>;
}

/**
 * Carries what was committed to the tables of this node. It reads only the present state, never the step that led
 * there. So the order and number of its calls do not matter.
 */
export class Director {
  readonly #closing = new Map<string, Closing>();

  constructor(private readonly options: DirectorOptions) {}

  /** After each change of a competition's record or phase, by whatever node. */
  async obey(competitionId: string): Promise<void> {
    const { pools, lobby } = this.options;
    const pool = await pools.refresh(competitionId);
    switch (pool?.state) {
      case 'active':
        lobby.resumePool(competitionId);
        return;
      case 'paused':
        lobby.windDown(competitionId);
        return;
      case 'ending':
        lobby.windDown(competitionId);
        this.#close(pool);
        return;
      // Nobody plays, but some may wait: they are turned away.
      case undefined:
        await lobby.closePool(competitionId, ENDED);
        return;
      default:
        return;
    }
  }

  /** Obeys those that are not as they are stored. */
  async refresh(): Promise<void> {
    const { sql, pools } = this.options;
    const stored = await selectVersions(sql);
    const alive = new Set(stored.map(({ competition_id: id }) => id));
    const over = [...pools.all()].filter(({ competition_id: id }) => !alive.has(id));
    const changed = stored.filter(({ competition_id: id, version, phase }) => {
      const known = pools.of(id);
      // Tables may have been opened again that shall close.
      return known === undefined || known.version < version || known.phase !== phase || known.state === 'ending';
    });
    for (const { competition_id: id } of [...over, ...changed]) await this.obey(id);
  }

  /** Resolves once the tables that were closed here are gone. */
  async closed(competitionId: string): Promise<void> {
    await this.#closing.get(competitionId)?.done;
  }

  /** Closes the tables of one that ends, also those that were opened again. */
  #close({ competition_id: id, phase }: Pick<LivePool, 'competition_id' | 'phase'>): void {
    const now = phase === 'closing_now';
    const closing = this.#closing.get(id);
    if (closing !== undefined && (closing.now || !now)) return;
    const done = this.options.lobby.closePool(id, ENDED, now);
    const own: Closing = { now, done };
    this.#closing.set(id, own);
    void done.finally(() => this.#closing.get(id) === own && this.#closing.delete(id));
  }

  /** Before stored tables are opened again: they do not deal where play is not to go on. */
  recover(): void {
    for (const { competition_id: id, state } of this.options.pools.all()) {
      if (state === 'paused' || state === 'ending') this.options.lobby.windDown(id);
    }
  }
}
