-- Wallets are proven (src/credits/wallets.ts): only what comes from a proven one may be claimed as a deposit.

-- Texts that agents were given to sign, each good once and for a while.
create table wallet_challenges (
  challenge_id uuid primary key,
  agent_id uuid not null references agents (agent_id),
  address text not null,
  message text not null,
  expires_at timestamptz not null
);
create index wallet_challenges_agent on wallet_challenges (agent_id);
create index wallet_challenges_expiry on wallet_challenges (expires_at);

-- Who has proven which wallet. Rows stay: whose a transfer is depends on who ever proved its sender.
create table wallet_proofs (
  proof_id bigint generated always as identity primary key,
  -- Checksummed.
  address text not null,
  agent_id uuid not null references agents (agent_id),
  proven_at timestamptz not null default now(),
  -- Head of the chain at that time.
  proven_block bigint not null,
  -- When an operator cleared it: no source of deposits any more, and free for another agent.
  ended_at timestamptz
);
create unique index wallet_proofs_current on wallet_proofs (address) where ended_at is null;
create index wallet_proofs_agent on wallet_proofs (agent_id) where ended_at is null;
create index wallet_proofs_address on wallet_proofs (address);

-- An address that withdrawals go to is nobody's own any more: to name it proves nothing, so it reserves nothing.
drop index agents_wallet;

-- Every address that was ever the treasury of this database: what comes from one is no deposit.
create table treasuries (
  address text primary key,
  since timestamptz not null default now()
);

-- Several may deposit in one transaction: a deposit is what one wallet moves in it. (The index of a log counts through
-- its block, and is another once the transaction is mined again after a reorganisation; the sender is the same.)
alter table deposits drop constraint deposits_tx_hash_key;
alter table deposits add constraint deposits_of_wallet unique (tx_hash, wallet);
-- Whose wallet it was, and where it went; null before wallets were proven.
alter table deposits add column proof_id bigint references wallet_proofs (proof_id);
alter table deposits add column treasury text;
