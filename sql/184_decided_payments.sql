-- What is decided is looked at for a while (CHAIN_WATCH_HOURS): a chain may take back what it had confirmed.

-- The operator lets the agent withdraw, though the chain has lost the deposit.
alter table deposits add column loss_accepted_at timestamptz;
-- How often a decision was taken back: what may be booked once may be booked once more after each of these.
alter table deposits add column reversals integer not null default 0;
create index deposits_lost on deposits (agent_id) where lost_at is not null;
create index deposits_credited on deposits (changed_at) where status = 'confirmed';

-- When it was confirmed or failed, and where the chain had the transaction that decided it. Null before it is decided, and
-- where nothing of it is on the chain.
alter table withdrawals add column decided_at timestamptz;
alter table withdrawals add column block_number bigint;
alter table withdrawals add column block_hash text;
-- The chain contradicts the decision: a confirmed one was dropped and is sent again, a failed one was paid after all.
alter table withdrawals add column lost_at timestamptz;
alter table withdrawals add column reversals integer not null default 0;
update withdrawals set decided_at = changed_at
where status in ('confirmed', 'failed') and changed_at > now() - interval '1 day';
create index withdrawals_lost on withdrawals (agent_id) where lost_at is not null;
create index withdrawals_decided on withdrawals (decided_at) where decided_at is not null;

-- Transfers of 0 from a treasury to itself: they use nonces up that nobody else uses, so that the payments behind are
-- mined. Stored before a node sees them, as payments are.
create table nonce_fillers (
  tx_hash text primary key,
  treasury text not null,
  nonce bigint not null,
  raw text not null,
  max_fee numeric(40) not null,
  priority_fee numeric(40) not null,
  signed_block bigint not null,
  signed_at timestamptz not null default now()
);
create index nonce_fillers_nonce on nonce_fillers (treasury, nonce);
