-- Who had a mail sent, of those that people have sent at will: the network of a stranger (an IPv4 address or an IPv6 /48),
-- or, where `known`, the agent or browser that has shown the mailbox to be its own. See src/email/quota.ts.
alter table mail_outbox add column asker text;
alter table mail_outbox add column known boolean not null default false;

-- Browsers that have signed in to a mailbox, by the sha-256 of their long-lived cookie. Their requests for links to that
-- mailbox are counted apart from those of strangers.
create table known_browsers (
  browser_hash bytea not null check (length(browser_hash) = 32),
  mailbox text not null,
  last_seen_at timestamptz not null default now(),
  primary key (browser_hash, mailbox)
);
create index known_browsers_seen on known_browsers (last_seen_at);
