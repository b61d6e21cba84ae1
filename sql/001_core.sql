-- The core of the platform: who plays (agents), for which chips (pools, seasons, entries, chip_ledger), where (tables,
-- shards) and what happened (hands, hand_players). Chips are whole numbers; times are timestamptz.

-- Raises when a condition that a statement depends on does not hold, so that the whole statement rolls back.
create function require(ok boolean, reason text) returns boolean language plpgsql as $$
begin
  if ok is not true then
    raise exception using errcode = 'AP001', message = reason;
  end if;
  return true;
end $$;

create table agents (
  agent_id uuid primary key,
  email text not null,
  name text not null check (name ~ '^[a-zA-Z0-9_]{3,32}$'),
  wallet_address text,
  avatar_url text,
  public_profile_slug text,
  -- sha-256 of the API key; the key itself is shown once and stored nowhere.
  key_hash bytea not null check (length(key_hash) = 32),
  is_house boolean not null default false,
  is_platform boolean not null default false,
  email_verified_at timestamptz,
  banned_at timestamptz,
  terms_accepted_at timestamptz not null,
  -- Network address of the registration, to keep agents of one owner apart.
  registered_ip inet,
  created_at timestamptz not null default now()
);
create unique index agents_email on agents (lower(email));
create unique index agents_name on agents (lower(name));
create unique index agents_wallet on agents (lower(wallet_address)) where wallet_address is not null;
create unique index agents_key on agents (key_hash);

-- A pool is a closed economy of chips: a season, or (later) a private competition.
create table pools (
  pool_id uuid primary key,
  kind text not null check (kind in ('season', 'competition')),
  created_at timestamptz not null default now()
);

create table seasons (
  season_id uuid primary key references pools (pool_id),
  season_number integer generated always as identity unique,
  status text not null default 'active' check (status in ('active', 'ended')),
  start_date timestamptz not null,
  end_date timestamptz not null check (end_date > start_date)
);
create unique index seasons_one_active on seasons (status) where status = 'active';

-- A shard incarnation owns an epoch; every write for its tables requires it, so a dead writer's late commit fails.
create table shards (
  shard_no integer primary key check (shard_no >= 0),
  epoch bigint not null
);

create table tables (
  table_id uuid primary key,
  pool_id uuid not null references pools (pool_id),
  shard_no integer not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  hand_number integer not null default 0,
  button_seat smallint not null default -1,
  big_blind_seat smallint not null default -1,
  -- No table_seq above this was ever sent.
  seq_reserved bigint not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz
) with (fillfactor = 50);
create index tables_open on tables (shard_no) where status = 'open';

-- One agent's part in one pool: its chips off and on the table, and the seat that holds the latter.
create table entries (
  pool_id uuid not null references pools (pool_id),
  agent_id uuid not null references agents (agent_id),
  chip_balance bigint not null default 0 check (chip_balance >= 0),
  chips_at_table bigint not null default 0 check (chips_at_table >= 0),
  table_id uuid references tables (table_id),
  seat_no smallint,
  -- Names the present stay on a seat: buy-in and cash-out are idempotent by it.
  sitting uuid,
  rebuys integer not null default 0 check (rebuys >= 0),
  last_rebuy_at timestamptz,
  -- When a scheduled automatic rebuy is due.
  rebuy_due_at timestamptz,
  auto_rebuy boolean not null default false,
  premium boolean not null default false,
  hands_played integer not null default 0,
  hands_won integer not null default 0,
  registered_at timestamptz not null default now(),
  primary key (pool_id, agent_id),
  check ((table_id is null) = (seat_no is null) and (table_id is null) = (sitting is null)),
  check (table_id is not null or chips_at_table = 0)
) with (fillfactor = 50);
create unique index entries_seat on entries (table_id, seat_no) where table_id is not null;
create index entries_rebuy_due on entries (rebuy_due_at) where rebuy_due_at is not null;

-- Append-only trail of every movement of a chip balance. The sum of an agent's amounts is its balance.
create table chip_ledger (
  entry_id bigint generated always as identity primary key,
  pool_id uuid not null,
  agent_id uuid not null,
  type text not null check (type in ('grant', 'rebuy', 'reset', 'buy_in', 'cash_out')),
  amount bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  table_id uuid,
  hand_id uuid,
  -- The stay that a buy_in began or a cash_out ended.
  sitting uuid,
  created_at timestamptz not null default now(),
  foreign key (pool_id, agent_id) references entries (pool_id, agent_id),
  check ((type in ('buy_in', 'cash_out')) = (sitting is not null)),
  check (case when type = 'buy_in' then amount < 0 else amount >= 0 or type = 'reset' end)
);
create index chip_ledger_agent on chip_ledger (pool_id, agent_id, entry_id);
-- A stay is bought once and cashed out once.
create unique index chip_ledger_sitting on chip_ledger (sitting, type) where sitting is not null;
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger chip_ledger_append_only before update or delete on chip_ledger
  for each row execute function refuse_change();

-- Finished hands, a partition a pool. `record` is all that is needed to replay the hand (see src/table/record-codec.ts).
-- hand_id is a UUIDv7: ordered by time.
create table hands (
  pool_id uuid not null,
  hand_id uuid not null,
  table_id uuid not null,
  hand_number integer not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  total_pot bigint not null,
  record bytea not null,
  primary key (pool_id, hand_id)
) partition by list (pool_id);

-- Who played a hand, and what it made of the stack.
create table hand_players (
  pool_id uuid not null,
  agent_id uuid not null,
  hand_id uuid not null,
  seat smallint not null,
  stack_start bigint not null,
  stack_end bigint not null check (stack_end >= 0),
  primary key (pool_id, agent_id, hand_id)
) partition by list (pool_id);

-- Creates a pool with the partitions of its hands.
create function create_pool(id uuid, pool_kind text) returns void language plpgsql as $$
declare
  suffix text := replace(id::text, '-', '');
begin
  insert into pools (pool_id, kind) values (id, pool_kind);
  execute format('create table %I partition of hands for values in (%L)', 'hands_' || suffix, id);
  execute format('create table %I partition of hand_players for values in (%L)', 'hand_players_' || suffix, id);
end $$;
