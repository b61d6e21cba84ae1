import { chanceAbove, priorPosteriorInterval } from '../statistics/normal.js';
import type { PoolRated } from './job.js';
import { PRIOR_SPREAD, type RatedAgent } from './model.js';

export interface PoolRatingsOptions {
  /** Rates a pool by what is counted of it. Rejects while the database is away. */
  rate(poolId: string): Promise<PoolRated>;
  /** With fewer hands a rating is provisional. */
  minHands: number;
  log: { warn(detail: object, message: string): void };
}

/** A rating as it is shown. */
export interface ShownRating {
  /** Big blinds per 100 hands above the pool's average agent; null without a rated hand. */
  rating: number | null;
  /** The 95 % interval by the model, which holds at all times. Null if nothing is excluded. */
  rating_interval: [low: number, high: number] | null;
  rating_hands: number;
  provisional: boolean;
}

export const UNRATED: ShownRating = { rating: null, rating_interval: null, rating_hands: 0, provisional: true };

/** The ratings of a pool at a moment. */
export class RatedStandings {
  readonly #agents: ReadonlyMap<string, RatedAgent>;
  readonly #versions = new Map<string, (RatedAgent & { version: string })[]>();
  /** Agents that are not provisional, best first. */
  readonly order: readonly string[];

  constructor(
    { agents, versions }: PoolRated,
    private readonly minHands: number,
  ) {
    this.#agents = new Map(agents.map(({ agentId, ...rated }) => [agentId, rated]));
    for (const { agentId, ...rated } of versions)
      this.#versions.set(agentId, [...(this.#versions.get(agentId) ?? []), rated]);
    this.order = agents
      .filter(({ hands }) => hands >= minHands)
      .sort((a, b) => b.rating - a.rating || (a.agentId < b.agentId ? -1 : 1))
      .map(({ agentId }) => agentId);
  }

  of(agentId: string): ShownRating {
    const rated = this.#agents.get(agentId);
    return rated === undefined ? UNRATED : this.#shown(rated);
  }

  /** Whether the agent has enough hands. */
  isSettled(agentId: string): boolean {
    return (this.#agents.get(agentId)?.hands ?? 0) >= this.minHands;
  }

  /** The chance that the first agent's rating is above the second's, by the model; null if one is provisional. */
  chanceAbove(agentId: string, otherId: string): number | null {
    if (!this.isSettled(agentId) || !this.isSettled(otherId)) return null;
    const [one, other] = [agentId, otherId].map((id) => {
      const { rating: mean, spread } = this.#agents.get(id)!;
      return { mean, spread };
    });
    return chanceAbove(one!, other!);
  }

  /** The versions of an agent's bot by themselves, those with the most hands first. */
  versionsOf(agentId: string): (ShownRating & { version: string | null })[] {
    return (this.#versions.get(agentId) ?? [])
      .toSorted((a, b) => b.hands - a.hands)
      .map(({ version, ...rated }) => ({ version: version === '' ? null : version, ...this.#shown(rated) }));
  }

  #shown({ rating, spread, hands }: RatedAgent): ShownRating {
    if (hands === 0) return UNRATED;
    const [low, high] = priorPosteriorInterval({ mean: rating, spread }, PRIOR_SPREAD);
    return {
      rating: 100 * rating,
      rating_interval: Number.isFinite(low) ? [100 * low, 100 * high] : null,
      rating_hands: hands,
      provisional: hands < this.minHands,
    };
  }
}

/** A reading is as good as new for so long, and for so many times as long as it took. */
const FRESH_MS = 5000;
const FRESH_TIMES = 20;
/** A pool that nobody asked for during this time is forgotten. */
const KEPT_MS = 600_000;

interface Kept {
  standings: RatedStandings;
  freshUntil: number;
  asked: number;
}

/**
 * The ratings of pools in memory. An answer waits for the first reading of a pool only. Later ones come in the
 * background, caused by those who ask.
 */
export class PoolRatings {
  readonly #kept = new Map<string, Kept>();
  readonly #readings = new Map<string, Promise<RatedStandings>>();
  #failing = false;

  constructor(private readonly options: PoolRatingsOptions) {}

  async of(poolId: string): Promise<RatedStandings> {
    const now = performance.now();
    for (const [pool, { asked }] of this.#kept) if (asked < now - KEPT_MS) this.#kept.delete(pool);
    const kept = this.#kept.get(poolId);
    if (kept === undefined) return this.#read(poolId);
    kept.asked = now;
    if (now >= kept.freshUntil) this.#read(poolId).catch((error: unknown) => this.#failed(error));
    return kept.standings;
  }

  #read(poolId: string): Promise<RatedStandings> {
    const reading = this.#readings.get(poolId) ?? this.#rated(poolId).finally(() => this.#readings.delete(poolId));
    this.#readings.set(poolId, reading);
    return reading;
  }

  async #rated(poolId: string): Promise<RatedStandings> {
    const begun = performance.now();
    const standings = new RatedStandings(await this.options.rate(poolId), this.options.minHands);
    const now = performance.now();
    const freshUntil = now + Math.max(FRESH_MS, FRESH_TIMES * (now - begun));
    this.#kept.set(poolId, { standings, freshUntil, asked: now });
    this.#failing = false;
    return standings;
  }

  /** The former ratings stand. It is logged once until a reading succeeds. */
  #failed(error: unknown): void {
    if (!this.#failing) this.options.log.warn({ err: error }, 'the ratings cannot be read');
    this.#failing = true;
  }
}
