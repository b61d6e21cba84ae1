-- Credits against a chain: deposits and withdrawals of a stablecoin with 6 decimals, one unit being 1/100 ucent.

-- One row: what the treasury's only signer and the crediting of deposits share.
create table treasury (
  only_row boolean primary key default true check (only_row),
  -- Units below a whole ucent that deposits have left over; each 100 of them become a ucent of `remainders`.
  remainder_units integer not null default 0 check (remainder_units between 0 and 99),
  -- Every signer owns an epoch, and each of its writes requires it: a dead one's late write fails.
  signer_epoch bigint not null default 0,
  -- The next nonce to sign with; null before the first withdrawal.
  next_nonce bigint check (next_nonce >= 0)
);
insert into treasury default values;

create table deposits (
  deposit_id uuid primary key,
  -- A transaction is credited once: the sum of its transfers from the wallet to the treasury.
  tx_hash text not null unique check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  agent_id uuid not null references agents (agent_id),
  wallet text not null,
  -- orphaned: a reorganisation dropped it; followed for a while, since it may be mined again.
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'orphaned')),
  units bigint not null check (units > 0),
  log_index integer not null,
  block_number bigint not null,
  block_hash text not null,
  confirmations integer not null default 0,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- A reorganisation dropped it after it was credited: for the operator, nothing is taken back by itself.
  lost_at timestamptz
);
create index deposits_agent on deposits (agent_id, created_at);
create index deposits_open on deposits (created_at) where status <> 'confirmed';

create table withdrawals (
  withdrawal_id uuid primary key,
  agent_id uuid not null references agents (agent_id),
  to_address text not null,
  ucents bigint not null check (ucents > 0),
  -- pending: queued. processing: signed, and so may be mined. submitted: a node has taken it.
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'submitted', 'confirmed', 'failed')),
  nonce bigint unique,
  tx_hash text,
  confirmations integer not null default 0,
  -- How often the chain has refused it before it was signed.
  refusals integer not null default 0,
  due_at timestamptz not null default now(),
  error_message text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check ((status in ('processing', 'submitted')) <= (nonce is not null and tx_hash is not null))
);
create index withdrawals_agent on withdrawals (agent_id, created_at);
create index withdrawals_open on withdrawals (created_at) where status in ('pending', 'processing', 'submitted');

-- Everything that was ever signed, stored before any node has seen it. Those of one withdrawal share its nonce (a fee was
-- raised), so that one of them at most is ever mined.
create table withdrawal_transactions (
  tx_hash text primary key,
  withdrawal_id uuid not null references withdrawals (withdrawal_id),
  nonce bigint not null,
  raw text not null,
  max_fee numeric(40) not null,
  priority_fee numeric(40) not null,
  signed_at timestamptz not null default now()
);
create index withdrawal_transactions_of on withdrawal_transactions (withdrawal_id, signed_at);

-- First answers to requests that carried an Idempotency-Key.
create table idempotency_keys (
  agent_id uuid not null references agents (agent_id),
  operation text not null,
  key text not null,
  body_hash bytea not null,
  status integer,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (agent_id, operation, key)
);
