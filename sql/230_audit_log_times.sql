-- The operator reads the log between two dates.
create index audit_log_at on audit_log (at);
