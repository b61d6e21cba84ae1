import { NO_ESTIMATES, selectEstimates, type Estimates } from '../analytics/index.js';
import type { LobbyLog } from '../lobby/index.js';
import { inTime } from '../store/bounded.js';
import type { Database } from '../store/database.js';
import {
  readWritten,
  selectBanned,
  selectNamed,
  selectBoardNames,
  selectWatermark,
  type BoardRow,
} from './leaderboard-queries.js';
import type { EntryRow } from './entry-queries.js';
import { byHands, byScore, byWinRate, StandingsOrder, type SeasonStanding } from './order.js';
import { PlaceMemory, type PastPlaces } from './past-places.js';
import { scoreOf } from '../rebuys/index.js';
import { MINIMUM_HANDS, type SeasonRules } from './rules.js';
import type { Season } from './season.js';
import { UNRATED, type PoolRatings, type RatedStandings, type ShownRating } from '../ratings/index.js';

export interface BoardOptions {
  sql: Database;
  /** For the readings: all entries at once take their time. */
  background: Database;
  season: Pick<Season, 'current'>;
  rules: Pick<SeasonRules, 'rebuyPenalty'>;
  /** ms between readings; 0: one before every answer. */
  refreshMs: number;
  /** ms; for what was an hour and a day ago. */
  now(): number;
  log: LobbyLog;
  /** Nobody is rated without. */
  ratings?: Pick<PoolRatings, 'of'>;
}

export interface BoardPage {
  sortBy: 'score' | 'hands_played' | 'win_rate' | 'rating';
  minHands: number;
  limit: number;
  offset: number;
  /** Only names with this in them. */
  search?: string | undefined;
}

export type NamedStanding = SeasonStanding & {
  rank: number;
  botName: string;
  slug: string | null;
  estimates: Estimates;
  rating: ShownRating;
  /** The chance that its rating is above that of the next in this order; null if it has none or is provisional. */
  aboveNext: number | null;
  past: PastPlaces;
};

/** No answer is older: where the readings lag behind, an answer waits for one. */
const OLDEST_MS = 1900;
/** So many agents are looked among for a part of a name. */
const MOST_NAMED = 1000;
/** So long an answer waits for a reading. */
const ANSWER_MS = 15_000;

/**
 * The standings of the current season in memory, its guests in three orders, kept up by reading what was written since
 * the last time. So a page or a rank costs no look at all entries, and a hand that ends nothing at all.
 */
export class Leaderboard {
  #poolId: string | null = null;
  #since: string | null = null;
  /** The moment it shows, by performance.now(). */
  #asOf = -Infinity;
  #guests = new Map<string, SeasonStanding>();
  #house = new Set<string>();
  #banned: ReadonlySet<string> = new Set();
  #orders = emptyOrders();
  readonly #memory = new PlaceMemory();
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #stopped = false;

  constructor(private readonly options: BoardOptions) {}

