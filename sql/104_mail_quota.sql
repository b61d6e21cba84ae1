-- Mails that somebody had sent at will (sign-in links, changed wallets, invitations) are counted by what they are, by whom
-- they go to and who had them sent: src/mail/quota.ts. Null in all others.
alter table mail_outbox add column kind text check (kind in ('sign_in', 'wallet', 'invitation'));
-- The recipient without case and +tag.
alter table mail_outbox add column mailbox text;
alter table mail_outbox add column sender uuid;
create index mail_outbox_kind on mail_outbox (kind, created_at) where kind is not null;
create index mail_outbox_mailbox on mail_outbox (mailbox, created_at) where kind is not null;
create index mail_outbox_sender on mail_outbox (sender, created_at) where sender is not null;
