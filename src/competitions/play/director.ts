import type { LobbyControl } from '../../lobby/index.js';
import type { LivePools } from './live-pools.js';

/** Why tables close when a competition ends, as table_closed says it. */
export const ENDED = 'competition_ended';

export interface DirectorOptions {
  pools: LivePools;
  lobby: Pick<LobbyControl, 'windDown' | 'resumePool' | 'closePool'>;
}

/**
 * Carries what was committed to the tables. It goes by the state that holds, never by the step that led there: so it
 * does not matter in which order two changes come here, or how often.
 */
export class Director {
  constructor(private readonly options: DirectorOptions) {}

  /** After each change of a competition's record. */
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
      // The clock closes the tables, and play with them.
      case 'ending':
        lobby.windDown(competitionId);
        return;
      // Nobody plays, but some may wait: they are turned away.
      case undefined:
        await lobby.closePool(competitionId, ENDED);
        return;
      default:
        return;
    }
  }

  /** Before stored tables are opened again: they do not deal where play is not to go on. */
  recover(): void {
    for (const { competition_id: id, state } of this.options.pools.all()) {
      if (state === 'paused' || state === 'ending') this.options.lobby.windDown(id);
    }
  }
}
