-- When an operator had a deposit looked at again that was given up: it is followed for a while from then on.
alter table deposits add column retried_at timestamptz;
