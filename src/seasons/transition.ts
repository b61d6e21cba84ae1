import { postCredits, UCENTS_PER_CENT } from '../credits/index.js';
import { enqueueEmail } from '../email/index.js';
import type { Database, Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { setPhase } from '../store/pool-phase.js';
import { finalResult, type FinalResult } from './emails.js';
import { insertSeason, selectActiveSeason, orderByScore, type ActiveSeasonRow } from './queries.js';
import { bookPrizes } from './prize-queries.js';
import { possibleWinners } from './prizes.js';
import { MINIMUM_HANDS, type PrizeRules } from './rules.js';
import { BADGES, prizeShares } from './standings.js';

/** The season that ends, and what its end is reckoned with. */
export interface Ending {
  seasonId: string;
  prizePoolCents: number;
  rebuyPenalty: number;
  /** Without them the first three ranks win, and are paid at once. */
  prizes?: PrizeRules;
}

const NO_RULES: PrizeRules = { minHands: 0, minOpponents: 0, holdHours: 0 };

export interface Beginning {
  seasonId: string;
  start: Date;
  end: Date;
}

/** Mails queued by one statement. */
const BATCH = 1000;

/**
 * Moves from one season to the next in one transaction. The leaderboard is frozen, prizes are booked, pending rebuys
 * lapse, final results are mailed, and the next season opens. A second caller, in another process or after a crash,
 * finds it done. Resolves to the season that is active now. Refused (AP001) while anybody still has a seat. Only the
 * leader's: throws Displaced.
 */
export async function rollOver(
  sql: Database,
  leadership: Leadership,
  ending: Ending,
  next: Beginning,
): Promise<ActiveSeasonRow> {
  const { prizes = NO_RULES } = ending;
  // Before anything is locked, since it may take its time. No hand is played any more by then.
  const winners = ending.prizePoolCents === 0 ? null : await possibleWinners(sql, ending, prizes);
  return leadership.transaction(sql, async (tx) => {
    const number = await lockActive(tx, ending.seasonId);
    if (number !== null) {
      await closeTables(tx, ending.seasonId);
      await end(tx, ending);
      await freeze(tx, ending, winners);
      await sponsor(tx, ending);
      await bookPrizes(tx, ending.seasonId, prizes.holdHours);
      await emailResults(tx, ending, number);
    }
    // While our season was not the active one, another has long begun.
    const active = number === null ? await selectActiveSeason(tx) : undefined;
    return active ?? insertSeason(tx, next.seasonId, next.start, next.end);
  });
}

/** The first season, by the leader. Rejects with a unique violation where one is active. */
export function beginFirst(sql: Database, leadership: Leadership, first: Beginning): Promise<ActiveSeasonRow> {
  return leadership.transaction(sql, (tx) => insertSeason(tx, first.seasonId, first.start, first.end));
}

/**
 * The number of the season while it is active, else null. From here to the end of the transaction nobody registers or
 * gets a rebuy in it: they hold this row, too (`activeSeason` in queries.ts).
 */
async function lockActive(tx: Queryable, seasonId: string): Promise<number | null> {
  const [row] = await tx<{ season_number: number }[]>`
    select season_number from seasons where season_id = ${seasonId} and status = 'active' for update`;
  return row?.season_number ?? null;
}

/**
 * No table can be bought in to any more; waits for buy-ins under way. Open tables have no players then, or are refused.
 */
async function closeTables(tx: Queryable, seasonId: string): Promise<void> {
  await tx`update tables set status = 'closed', closed_at = now() where pool_id = ${seasonId} and status = 'open'`;
  await tx`
    select require(not exists (select from entries where pool_id = ${seasonId} and table_id is not null),
      'somebody is still seated in this season')`;
}

async function end(tx: Queryable, { seasonId, prizePoolCents, rebuyPenalty, prizes }: Ending): Promise<void> {
  await tx`
    update seasons set status = 'ended', ended_at = now(), prize_pool_cents = ${prizePoolCents},
      rebuy_penalty = ${rebuyPenalty}, prize_min_hands = ${prizes?.minHands ?? null},
      prize_min_opponents = ${prizes?.minOpponents ?? null}
    where season_id = ${seasonId}`;
  await setPhase(tx, seasonId, 'ended');
  await tx`update entries set rebuy_due_at = null where pool_id = ${seasonId} and rebuy_due_at is not null`;
  await tx`
    update entries e set barred = true from agents a
    where e.pool_id = ${seasonId} and a.agent_id = e.agent_id and a.banned_at is not null`;
}

/** `winners` are those who may win a prize; null: everybody. The best of them have the shares of the pool. */
async function freeze(tx: Queryable, ending: Ending, winners: readonly string[] | null): Promise<void> {
  const { seasonId, prizePoolCents, rebuyPenalty, prizes = NO_RULES } = ending;
  const shares = [...prizeShares(prizePoolCents)];
  await tx`
    insert into season_standings (season_id, rank, agent_id, bot_name, score, chip_balance, rebuys, hands_played,
      hands_won, badge, prize_cents)
    select pool_id, rank, agent_id, name, score, chip_balance, rebuys, hands_played, hands_won,
      (${[...BADGES]}::text[])[rank], 
      case when may_win then coalesce((${shares}::bigint[])[row_number() over (partition by may_win order by rank)], 0)
        else 0 end
    from (
      select *, row_number() over (order by ${orderByScore(tx)}) as rank, hands_played >= ${prizes.minHands}::bigint
        and (${winners === null}::boolean or agent_id = any(${(winners ?? []) as string[]}::uuid[])) as may_win
      from (
        select e.*, a.name, chip_balance - rebuys * ${rebuyPenalty}::bigint as score
        from entries e join agents a using (agent_id)
        where e.pool_id = ${seasonId} and not a.is_house and not e.barred and e.hands_played >= ${MINIMUM_HANDS}
      ) scored
    ) ranked`;
}

/** The sponsor's money comes in once a season; what nobody won of it stays with the prizes. */
async function sponsor(tx: Queryable, { seasonId, prizePoolCents }: Ending): Promise<void> {
  if (prizePoolCents === 0) return;
  const pool = prizePoolCents * UCENTS_PER_CENT;
  await postCredits(tx, {
    type: 'sponsor',
    once: `sponsor:${seasonId}`,
    reference: seasonId,
    legs: [
      { account: 'deposits', ucents: -pool },
      { account: 'prizes', ucents: pool },
    ],
  });
}

/** Everybody who registered hears how it went, but for house bots and who is banned. */
async function emailResults(tx: Queryable, ending: Ending, number: number): Promise<void> {
  const { seasonId } = ending;
  for (let after: string | null = null; ;) {
    const results = await selectResults(tx, ending, after);
    const emails = results.map(({ agentId, email: to, ...result }) => ({
      dedupeKey: `final:${seasonId}:${agentId}`,
      to,
      ...finalResult(number, result),
    }));
    await enqueueEmail(tx, emails);
    if (results.length < BATCH) return;
    after = results.at(-1)!.agentId;
  }
}

interface ResultRow extends FinalResult {
  agentId: string;
  email: string;
}

function selectResults(
  tx: Queryable,
  { seasonId, rebuyPenalty, prizePoolCents, prizes = NO_RULES }: Ending,
  after: string | null,
) {
  const { minHands, minOpponents, holdHours } = prizes;
  const conditions = [
    ...(minHands > 0 ? [`${minHands} hands`] : []),
    ...(minOpponents > 0 ? [`${minOpponents} opponents of different owners`] : []),
  ].join(' and ');
  return tx<ResultRow[]>`
    select a.agent_id as "agentId", a.email, a.name as "botName", s.rank, badge, e.rebuys,
      (select count(*) from season_standings where season_id = ${seasonId}) as ranked,
      e.chip_balance - e.rebuys * ${rebuyPenalty}::bigint as score,
      e.hands_played as "handsPlayed", e.hands_won as "handsWon", coalesce(s.prize_cents, 0) as "prizeCents",
      case when ${holdHours}::integer > 0 then held_until end as "heldUntil",
      case when ${prizePoolCents}::bigint > 0 and s.rank <= 3 and s.prize_cents = 0 then nullif(${conditions}, '') end
        as "prizeNeeds"
    from entries e join agents a using (agent_id)
    left join season_standings s on s.season_id = e.pool_id and s.agent_id = e.agent_id
    left join prizes p on p.season_id = s.season_id and p.rank = s.rank
    where e.pool_id = ${seasonId} and (${after}::uuid is null or e.agent_id > ${after}::uuid) and not a.is_house
      and not e.barred
    order by e.agent_id limit ${BATCH}`;
}
