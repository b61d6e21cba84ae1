import { assert, assertWhole } from '../ops/assert.js';
import type { Queryable } from '../store/database.js';

/** The ledger's totals, in ucents. */
export interface Accounting {
  /** All that ever came in: deposits, development and sponsor money. */
  deposited: number;
  /** The sum of all credits: agents' and the platform's own accounts (passes, prize fund, remainders). */
  balance: number;
  /** The credits of agents. */
  agents: number;
  /** Credits are never at a table. */
  inPlay: number;
  rake: number;
  /** Paid out, and on its way. */
  withdrawn: number;
  inFlight: number;
  /** deposited - balance - inPlay - rake - withdrawn: 0, or the ledger is broken. */
  drift: number;
}

/** Straight from the postings, not from the balances: so the two check each other. */
export async function accounting(sql: Queryable): Promise<Accounting> {
  const [row] = await sql<
    Record<'deposits' | 'agents' | 'own' | 'rake' | 'in_flight' | 'withdrawn' | 'kept', number>[]
  >`
    with sums as (
      select a.kind, a.balance, coalesce(p.total, 0)::bigint as total
      from credit_accounts a
      left join (select account_id, sum(amount) as total from credit_postings group by account_id) p using (account_id)
    )
    select coalesce(sum(total) filter (where kind = 'deposits'), 0)::bigint as deposits,
      coalesce(sum(total) filter (where kind = 'agent'), 0)::bigint as agents,
      coalesce(sum(total) filter (where kind in ('passes', 'prizes', 'remainders')), 0)::bigint as own,
      coalesce(sum(total) filter (where kind = 'rake'), 0)::bigint as rake,
      coalesce(sum(total) filter (where kind = 'in_flight'), 0)::bigint as in_flight,
      coalesce(sum(total) filter (where kind = 'withdrawn'), 0)::bigint as withdrawn,
      coalesce(sum(abs(total - balance)), 0)::bigint as kept
    from sums`;
  assert(row !== undefined, 'the ledger has sums');
  const { deposits, agents, own, rake, in_flight: inFlight, withdrawn, kept } = row;
  const [deposited, balance, out] = [-deposits, agents + own, withdrawn + inFlight];
  assertWhole(kept, 'the sum of what balances and postings differ by');
  const missing = deposited - balance - rake - out;
  return {
    deposited,
    balance,
    agents,
    inPlay: 0,
    rake,
    withdrawn: out,
    inFlight,
    // A balance that is not the sum of its postings is drift as well.
    drift: missing === 0 ? kept : missing,
  };
}

/** Hands ever played. */
export async function countHands(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from hands`;
  return row?.count ?? 0;
}
