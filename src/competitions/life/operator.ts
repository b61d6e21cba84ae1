import type { Queryable, Transaction } from '../../store/database.js';
import { takeStep } from './steps.js';
import { next, type CompetitionState } from '../states.js';

/** A competition as operators see it. */
export interface OperatedRow {
  competition_id: string;
  slug: string;
  name: string;
  state: CompetitionState;
  organizer: string;
  participants: number;
  ends_at: Date;
  /** All, on all pages. */
  matching: number;
}

/** Those that are not over, or all of them; latest first. */
export function selectOperated(
  sql: Queryable,
  { all, limit, offset }: { all: boolean; limit: number; offset: number },
): PromiseLike<OperatedRow[]> {
  return sql<OperatedRow[]>`
    select c.competition_id, c.slug, c.name, c.state, a.name as organizer, c.ends_at, count(*) over () as matching,
      (select count(*) from competition_participants p
        where p.competition_id = c.competition_id and p.state = 'enrolled') as participants
    from competitions c join agents a on a.agent_id = c.organizer_id
    where ${all}::boolean or c.state not in ('finalized', 'cancelled')
    order by c.created_at desc, c.competition_id limit ${limit} offset ${offset}`;
}

/**
 * A step that the operator takes in the organizer's place; `named` by id or slug. `to` is null where the state does not
 * allow it, undefined is answered where there is no such competition. The audit's entry is the caller's.
 */
export async function operatorStep(
  tx: Transaction,
  named: string,
  step: 'cancel' | 'finalize',
): Promise<{ competition_id: string; name: string; from: CompetitionState; to: CompetitionState | null } | undefined> {
  const [row] = await tx<{ competition_id: string; name: string; state: CompetitionState; now: Date }[]>`
    select competition_id, name, state, now() as now from competitions
    where slug = ${named} or competition_id::text = ${named.toLowerCase()} for update`;
  if (row === undefined) return undefined;
  const { competition_id, name, state, now } = row;
  if (next(state, step) === null) return { competition_id, name, from: state, to: null };
  return { competition_id, name, ...(await takeStep(tx, row, step, now)) };
}
