-- Who works on this database. A node is one life of one process: its id is never used again. It is good for a lease, by
-- this database's clock, which it renews as long as it lives; what it has (the leadership, shards) names it as holder.
-- `ended_at` is final: nobody takes anything from a node before it is set, by the node itself or, where its lease has run
-- out or its session is gone, by another.
create table nodes (
  node_id uuid primary key,
  -- For people: process and host.
  name text not null,
  started_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null,
  -- When the session began that holds this node's advisory lock.
  session_since timestamptz not null,
  ended_at timestamptz,
  ended_by uuid
);

-- The one node that does what only one may do. A holder that `nodes` does not know, or not any more, has ended.
create table leadership (
  only_row boolean primary key default true check (only_row),
  epoch bigint not null,
  holder uuid
);
insert into leadership (epoch) values (0);
