/** One agent's place in a season, as it was when it was read; never changed, only replaced. */
export interface SeasonStanding {
  readonly agentId: string;
  readonly score: number;
  readonly chipBalance: number;
  readonly chipsAtTable: number;
  readonly rebuys: number;
  readonly handsPlayed: number;
  readonly handsWon: number;
  readonly premium: boolean;
  /** A banned agent has no place among the others: it comes after all of them. */
  readonly banned: boolean;
  /** Epoch µs. */
  readonly registeredAt: number;
}

/** Negative when `a` comes before `b`. No two agents are equal. */
export type Before = (a: SeasonStanding, b: SeasonStanding) => number;

/** Best first: score, then more hands, fewer rebuys, the earlier registration. In SQL it is `byScore` of queries.ts. */
export const byScore: Before = (a, b) =>
  last(a, b) ||
  b.score - a.score ||
  b.handsPlayed - a.handsPlayed ||
  a.rebuys - b.rebuys ||
  a.registeredAt - b.registeredAt ||
  (a.agentId < b.agentId ? -1 : a.agentId > b.agentId ? 1 : 0);

export const byHands: Before = (a, b) => last(a, b) || b.handsPlayed - a.handsPlayed || byScore(a, b);

export const byWinRate: Before = (a, b) => last(a, b) || shareWon(b) - shareWon(a) || byHands(a, b);

function last(a: SeasonStanding, b: SeasonStanding): number {
  return a.banned === b.banned ? 0 : a.banned ? 1 : -1;
}

/** 0 without a hand. */
export const shareWon = ({ handsWon, handsPlayed }: Pick<SeasonStanding, 'handsWon' | 'handsPlayed'>) =>
  handsPlayed === 0 ? 0 : handsWon / handsPlayed;

/** So many changes are worked in at once at the most; more would keep the event loop. */
const PORTION = 10_000;

/** Standings in order. Changes are collected and merged in when somebody looks: few of them cost a pass, not a sort. */
export class StandingsOrder {
  #sorted: SeasonStanding[] = [];
  #added: SeasonStanding[] = [];
  #replaced = new Set<SeasonStanding>();

  constructor(private readonly before: Before) {}

  put(standing: SeasonStanding, instead: SeasonStanding | undefined): void {
    if (instead !== undefined) this.#replaced.add(instead);
    this.#added.push(standing);
    if (this.#added.length >= PORTION) this.#merge();
  }

  /** Best first; valid until the next put. */
  get all(): readonly SeasonStanding[] {
    if (this.#added.length > 0) this.#merge();
    return this.#sorted;
  }

  /** How many come before it, whether it is among them or not. */
  placeOf(standing: SeasonStanding): number {
    const { all, before } = this;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (before(all[middle]!, standing) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #merge(): void {
    const gone = this.#replaced;
    const fresh = this.#added.filter((standing) => !gone.has(standing)).sort(this.before);
    const merged: SeasonStanding[] = [];
    let next = 0;
    for (const standing of this.#sorted) {
      if (gone.has(standing)) continue;
      while (next < fresh.length && this.before(fresh[next]!, standing) < 0) merged.push(fresh[next++]!);
      merged.push(standing);
    }
    while (next < fresh.length) merged.push(fresh[next++]!);
    this.#sorted = merged;
    this.#added = [];
    this.#replaced = new Set();
  }
}