  /** Reads the season's entries and keeps reading. */
  async start(): Promise<void> {
    if (this.options.refreshMs === 0) return;
    await this.#readAll();
    this.#later();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** A page of the entries with enough hands, each with its rank among all of them. Empty without a season. */
  async page({ sortBy, minHands, limit, offset, search }: BoardPage): Promise<NamedStanding[]> {
    await this.#upToDate();
    const { sql } = this.options;
    const named =
      search === undefined || this.#poolId === null ? null : await selectNamed(sql, this.#poolId, search, MOST_NAMED);
    const rated = this.#poolId === null ? null : ((await this.options.ratings?.of(this.#poolId)) ?? null);
    const rows: (SeasonStanding & { rank: number; aboveNext: number | null })[] = [];
    let [rank, skip] = [0, offset];
    /** The row before, if it is on the page. */
    let before: (typeof rows)[number] | null = null;
    for (const standing of this.#ordered(sortBy, rated)) {
      if (standing.handsPlayed < minHands) continue;
      rank++;
      if (before !== null) before.aboveNext = rated?.chanceAbove(before.agentId, standing.agentId) ?? null;
      before = null;
      if (rows.length === limit) break;
      if ((named !== null && !named.has(standing.agentId)) || skip-- > 0) continue;
      before = { ...standing, rank, aboveNext: null };
      rows.push(before);
    }
    const ids = rows.map(({ agentId }) => agentId);
    const [names, estimates] = await Promise.all([
      selectBoardNames(sql, ids),
      this.#poolId === null ? new Map<string, Estimates>() : selectEstimates(sql, this.#poolId, ids),
    ]);
    return rows.map((standing) => ({
      ...standing,
      botName: names.get(standing.agentId)?.name ?? '',
      slug: names.get(standing.agentId)?.slug ?? null,
      estimates: estimates.get(standing.agentId) ?? NO_ESTIMATES,
      rating: rated?.of(standing.agentId) ?? UNRATED,
      past: this.#memory.of(standing.agentId, this.options.now()),
    }));
  }

  /** By rating those with enough hands come first. The others follow by score, and those who are banned last. */
  *#ordered(sortBy: BoardPage['sortBy'], rated: RatedStandings | null): Generator<SeasonStanding> {
    if (sortBy !== 'rating') return yield* this.#orders[sortBy].all;
    const first = (rated?.order ?? []).flatMap((agentId) => {
      const standing = this.#guests.get(agentId);
      return standing === undefined || standing.banned ? [] : [standing];
    });
    yield* first;
    const seen = new Set(first);
    for (const standing of this.#orders.score.all) if (!seen.has(standing)) yield standing;
  }

  /** How many guests take part in the season. */
  async total(): Promise<number> {
    await this.#upToDate();
    return this.#guests.size;
  }

  /** The place of an entry, as it has just been read, among all guests of its season by score; and how many they are. */
  async rankOf(entry: EntryRow): Promise<{ rank: number; total: number }> {
    await this.#upToDate();
    const known = this.#guests.get(entry.agent_id);
    const { rules } = this.options;
    // An agent that is not on the board yet has registered last.
    const standing = standingOf(entry, rules, known?.registeredAt ?? Infinity);
    const ahead = this.#orders.score.placeOf(standing) - (known !== undefined && byScore(known, standing) < 0 ? 1 : 0);
    const others = this.#guests.size - (known === undefined ? 0 : 1);
    return { rank: ahead + 1, total: others + (this.#house.has(entry.agent_id) ? 0 : 1) };
  }

  #upToDate(): Promise<void> {
    return inTime(this.#readAll(), ANSWER_MS);
  }

  async #readAll(): Promise<void> {
    const oldest = performance.now() - (this.options.refreshMs === 0 ? 0 : OLDEST_MS);
    while (this.#asOf < oldest || this.#poolId !== this.#currentPool()) {
      await this.#readOnce();
    }
  }

  /** All who ask while a reading is under way wait for the same one. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { background } = this.options;
    const asOf = performance.now();
    const poolId = this.#currentPool();
    if (poolId !== this.#poolId) this.#begin(poolId);
    if (poolId !== null) {
      // Before the rows: what is committed in between is read again next time.
      const until = await selectWatermark(background);
      this.#ban(await selectBanned(background));
      await readWritten(background, poolId, this.#since, (rows) => rows.forEach((row) => this.#put(row)));
      this.#since = until;
      this.#remember();
    }
    this.#asOf = asOf;
  }

  #remember(): void {
    const now = this.options.now();
    if (!this.#memory.due(now)) return;
    const ranked = this.#orders.score.all.filter(({ handsPlayed }) => handsPlayed >= MINIMUM_HANDS);
    this.#memory.see(
      now,
      ranked.map(({ agentId }) => agentId),
    );
  }

  #begin(poolId: string | null): void {
    this.#poolId = poolId;
    this.#since = null;
    this.#asOf = -Infinity;
    this.#guests = new Map();
    this.#house = new Set();
    this.#orders = emptyOrders();
    this.#memory.clear();
  }

  #put(row: BoardRow): void {
    const { agent_id: agentId, registered_us: registeredAt } = row;
    if (row.is_house) {
      this.#house.add(agentId);
      return;
    }
    this.#place({ ...standingOf(row, this.options.rules, registeredAt), banned: this.#banned.has(agentId) });
  }

  /** A ban writes no entry: who was banned since, or let in again, is put where it belongs. */
  #ban(banned: ReadonlySet<string>): void {
    const before = this.#banned;
    this.#banned = banned;
    for (const agentId of new Set([...before, ...banned])) {
      const known = this.#guests.get(agentId);
      if (known !== undefined && known.banned !== banned.has(agentId)) {
        this.#place({ ...known, banned: banned.has(agentId) });
      }
    }
  }

  #place(standing: SeasonStanding): void {
    const { agentId } = standing;
    const before = this.#guests.get(agentId);
    this.#guests.set(agentId, standing);
    this.#orders.score.put(standing, before);
    this.#orders.hands_played.put(standing, before);
    this.#orders.win_rate.put(standing, before);
  }

  #later(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#next(), this.options.refreshMs).unref();
  }

  /** Requests meanwhile get an error. Here it is only logged, once until it is over. */
  async #next(): Promise<void> {
    try {
      await this.#readOnce();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#stopped) this.options.log.warn({ err: error }, 'the standings cannot be read');
      this.#failing = true;
    }
    this.#later();
  }

  #currentPool(): string | null {
    return this.options.season.current?.seasonId ?? null;
  }
}

const emptyOrders = () => ({
  score: new StandingsOrder(byScore),
  hands_played: new StandingsOrder(byHands),
  win_rate: new StandingsOrder(byWinRate),
});

type Figures = Omit<BoardRow, 'is_house' | 'registered_us'>;

/** Written out, all fields at once: a hundred thousand of them are compared again and again. */
const standingOf = (row: Figures, rules: Pick<SeasonRules, 'rebuyPenalty'>, registeredAt: number): SeasonStanding => ({
  agentId: row.agent_id,
  score: scoreOf(row, rules.rebuyPenalty),
  chipBalance: row.chip_balance,
  chipsAtTable: row.chips_at_table,
  rebuys: row.rebuys,
  handsPlayed: row.hands_played,
  handsWon: row.hands_won,
  premium: row.premium,
  banned: false,
  registeredAt,
});
