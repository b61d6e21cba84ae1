-- Where the rest of the platform finds what a node has. Nodes of the release before this one know none of it.

-- The node that has anything of an agent: a session, a seat, a buy-in under way, a bust to settle, a rebuy it waits for.
-- An agent without a row has nothing anywhere. Only the node that is named deletes its row, or the claim of an ended node.
create table homes (
  agent_id uuid primary key,
  node_id uuid not null
);
create index homes_of_node on homes (node_id);

-- The one node of a pool that joins without company go to.
create table pool_hosts (
  pool_id uuid primary key,
  node_id uuid not null
);

-- How many players of a pool each node has: those who sit, and those who wait.
create table node_pools (
  node_id uuid not null,
  pool_id uuid not null,
  players integer not null check (players >= 0),
  primary key (node_id, pool_id)
);

-- Where other nodes reach this one (host:port of its internal port); null for a node that is alone.
alter table nodes add column address text;
