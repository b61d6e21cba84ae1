import { postCredits, UCENTS_PER_CENT } from '../credits/index.js';
import type { LobbyControl } from '../lobby/index.js';
import { retrying, transaction, type Database, type Transaction } from '../store/database.js';
import { selectEntry, type EntryRow } from './entry-queries.js';
import { holdActiveSeason, updatePremium } from './pass-queries.js';
import type { Season } from './season.js';

/** How long a request may wait for a database that is away. */
const PATIENCE_MS = 5000;

export type PassResult = EntryRow | 'no_active_season' | 'not_registered' | 'insufficient';

export interface PassesOptions {
  sql: Database;
  priceCents: number;
  season: Pick<Season, 'current'>;
  lobby: Pick<LobbyControl, 'updateEntry'>;
}

/** The season passes: sold for credits, once an entry. */
export class Passes {
  constructor(private readonly options: PassesOptions) {}

  /**
   * The pass of the season that is active when it is paid: the charge, the entry and the season hold together in one
   * transaction. An agent that has the pass gets the entry without another charge, even with many requests at once.
   */
  async buy(agentId: string): Promise<PassResult> {
    const { sql, season, lobby } = this.options;
    // Its locks may cross those of a change of seasons: the loser begins again.
    const result = await retrying(() => transaction(sql, (tx) => this.#buy(tx, agentId)), {
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (typeof result === 'string') return result;
    if (result.pool_id === season.current?.seasonId) lobby.updateEntry(agentId, { isPro: true });
    return result;
  }

  async #buy(tx: Transaction, agentId: string): Promise<PassResult> {
    // After a wait for the end of a season, the next season's row is only visible to a second look.
    const seasonId = (await holdActiveSeason(tx)) ?? (await holdActiveSeason(tx));
    if (seasonId === undefined) return 'no_active_season';
    const entry = await selectEntry(tx, seasonId, agentId);
    if (entry === undefined) return 'not_registered';
    if (entry.premium) return entry;
    const ucents = this.options.priceCents * UCENTS_PER_CENT;
    const charged = await postCredits(tx, {
      type: 'season_pass',
      once: `season_pass:${seasonId}:${agentId}`,
      reference: seasonId,
      legs: [
        { account: { agent: agentId }, ucents: -ucents },
        { account: 'passes', ucents },
      ],
    });
    // Already: a twin of this request has paid while we waited for it.
    if (charged === 'insufficient') return 'insufficient';
    // Last of all, since hands of this player wait for its entry.
    return (await updatePremium(tx, seasonId, agentId)) ?? 'not_registered';
  }
}
