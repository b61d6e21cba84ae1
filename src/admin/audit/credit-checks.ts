import { rows, SHOWN, type Check } from './check.js';

/** The ledger of credits, in ucents. */
export const creditChecks: Check[] = [
  rows(
    'a credit balance is the sum of its postings, each of which says what it left',
    (sql) => sql`
    select format('credit account %s (%s): balance %s, postings %s%s', a.account_id, coalesce(agent_id::text, kind),
      balance, coalesce(total, 0), case when running is false then ', a running balance is wrong' end) as problem
    from credit_accounts a left join (
      select account_id, sum(amount) as total, bool_and(balance_after = sum_so_far) as running
      from (select account_id, amount, balance_after,
        sum(amount) over (partition by account_id order by posting_id) as sum_so_far from credit_postings) p
      group by account_id) p using (account_id)
    where balance <> coalesce(total, 0) or running is false limit ${SHOWN}`,
  ),

  rows(
    'no credit appears or vanishes: each transaction has legs that sum to zero',
    (sql) => sql`
    select format('credit transaction %s (%s): its legs sum to %s', transaction_id, t.type, sum(amount)) as problem
    from credit_transactions t left join credit_postings p using (transaction_id)
    group by transaction_id having sum(amount) is distinct from 0 limit ${SHOWN}`,
  ),

  rows(
    'a season pass that was paid for is held',
    (sql) => sql`
    select format('credit transaction %s paid for a pass that its agent does not have', t.transaction_id) as problem
    from credit_transactions t
      join credit_postings p using (transaction_id)
      join credit_accounts a using (account_id)
      left join entries e on e.pool_id::text = t.reference and e.agent_id = a.agent_id
    where t.type = 'season_pass' and a.agent_id is not null and e.premium is not true limit ${SHOWN}`,
  ),
];
