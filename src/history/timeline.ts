import type { Queryable } from '../store/database.js';
import { countBelow, selectNth, selectSeasonsOf, type PoolPart, type Whose } from './queries.js';
import { firstIdAt } from './times.js';

/** Which hands of an agent; times are epoch ms, both ends included. */
export interface TimelineFilter {
  seasonId?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Hands of one season by their numbers, both ends included; never empty. */
export interface TimelineStretch {
  poolId: string;
  first: number;
  last: number;
}

/** A hand that a page ended on. */
export interface HandPosition {
  poolId: string;
  handId: string;
}

/**
 * The hands of an agent that fit a filter, the newest first: stretches of the seasons it played, or of one competition.
 * Seasons follow one another, so season by season is the order of time. The counts here are numbers of hands, not rows,
 * so skipping half a million costs nothing.
 */
export class Timeline {
  private constructor(
    private readonly agentId: string,
    readonly stretches: readonly TimelineStretch[],
  ) {}

  static async of(
    sql: Queryable,
    agentId: string,
    filter: TimelineFilter,
    seasons?: readonly PoolPart[],
  ): Promise<Timeline> {
    const parts = seasons ?? (await selectSeasonsOf(sql, agentId));
    const stretches: TimelineStretch[] = [];
    for (const { poolId, hands } of parts) {
      if (filter.seasonId !== undefined && poolId !== filter.seasonId) continue;
      const whose = { poolId, agentId };
      const last = filter.to === undefined ? hands : await countBelow(sql, whose, firstIdAt(filter.to + 1));
      const before = filter.from === undefined ? 0 : await countBelow(sql, whose, firstIdAt(filter.from));
      if (last > before) stretches.push({ poolId, first: before + 1, last });
    }
    return new Timeline(agentId, stretches);
  }

  get total(): number {
    return this.stretches.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  /** The hands after a place, or null for a place outside the agent's seasons. */
  async after(
    sql: Queryable,
    { poolId, handId }: HandPosition,
    seasons: readonly PoolPart[],
  ): Promise<Timeline | null> {
    const at = seasons.findIndex((season) => season.poolId === poolId);
    if (at < 0) return null;
    const older = new Set(seasons.slice(at + 1).map((season) => season.poolId));
    const below = await countBelow(sql, { poolId, agentId: this.agentId }, handId);
    const left = this.stretches
      .filter((stretch) => stretch.poolId === poolId || older.has(stretch.poolId))
      .map((stretch) => (stretch.poolId === poolId ? { ...stretch, last: Math.min(stretch.last, below) } : stretch));
    return new Timeline(this.agentId, left.filter(notEmpty));
  }

  /** Without the newest `count` hands. */
  skip(count: number): Timeline {
    let left = count;
    const stretches = this.stretches.map((stretch) => {
      const skipped = Math.min(left, lengthOf(stretch));
      left -= skipped;
      return { ...stretch, last: stretch.last - skipped };
    });
    return new Timeline(this.agentId, stretches.filter(notEmpty));
  }

  /** The newest `count` hands alone. */
  take(count: number): Timeline {
    let left = count;
    const stretches = this.stretches.map((stretch) => {
      const taken = Math.min(left, lengthOf(stretch));
      left -= taken;
      return { ...stretch, first: stretch.last - taken + 1 };
    });
    return new Timeline(this.agentId, stretches.filter(notEmpty));
  }

  /** Where a stretch begins, known by the id of its newest hand. */
  start(sql: Queryable, { poolId, last }: TimelineStretch): Promise<string | null> {
    const whose: Whose = { poolId, agentId: this.agentId };
    return selectNth(sql, whose, last);
  }
}

export const lengthOf = ({ first, last }: TimelineStretch): number => last - first + 1;

const notEmpty = (stretch: TimelineStretch) => stretch.last >= stretch.first;
