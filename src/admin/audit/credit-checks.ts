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

  rows(
    'a deposit is credited once, when it is confirmed',
    (sql) => sql`
    select format('deposit %s is %s with %s units, the ledger credited %s ucents', deposit_id, status, units,
      coalesce(credited, 0)) as problem
    from deposits left join (
      select reference, sum(amount) as credited from credit_transactions join credit_postings using (transaction_id)
        join credit_accounts using (account_id)
      where type = 'deposit' and kind = 'agent' group by reference) c on reference = deposit_id::text
    where coalesce(credited, 0) <> case when status = 'confirmed' then units / 100 else 0 end limit ${SHOWN}`,
  ),

  rows(
    'a withdrawal is taken once, and either on its way, or paid, or given back',
    (sql) => sql`
    select format('withdrawal %s of %s ucents is %s: taken %s, in flight %s, paid %s', withdrawal_id, ucents, status,
      coalesce(-of_agent, 0), coalesce(flying, 0), coalesce(paid, 0)) as problem
    from withdrawals left join (
      select reference, sum(amount) filter (where kind = 'agent') as of_agent,
        sum(amount) filter (where kind = 'in_flight') as flying, sum(amount) filter (where kind = 'withdrawn') as paid
      from credit_transactions join credit_postings using (transaction_id) join credit_accounts using (account_id)
      where type in ('withdraw', 'withdraw_refund') group by reference) l on reference = withdrawal_id::text
    where coalesce(-of_agent, 0) <> case when status = 'failed' then 0 else ucents end
      or coalesce(flying, 0) <> case when status in ('confirmed', 'failed') then 0 else ucents end
      or coalesce(paid, 0) <> case when status = 'confirmed' then ucents else 0 end limit ${SHOWN}`,
  ),

  rows(
    'a deposit came from a wallet that its agent had proven',
    (sql) => sql`
    select format('deposit %s of agent %s came from %s, its proof is of %s by agent %s', deposit_id, d.agent_id, wallet,
      p.address, p.agent_id) as problem
    from deposits d join wallet_proofs p using (proof_id)
    where p.agent_id <> d.agent_id or p.address <> d.wallet limit ${SHOWN}`,
  ),

  rows(
    'a nonce of a treasury pays one withdrawal',
    (sql) => sql`
    select format('nonce %s of %s was signed for %s withdrawals', nonce, treasury, count(distinct withdrawal_id))
      as problem
    from withdrawal_transactions where treasury is not null
    group by treasury, nonce having count(distinct withdrawal_id) > 1 limit ${SHOWN}`,
  ),

  rows(
    'what a withdrawal is paid by was signed for it',
    (sql) => sql`
    select format('withdrawal %s is %s with nonce %s of %s, of which nothing is written down', withdrawal_id, status,
      nonce, treasury) as problem
    from withdrawals w where treasury is not null and not exists (
      select from withdrawal_transactions s
      where s.withdrawal_id = w.withdrawal_id and s.treasury = w.treasury and s.nonce = w.nonce) limit ${SHOWN}`,
  ),
];
