-- Credits: a double-entry ledger in ucents (1 cent = 100 ucents). Every transaction sums to zero, nothing is ever changed
-- or taken back but by another transaction.

create table credit_accounts (
  account_id bigint generated always as identity primary key,
  -- deposits: where money comes from, its balance the negative of all that ever came in. in_flight: withdrawals on their
  -- way. prizes: the prize fund. remainders: what flooring to whole ucents left over.
  kind text not null
    check (kind in ('agent', 'deposits', 'in_flight', 'withdrawn', 'passes', 'prizes', 'remainders', 'rake')),
  agent_id uuid unique references agents (agent_id),
  balance bigint not null default 0,
  check ((kind = 'agent') = (agent_id is not null)),
  constraint credit_accounts_covered check (case kind when 'deposits' then balance <= 0 else balance >= 0 end),
  constraint credit_accounts_no_rake check (kind <> 'rake' or balance = 0)
) with (fillfactor = 50);
create unique index credit_accounts_platform on credit_accounts (kind) where agent_id is null;
insert into credit_accounts (kind)
values ('deposits'), ('in_flight'), ('withdrawn'), ('passes'), ('prizes'), ('remainders'), ('rake');

create table credit_transactions (
  transaction_id uuid primary key default gen_random_uuid(),
  type text not null
    check (type in ('deposit', 'dev_deposit', 'withdraw', 'withdraw_refund', 'season_pass', 'prize', 'sponsor')),
  -- Names what may happen only once, such as a season's prize of a rank.
  once text unique,
  -- For people and programs: the season, the deposit, the withdrawal.
  reference text,
  created_at timestamptz not null default now()
);

create table credit_postings (
  posting_id bigint generated always as identity primary key,
  transaction_id uuid not null references credit_transactions (transaction_id),
  account_id bigint not null references credit_accounts (account_id),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  unique (transaction_id, account_id)
);
create index credit_postings_account on credit_postings (account_id, posting_id);

create trigger credit_transactions_append_only before update or delete on credit_transactions
  for each row execute function refuse_change();
create trigger credit_postings_append_only before update or delete on credit_postings
  for each row execute function refuse_change();

-- At commit: a transaction has postings, and they sum to zero.
create function credits_balance() returns trigger language plpgsql as $$
begin
  perform require((select sum(amount) = 0 from credit_postings where transaction_id = new.transaction_id),
    format('credit transaction %s does not sum to zero', new.transaction_id));
  return null;
end $$;
create constraint trigger credit_transactions_balance after insert on credit_transactions
  deferrable initially deferred for each row execute function credits_balance();
create constraint trigger credit_postings_balance after insert on credit_postings
  deferrable initially deferred for each row execute function credits_balance();

-- Posts one transaction. Leg i moves amounts[i] to the account of agents[i], or of the platform's kinds[i] where that is
-- null. Answers posted; already where `only_once` was posted before; insufficient where an account would be overdrawn.
create function post_credits(of_type text, only_once text, about text, kinds text[], agents uuid[], amounts bigint[])
returns text language plpgsql as $$
declare
  posted uuid;
  leg record;
  after bigint;
  broken text;
begin
  insert into credit_transactions (type, once, reference) values (of_type, only_once, about)
  on conflict (once) do nothing returning transaction_id into posted;
  if posted is null then
    return 'already';
  end if;
  insert into credit_accounts (kind, agent_id)
  select distinct 'agent', agent from unnest(agents) as agent where agent is not null
  on conflict do nothing;
  -- Always in the order of the accounts, so that no two transactions wait for each other.
  for leg in
    select account.account_id, sum(wanted.amount)::bigint as amount
    from unnest(kinds, agents, amounts) as wanted (kind, agent, amount)
    cross join lateral (
      select account_id from credit_accounts where agent_id = wanted.agent
      union all
      select account_id from credit_accounts where wanted.agent is null and agent_id is null and kind = wanted.kind
    ) as account
    group by account.account_id order by account.account_id
  loop
    update credit_accounts set balance = balance + leg.amount where account_id = leg.account_id
    returning balance into after;
    insert into credit_postings (transaction_id, account_id, amount, balance_after)
    values (posted, leg.account_id, leg.amount, after);
  end loop;
  return 'posted';
exception when check_violation then
  get stacked diagnostics broken = constraint_name;
  if broken = 'credit_accounts_covered' then
    return 'insufficient';
  end if;
  raise;
end $$;
