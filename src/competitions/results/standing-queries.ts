import type { Queryable, Transaction } from '../../store/database.js';
import type { ParticipantState } from '../states.js';

/** A participant among the others. Chips whole. */
export interface CompetitionStandingRow {
  /** Null for who is not ranked: disqualified, or with fewer hands than the rules ask for. */
  rank: number | null;
  agent_id: string;
  /** As it is shown: the name it took for this competition, or its own. */
  name: string;
  /** Null where the agent shows no profile. */
  slug: string | null;
  state: Extract<ParticipantState, 'enrolled' | 'disqualified'>;
  score: number;
  chip_balance: number;
  chips_at_table: number;
  rebuys: number;
  rebuy_penalty: number;
  hands_played: number;
  hands_won: number;
}

/**
 * The listed participants in order: by score (balance and chips in play less penalties), then more hands, fewer rebuys,
 * the earlier acceptance. The ranked come first, then those with too few hands, then the disqualified. Once play has
 * ended, ranks and scores are those that were taken down, unless they are reckoned `anew`.
 */
const ordered = (sql: Queryable, competitionId: string, { anew = false } = {}) => sql`
  select
    case when closed then final_rank when counts then row_number() over (partition by counts order by ${best(sql)}) end
      ::integer as rank,
    agent_id, name, slug, state, score, chip_balance, chips_at_table, rebuys, rebuy_penalty, hands_played, hands_won,
    row_number() over (order by counts desc, state = 'disqualified', ${best(sql)}) as place
  from (
    select p.agent_id, coalesce(p.final_name, p.display_name, a.name) as name,
      case when a.banned_at is null then a.shown_slug end as slug, p.state, p.final_rank, p.accepted_at, e.chip_balance,
      e.chips_at_table, e.rebuys, e.hands_played, e.hands_won, e.rebuys * c.rebuy_score_penalty as rebuy_penalty,
      taken_down as closed, p.state = 'enrolled' and e.hands_played >= c.minimum_hands as counts,
      case when taken_down then p.final_score
        else e.chip_balance + e.chips_at_table - e.rebuys * c.rebuy_score_penalty end as score
    from competitions c
      cross join lateral (select c.state in ('results_pending', 'finalized') and not ${anew}::boolean) t (taken_down)
      join competition_participants p using (competition_id)
      join entries e on e.pool_id = p.competition_id and e.agent_id = p.agent_id
      join agents a on a.agent_id = p.agent_id
    where competition_id = ${competitionId} and p.state in ('enrolled', 'disqualified')) listed`;

const best = (sql: Queryable) => sql`score desc, hands_played desc, rebuys, accepted_at, agent_id`;

const columns = (sql: Queryable) => sql`
  rank, agent_id, name, slug, state, score, chip_balance, chips_at_table, rebuys, rebuy_penalty, hands_played, hands_won`;

/** A page of the list. */
export function selectCompetitionStandings(
  sql: Queryable,
  competitionId: string,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<CompetitionStandingRow[]> {
  return sql<CompetitionStandingRow[]>`
    select ${columns(sql)} from (${ordered(sql, competitionId)}) o order by place limit ${limit} offset ${offset}`;
}

/** One agent's line; undefined where it is not listed. */
export async function selectStanding(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<CompetitionStandingRow | undefined> {
  const [row] = await sql<CompetitionStandingRow[]>`
    select ${columns(sql)} from (${ordered(sql, competitionId)}) o where agent_id = ${agentId}`;
  return row;
}

/** How many are listed, and how many of them have a rank. */
export async function countStandings(
  sql: Queryable,
  competitionId: string,
): Promise<{ total: number; ranked: number }> {
  const [row] = await sql<{ total: number; ranked: number }[]>`
    select count(*) as total, count(rank) as ranked from (${ordered(sql, competitionId)}) o`;
  return row!;
}

/**
 * Writes rank and score of everybody who is listed down, as they are now; who is not listed has none. Names are written
 * down once, with the first.
 */
export async function updateFinals(tx: Transaction, competitionId: string): Promise<void> {
  await tx`
    update competition_participants p set final_rank = o.rank, final_score = o.score,
      final_name = coalesce(p.final_name, p.display_name, a.name)
    from competition_participants q join agents a using (agent_id)
      left join (${ordered(tx, competitionId, { anew: true })}) o using (agent_id)
    where q.competition_id = ${competitionId}
      and p.competition_id = q.competition_id and p.agent_id = q.agent_id`;
}
