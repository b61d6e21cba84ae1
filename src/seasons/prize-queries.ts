import { postCredits, UCENTS_PER_CENT } from '../credits/index.js';
import { enqueueEmail } from '../email/index.js';
import type { Database, Queryable, Transaction } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { prizeDecided } from './emails.js';

export type PrizeStatus = 'held' | 'paid' | 'refused';

/** A prize, as its winner and operators see it. */
export interface PrizeRow {
  prize_id: string;
  season_id: string;
  season_number: number;
  rank: number;
  /** Which share of the pool it is, 1 to 3. */
  place: number;
  prize_cents: number;
  status: PrizeStatus;
  held_until: Date;
  decided_at: Date | null;
  reason: string | null;
}

export interface PrizeLine extends PrizeRow {
  agent_id: string;
  agent_name: string;
  /** Its agent is banned: it is paid by an operator alone. */
  banned: boolean;
  /** All that match, on all pages. */
  matching: number;
}

const columns = (sql: Queryable) => sql`
  prize_id, p.season_id, season_number, rank, place, prize_cents, p.status, held_until, decided_at, reason`;

/** An agent's prizes, latest first. */
export function selectPrizes(sql: Queryable, agentId: string): PromiseLike<PrizeRow[]> {
  return sql<PrizeRow[]>`
    select ${columns(sql)} from prizes p join seasons using (season_id)
    where agent_id = ${agentId} order by season_number desc limit 200`;
}

/** All prizes, latest first. */
export function selectPrizeLines(
  sql: Queryable,
  { held, limit, offset }: { held: boolean; limit: number; offset: number },
): PromiseLike<PrizeLine[]> {
  return sql<PrizeLine[]>`
    select ${columns(sql)}, p.agent_id, name as agent_name, banned_at is not null as banned, count(*) over () as matching
    from prizes p join seasons using (season_id) join agents a on a.agent_id = p.agent_id
    where not ${held}::boolean or p.status = 'held'
    order by season_number desc, place limit ${limit} offset ${offset}`;
}

/** Books the prizes of a season that was frozen; those without a hold are paid at once. */
export async function bookPrizes(tx: Queryable, seasonId: string, holdHours: number): Promise<void> {
  const booked = await tx<{ prize_id: string }[]>`
    insert into prizes (season_id, rank, place, agent_id, prize_cents, held_until)
    select season_id, rank, row_number() over (order by rank), agent_id, prize_cents,
      now() + ${holdHours}::integer * interval '1 hour'
    from season_standings where season_id = ${seasonId} and prize_cents > 0
    order by rank returning prize_id`;
  if (holdHours > 0) return;
  for (const { prize_id: id } of booked) await pay(tx, id, null);
}

/** Pays a held prize from the prize fund, once. False where it is not held. */
async function pay(tx: Queryable, prizeId: string, reason: string | null): Promise<boolean> {
  const [prize] = await tx<{ season_id: string; rank: number; agent_id: string; prize_cents: number }[]>`
    update prizes set status = 'paid', decided_at = now(), reason = ${reason}
    where prize_id = ${prizeId} and status = 'held' returning season_id, rank, agent_id, prize_cents`;
  if (prize === undefined) return false;
  const { season_id: season, rank, agent_id: agent } = prize;
  const ucents = prize.prize_cents * UCENTS_PER_CENT;
  const result = await postCredits(tx, {
    type: 'prize',
    once: `prize:${season}:${rank}`,
    reference: season,
    legs: [
      { account: 'prizes', ucents: -ucents },
      { account: { agent }, ucents },
    ],
  });
  if (result !== 'posted') throw new Error(`prize ${prizeId}: the ledger answered ${result}`);
  return true;
}

/** An operator pays a held prize now. False where it is not held. */
export async function releaseStoredPrize(tx: Transaction, prizeId: string, reason: string): Promise<boolean> {
  return (await pay(tx, prizeId, reason)) && tell(tx, prizeId);
}

/** An operator refuses a held prize: its credits stay with the prizes. False where it is not held. */
export async function refuseStoredPrize(tx: Transaction, prizeId: string, reason: string): Promise<boolean> {
  const { count } = await tx`
    update prizes set status = 'refused', decided_at = now(), reason = ${reason}
    where prize_id = ${prizeId} and status = 'held'`;
  return count === 1 && tell(tx, prizeId);
}

/** The winner hears what was decided. */
async function tell(tx: Queryable, prizeId: string): Promise<true> {
  const [row] = await tx<(PrizeRow & { email: string; name: string })[]>`
    select ${columns(tx)}, email, name from prizes p join seasons using (season_id)
      join agents a on a.agent_id = p.agent_id where prize_id = ${prizeId}`;
  if (row === undefined) throw new Error(`no prize ${prizeId}`);
  await enqueueEmail(tx, [{ dedupeKey: `prize:${prizeId}`, to: row.email, ...prizeDecided(row.name, row) }]);
  return true;
}

/** Pays what has been held long enough, but for banned agents; how many. Only the leader's: throws Displaced. */
export function payDuePrizes(sql: Database, leadership: Leadership): Promise<number> {
  return leadership.transaction(sql, async (tx) => {
    const due = await tx<{ prize_id: string }[]>`
      select prize_id from prizes p join agents a using (agent_id)
      where status = 'held' and held_until <= now() and banned_at is null
      order by held_until, place limit 100 for update of p`;
    for (const { prize_id: id } of due) {
      await pay(tx, id, null);
      await tell(tx, id);
    }
    return due.length;
  });
}

/** ms until a held prize is due, an hour where that waits for an operator; null where none is held. */
export async function nextPrizeMs(sql: Database): Promise<number | null> {
  const [row] = await sql<{ ms: number | null }[]>`
    select extract(epoch from min(case when banned_at is null then held_until else now() + interval '1 hour' end)
      - now())::float8 * 1000 as ms
    from prizes join agents using (agent_id) where status = 'held'`;
  return row?.ms ?? null;
}
