-- The operator asks a node to leave: it sees that when it renews its lease, and ends as after SIGTERM.
alter table nodes add column drain_asked_at timestamptz;
