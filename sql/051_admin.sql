-- Bans have a reason, and a running server finds the latest of them at once.
alter table agents add column banned_reason text;
create index agents_banned on agents (banned_at) where banned_at is not null;
