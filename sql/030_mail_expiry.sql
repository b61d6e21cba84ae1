-- A mail that is of no use any more after a while, such as a sign-in link: then it is not sent, and, since it may hold
-- a secret, its body is emptied as soon as it is sent or given up.
alter table mail_outbox add column expires_at timestamptz;
create index mail_outbox_expiry on mail_outbox (expires_at) where status = 'waiting' and expires_at is not null;
