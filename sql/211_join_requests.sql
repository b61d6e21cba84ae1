-- Bots that ask to join a competition, where its organizer allows it (src/competitions/people/join-requests.ts).
alter table competitions add join_requests boolean not null default false;

-- A row a bot and competition. An open request counts while the competition takes people.
create table competition_join_requests (
  competition_id uuid not null references competitions,
  agent_id uuid not null references agents (agent_id),
  state text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn', 'lapsed')),
  -- The name that the bot wants to be shown under.
  display_name text check (length(display_name) between 3 and 64),
  -- The owner: mailbox() in src/lobby/owners.ts.
  mailbox text not null,
  asked_at timestamptz not null default now(),
  answered_at timestamptz,
  primary key (competition_id, agent_id)
);
create index competition_join_requests_listed on competition_join_requests (competition_id, asked_at, agent_id);
create index competition_join_requests_agent on competition_join_requests (agent_id, asked_at desc);
create index competition_join_requests_owner on competition_join_requests (mailbox) where state = 'open';
