import type { Clock, LobbyLog } from '../lobby/index.js';
import { retrying, type Database, type Queryable } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import { nextPrizeMs, payDuePrizes } from './prize-queries.js';
import { orderByScore } from './queries.js';
import { MINIMUM_HANDS, type PrizeRules } from './rules.js';
import type { Season } from './season.js';

export interface PrizePayerOptions {
  sql: Database;
  leadership: Leadership;
  season: Pick<Season, 'onOpened'>;
  clock: Clock;
  log: LobbyLog;
}

/** The longest that it goes without a look: a held prize may have become due otherwise than by its date. */
const LONGEST_MS = 3_600_000;

/** Pays held prizes when their time has come. Due prizes stand in the database, so it keeps nothing but a timer. */
export class PrizePayer {
  #cancel: () => void = () => undefined;
  readonly #abort = new AbortController();
  #started = false;

  constructor(private readonly options: PrizePayerOptions) {
    options.season.onOpened(() => void this.#look());
  }

  start(): void {
    this.#started = true;
    void this.#look();
  }

  /** Pays what is due, and looks again when the next one is. */
  async #look(): Promise<void> {
    const { sql, leadership, clock, log } = this.options;
    const { signal } = this.#abort;
    this.#cancel();
    if (!this.#started) return;
    try {
      const ms = await retrying(
        async () => {
          const paid = await payDuePrizes(sql, leadership);
          if (paid > 0) log.info({ prizes: paid }, 'prizes paid');
          return nextPrizeMs(sql);
        },
        { signal },
      );
      if (ms === null || signal.aborted) return;
      this.#cancel();
      this.#cancel = clock.after(Math.min(LONGEST_MS, Math.max(1000, ms)), () => void this.#look());
    } catch (error) {
      if (signal.aborted || error instanceof Displaced) return;
      log.error({ err: error }, 'prizes were not paid');
      this.#cancel = clock.after(LONGEST_MS / 60, () => void this.#look());
    }
  }

  stop(): void {
    this.#abort.abort();
    this.#cancel();
  }
}

/** Agents that are looked at together, in the order of the standings. */
const BATCH = 20;
/** So many may win where some of them are banned before the season is frozen; the shares are three. */
const MOST = 6;

/**
 * The best agents of a season that have met enough opponents; null where everybody may win. An opponent is a mailbox that
 * was dealt into a hand with the agent, but for its own and those of house bots. Reads the hands of the season: slow.
 */
export async function possibleWinners(
  sql: Database,
  { seasonId, rebuyPenalty }: { seasonId: string; rebuyPenalty: number },
  { minHands, minOpponents }: PrizeRules,
): Promise<string[] | null> {
  if (minOpponents === 0) return null;
  const winners: string[] = [];
  for (let offset = 0; winners.length < MOST; offset += BATCH) {
    const batch = await sql<{ agent_id: string }[]>`
      select agent_id from (
        select e.*, chip_balance - rebuys * ${rebuyPenalty}::bigint as score
        from entries e join agents a using (agent_id)
        where e.pool_id = ${seasonId} and not is_house and banned_at is null
          and hands_played >= ${Math.max(MINIMUM_HANDS, minHands)}) scored
      order by ${orderByScore(sql)} limit ${BATCH} offset ${offset}`;
    const met = await countOpponents(sql, seasonId, batch.map(({ agent_id: id }) => id)); // prettier-ignore
    for (const { agent_id: id } of batch) if ((met.get(id) ?? 0) >= minOpponents) winners.push(id);
    if (batch.length < BATCH) break;
  }
  return winners.slice(0, MOST);
}

async function countOpponents(
  sql: Queryable,
  seasonId: string,
  agents: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ agent_id: string; opponents: number }[]>`
    with met as (
      select distinct mine.agent_id, other.agent_id as opponent
      from hand_players mine join hand_players other on other.pool_id = mine.pool_id and other.hand_id = mine.hand_id
      where mine.pool_id = ${seasonId} and mine.agent_id = any(${agents as string[]}::uuid[])
        and other.agent_id <> mine.agent_id
    ), boxes as (
      select agent_id, is_house, regexp_replace(lower(email), '\\+[^@]*', '') as mailbox from agents
    )
    select met.agent_id, count(distinct theirs.mailbox) as opponents
    from met join boxes own on own.agent_id = met.agent_id join boxes theirs on theirs.agent_id = met.opponent
    where not theirs.is_house and theirs.mailbox <> own.mailbox group by met.agent_id`;
  return new Map(rows.map(({ agent_id, opponents }) => [agent_id, opponents]));
}
