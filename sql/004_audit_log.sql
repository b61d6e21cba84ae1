-- Who did what to whom, by its own right: administrators, the platform itself. Append-only.
create table audit_log (
  entry_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- An agent's id, cli, or system.
  actor text not null,
  action text not null,
  subject text,
  detail jsonb not null
);
create index audit_log_subject on audit_log (subject, entry_id);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
