-- Sign-in by e-mail (src/accounts/sign-in.ts). Both tables know secrets by their sha-256 only.

-- Links that were sent. A row stays for a day, to count how many an address asked for.
create table sign_in_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  email text not null,
  requested_ip inet,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_email on sign_in_links (lower(email), created_at);
create index sign_in_links_created on sign_in_links (created_at);

-- Who is signed in, by the address that was proven: with it somebody can register, once.
create table sign_in_sessions (
  session_hash bytea primary key check (length(session_hash) = 32),
  email text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index sign_in_sessions_seen on sign_in_sessions (last_seen_at);
