-- Competitions: private pools with rules, people and a life of their own. A competition's id is its pool's, so its chips
-- and hands stand where those of seasons do (entries, chip_ledger, hands). Chips are whole numbers.

create table competitions (
  competition_id uuid primary key references pools (pool_id),
  -- Names its public page.
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  organizer_id uuid not null references agents (agent_id),
  state text not null default 'draft' check (state in ('draft', 'enrolling', 'enrollment_closed', 'active', 'paused',
    'ending', 'results_pending', 'finalized', 'cancelled')),
  -- The ETag: rises with every change of this row.
  version integer not null default 1,
  name text not null check (length(name) between 3 and 80),
  organization_name text check (length(organization_name) <= 100),
  description text check (length(description) <= 4000),
  reward_description text check (length(reward_description) <= 4000),
  display_timezone text not null,
  participant_cap integer not null check (participant_cap between 2 and 2000),
  -- When enrolment closes, play starts and play ends by themselves; null: by hand only.
  enrollment_deadline timestamptz,
  starts_at timestamptz,
  ends_at timestamptz not null,
  starting_chips bigint not null check (starting_chips > 0),
  minimum_buy_in bigint not null check (minimum_buy_in > 0),
  default_buy_in bigint not null,
  maximum_buy_in bigint not null,
  small_blind bigint not null check (small_blind > 0),
  big_blind bigint not null check (big_blind >= small_blind),
  max_players smallint not null check (max_players between 2 and 6),
  -- Hands a participant must have played to be ranked.
  minimum_hands integer not null check (minimum_hands >= 0),
  max_rebuys integer not null check (max_rebuys between 0 and 20),
  rebuys_enabled boolean not null check (rebuys_enabled = (max_rebuys > 0)),
  rebuy_chips bigint not null check (rebuy_chips > 0),
  rebuy_score_penalty bigint not null check (rebuy_score_penalty >= 0),
  rebuy_cooldown_seconds integer not null check (rebuy_cooldown_seconds >= 0),
  -- All tables deal the same decks, made from the secret, to rotated seats.
  duplicate boolean not null,
  deck_secret bytea not null check (length(deck_secret) = 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  finalized_at timestamptz,
  cancelled_at timestamptz,
  check (minimum_buy_in <= default_buy_in and default_buy_in <= maximum_buy_in and minimum_buy_in <= starting_chips)
);
create index competitions_organizer on competitions (organizer_id, created_at desc);
-- What the clock looks at: few at any time.
create index competitions_alive on competitions (competition_id) where state not in ('finalized', 'cancelled');

-- Who takes part. Its chips are the pool's entry, made when it is accepted.
create table competition_participants (
  competition_id uuid not null references competitions,
  agent_id uuid not null references agents (agent_id),
  state text not null default 'enrolled' check (state in ('enrolled', 'withdrawn', 'removed', 'disqualified')),
  -- Shown in place of the agent's name.
  display_name text check (length(display_name) between 3 and 64),
  accepted_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- Why it was removed or disqualified.
  reason text,
  -- The result, once play has ended: null for those who are not ranked.
  final_rank integer,
  final_score bigint,
  primary key (competition_id, agent_id)
);
create index competition_participants_agent on competition_participants (agent_id);

-- One person each, by e-mail. Of the token only the hash is stored.
create table competition_invitations (
  invite_id uuid primary key,
  competition_id uuid not null references competitions,
  email text not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'revoked')),
  version integer not null default 1,
  sends integer not null default 1,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  answered_at timestamptz,
  -- Who accepted or declined.
  agent_id uuid references agents (agent_id)
);
create unique index competition_invitations_open on competition_invitations (competition_id, lower(email))
  where state = 'pending';
create index competition_invitations_listed on competition_invitations (competition_id, created_at desc, invite_id);

-- For whoever has it, so many times.
create table competition_links (
  link_id uuid primary key,
  competition_id uuid not null references competitions,
  token_hash bytea not null unique check (length(token_hash) = 32),
  max_uses integer not null check (max_uses between 1 and 100),
  uses integer not null default 0 check (uses between 0 and max_uses),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index competition_links_competition on competition_links (competition_id, created_at desc);
