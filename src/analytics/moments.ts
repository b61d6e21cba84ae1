import type { Database } from '../store/database.js';
import type { StoredHand } from '../table/record/record-codec.js';

/** Hands that are worth a look: found while hands are counted, and kept for a day. */

export type MomentKind = 'pot' | 'all_in' | 'upset';

export interface FoundMoment {
  kind: MomentKind;
  handId: string;
  startedAt: number;
  /** The higher, the better. */
  worth: number;
  /** By seat; null for a pot. */
  equities: Readonly<Record<string, number>> | null;
}

/** Of each kind and hour. The page shows five of a day. */
export const KEPT_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
/** A day and the hour that it begins in. */
const KEPT_HOURS = 25;
/** Smaller pots make no upset, in big blinds. */
const LEAST_UPSET = 20;

const hourOf = (at: number) => at - (at % HOUR_MS);

/**
 * The kinds of moment that a hand is. `shares`: the expected part of the pot of each player in the order of the hand, where
 * the betting ended before the river. An all-in counts only where the table saw the cards of every player that was in.
 */
export function momentsIn(hand: StoredHand, shares: readonly (number | null)[]): FoundMoment[] {
  const { handId, startedAt, totalPot, bigBlind, players } = hand;
  const pot = { kind: 'pot', handId, startedAt, worth: totalPot, equities: null } as const;
  const contenders = players.flatMap((player, at) => {
    const share = shares[at] ?? null;
    return share === null ? [] : [{ player, share }];
  });
  if (contenders.length < 2 || contenders.some(({ player }) => !player.shown)) return [pot];
  const equities = Object.fromEntries(contenders.map(({ player, share }) => [String(player.seat), share]));
  const allIn = { ...pot, kind: 'all_in', equities } as const;
  const winners = contenders.filter(({ player }) => player.payout > 0);
  // Neither a shared pot nor a favourite's win is an upset.
  const [winner] = winners;
  const isUpset = winner !== undefined && winners.length === 1 && winner.share < 1 / contenders.length;
  if (!isUpset || totalPot < LEAST_UPSET * bigBlind) return [pot, allIn];
  return [pot, allIn, { ...allIn, kind: 'upset', worth: 1 - winner.share }];
}

/** Keeps the best of each kind and hour of the seasons. */
export class Moments {
  /** The best so far, by kind and hour. A hand may be read for each of its players. */
  readonly #known = new Map<string, readonly FoundMoment[]>();
  #found: (FoundMoment & { poolId: string })[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Takes the moments of a hand; most hands are none. */
  look(poolId: string, found: readonly FoundMoment[]): void {
    for (const moment of found) {
      if (moment.startedAt < hourOf(this.now()) - KEPT_HOURS * HOUR_MS) continue;
      const key = `${moment.kind} ${hourOf(moment.startedAt)}`;
      const best = this.#known.get(key) ?? [];
      if (best.length >= KEPT_AN_HOUR && moment.worth <= best.at(-1)!.worth) continue;
      if (best.some(({ handId }) => handId === moment.handId)) continue;
      this.#known.set(key, [...best, moment].sort((a, b) => b.worth - a.worth).slice(0, KEPT_AN_HOUR));
      this.#found.push({ ...moment, poolId });
    }
    if (this.#known.size > 4 * KEPT_HOURS) this.#known.delete(this.#known.keys().next().value!);
  }

  /** Stores what was found, and drops what is no longer among the best or too old. */
  async store(sql: Database): Promise<void> {
    const found = this.#found;
    if (found.length === 0) return;
    const rows = found.map(({ kind, handId, startedAt, worth, equities, poolId }) => {
      const hour = new Date(hourOf(startedAt)).toISOString();
      return { kind, hand_id: handId, hour, worth, equities, pool_id: poolId };
    });
    const oldest = new Date(hourOf(this.now()) - KEPT_HOURS * HOUR_MS);
    await sql`
      insert into moments (hour, kind, pool_id, hand_id, worth, equities)
      select hour, kind, pool_id, hand_id, worth, equities
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as m (hour timestamptz, kind text, pool_id uuid, hand_id uuid, worth float8, equities jsonb)
      join seasons on season_id = pool_id
      on conflict do nothing`;
    await sql`
      delete from moments m using (
        select kind, hour, hand_id, row_number() over (partition by kind, hour order by worth desc, hand_id) as place
        from moments) placed
      where m.kind = placed.kind and m.hour = placed.hour and m.hand_id = placed.hand_id
        and (placed.place > ${KEPT_AN_HOUR} or m.hour < ${oldest})`;
    this.#found = this.#found.slice(found.length);
  }
}
