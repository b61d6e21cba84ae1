-- Mails on their way: queued in the transaction of what they tell of, sent afterwards (src/mail).
create table mail_outbox (
  mail_id bigint generated always as identity primary key,
  -- What the mail is about; a second mail about the same is dropped.
  dedupe_key text not null unique,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'given_up')),
  attempts integer not null default 0,
  -- Not to be tried before; while a sender holds it, the end of its lease.
  due_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((status = 'sent') = (sent_at is not null))
);
create index mail_outbox_due on mail_outbox (due_at) where status = 'waiting';
