import type { Database } from '../../src/store/database.js';
import { decodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';

/** The prizes and conditions of a season. */
export interface Terms {
  starting: number;
  rebuy: number;
  penalty: number;
  /** Prize pool in cents. */
  pool: number;
}

/** A row of a frozen leaderboard. */
export interface Standing {
  rank: number;
  bot_name: string;
  score: number;
  chip_balance: number;
  chips_at_table: number;
  rebuys: number;
  hands_played: number;
  hands_won: number;
  badge: string | null;
  prize_cents: number;
  /** Without a hold a prize is paid at once. */
  prize_status: 'paid' | null;
  prize_held_until: null;
}

export interface SeasonStats {
  season_number: number;
  hands_played: number;
  hands_won: number;
  win_rate: number;
  total_chips_won: number;
  total_chips_lost: number;
  net_chips: number;
  avg_profit_per_hand: number;
  score: number;
}

/** An agent's season, by its hands. */
export interface Reckoned {
  agentId: string;
  name: string;
  registeredAt: number;
  rebuys: number;
  played: number;
  won: number;
  gained: number;
  lost: number;
  /** By table. */
  profits: Map<string, number>;
  chips: number;
  score: number;
}

interface Registration {
  pool_id: string;
  agent_id: string;
  name: string;
  /** Microseconds. */
  registered_at: number;
  rebuys: number;
}

/**
 * Seasons computed from the stored hands, in another way than the product. Registrations and rebuys come from the
 * database, because no hand has them.
 */
export class SeasonTruth {
  readonly #hands: StoredHand[];
  readonly #entries = new Map<string, Reckoned[]>();

  private constructor(
    private readonly terms: Terms,
    hands: StoredHand[],
    registrations: readonly Registration[],
  ) {
    this.#hands = hands;
    for (const registration of registrations) {
      const { pool_id: pool } = registration;
      this.#entries.set(pool, [...(this.#entries.get(pool) ?? []), this.#reckon(registration)]);
    }
  }

  static async read(sql: Database, terms: Terms): Promise<SeasonTruth> {
    const records = await sql<{ record: Buffer }[]>`select record from hands order by hand_id`;
    const registrations = await sql<Registration[]>`
      select e.pool_id, e.agent_id, a.name, (extract(epoch from e.registered_at) * 1000000)::bigint as registered_at,
        (select count(*) from chip_ledger l
         where l.pool_id = e.pool_id and l.agent_id = e.agent_id and l.type = 'rebuy') as rebuys
      from entries e join agents a using (agent_id)`;
    const hands = records.map(({ record }) => decodeRecord(record));
    return new SeasonTruth(terms, hands, registrations);
  }

  #reckon({ pool_id: pool, agent_id: agentId, name, registered_at: at, rebuys }: Registration): Reckoned {
    const { starting, rebuy, penalty } = this.terms;
    const profits = new Map<string, number>();
    let [played, won, gained, lost] = [0, 0, 0, 0];
    for (const hand of this.#hands) {
      const player = hand.poolId === pool ? hand.players.find((each) => each.agentId === agentId) : undefined;
      if (player === undefined) continue;
      const profit = player.stackEnd - player.stackStart;
      profits.set(hand.tableId, (profits.get(hand.tableId) ?? 0) + profit);
      played++;
      if (profit > 0) [won, gained] = [won + 1, gained + profit];
      else lost -= profit;
    }
    const chips = starting + rebuys * rebuy + gained - lost;
    const score = chips - rebuys * penalty;
    return { agentId, name, registeredAt: at, rebuys, played, won, gained, lost, profits, chips, score };
  }

  entries(season: string): readonly Reckoned[] {
    return this.#entries.get(season) ?? [];
  }

  chipsOf(season: string): number {
    return this.entries(season).reduce((sum, { chips }) => sum + chips, 0);
  }

  broughtIn(season: string): number {
    const { starting, rebuy } = this.terms;
    return this.entries(season).reduce((sum, { rebuys }) => sum + starting + rebuys * rebuy, 0);
  }

  /** By score, then more hands, then fewer rebuys, then earlier registration. At least ten hands. */
  standings(season: string): Standing[] {
    const ranked = this.entries(season).filter(({ played }) => played >= 10);
    ranked.sort(
      (a, b) => b.score - a.score || b.played - a.played || a.rebuys - b.rebuys || a.registeredAt - b.registeredAt,
    );
    return ranked.map((entry, index) => ({
      rank: index + 1,
      bot_name: entry.name,
      score: entry.score,
      chip_balance: entry.chips,
      chips_at_table: 0,
      rebuys: entry.rebuys,
      hands_played: entry.played,
      hands_won: entry.won,
      badge: ['gold', 'silver', 'bronze'][index] ?? null,
      prize_cents: this.#prizes()[index] ?? 0,
      prize_status: (this.#prizes()[index] ?? 0) > 0 ? 'paid' : null,
      prize_held_until: null,
    }));
  }

  #prizes(): number[] {
    const [first, second, third] = [0.5, 0.3, 0.2].map((part) => Math.floor(this.terms.pool * part + 1e-9));
    return [first! + (this.terms.pool - first! - second! - third!), second!, third!];
  }

  seasonOf(handId: string): string | undefined {
    return this.#hands.find((hand) => hand.handId === handId)?.poolId;
  }

  /** An agent's hands of all seasons as the history shows them, oldest first. */
  hands(agentId: string) {
    return this.#hands.flatMap((hand) => {
      const player = hand.players.find((each) => each.agentId === agentId);
      if (player === undefined) return [];
      const { seat, stackStart, stackEnd } = player;
      return [
        {
          hand_id: hand.handId,
          table_id: hand.tableId,
          hand_number: hand.handNumber,
          seat,
          stack_start: stackStart,
          stack_end: stackEnd,
          profit: stackEnd - stackStart,
          actions: hand.actions.map((action) => ({ seat: action.seat, amount: action.amount })),
        },
      ];
    });
  }

  stats(season: string, agentId: string): Omit<SeasonStats, 'season_number'> {
    const { played, won, gained, lost, score } = this.entries(season).find((each) => each.agentId === agentId)!;
    return {
      hands_played: played,
      hands_won: won,
      win_rate: played === 0 ? 0 : won / played,
      total_chips_won: gained,
      total_chips_lost: lost,
      net_chips: gained - lost,
      avg_profit_per_hand: played === 0 ? 0 : (gained - lost) / played,
      score,
    };
  }
}
