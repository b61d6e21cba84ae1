-- Several nodes on one database (docs/NODES.md). Each is a whole platform; these rows say which node has what.

-- Where other nodes reach a node, `host:port`. Null: the node serves the database by itself.
alter table nodes add column address text;
-- The node ends soon, and hosts no pool any more.
alter table nodes add column draining boolean not null default false;

-- The home of an agent: the node that has anything of it, such as a session, a seat, a buy-in or an awaited rebuy. The
-- node that is named frees the row. A claim of tables moves the rows of an ended node.
create table homes (
  agent_id uuid primary key references agents on delete cascade,
  node_id uuid not null
);
create index homes_node on homes (node_id);

-- The host of a pool: the node that joins without company go to.
create table pool_hosts (
  pool_id uuid primary key references pools on delete cascade,
  node_id uuid not null
);

-- Players that sit or wait, by node and pool, as each node stores it once a second.
create table node_pools (
  node_id uuid not null,
  pool_id uuid not null references pools on delete cascade,
  players integer not null check (players >= 0),
  primary key (node_id, pool_id)
);

-- Makes the node the agent's home, unless another living node is; returns the home. An agent that sits at a table of an
-- ended node has its home at the node that claims the table: until then this returns the ended node, and the caller asks
-- again. It does not wait for the disk: a home that is lost with the database's machine is claimed again.
create function claim_home(agent uuid, node uuid) returns uuid language plpgsql as $$
declare
  home uuid;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    select h.node_id into home from homes h join nodes n using (node_id)
    where h.agent_id = agent and n.ended_at is null;
    if found then return home; end if;
    select coalesce(h.node_id, s.holder, '00000000-0000-0000-0000-000000000000') into home
    from entries e join tables t using (table_id) left join shards s using (shard_no)
      left join nodes n on n.node_id = s.holder left join homes h on h.agent_id = e.agent_id
    where e.agent_id = agent and t.status = 'open' and (n.node_id is null or n.ended_at is not null)
    limit 1;
    if found then return home; end if;
    insert into homes as h (agent_id, node_id) values (agent, node)
    on conflict (agent_id) do update set node_id = excluded.node_id
    where not exists (select from nodes n where n.node_id = h.node_id and n.ended_at is null)
    returning h.node_id into home;
    if found then return home; end if;
  end loop;
end $$;

-- The same of the host of a pool, which becomes the node with most of its players. A node that drains is no host.
create function claim_host(pool uuid, node uuid) returns uuid language plpgsql as $$
declare
  host uuid;
begin
  loop
    select h.node_id into host from pool_hosts h join nodes n using (node_id)
    where h.pool_id = pool and n.ended_at is null and not n.draining;
    if found then return host; end if;
    insert into pool_hosts as h (pool_id, node_id)
    values (pool, coalesce(
      (select p.node_id from node_pools p join nodes n using (node_id)
       where p.pool_id = pool and p.players > 0 and n.ended_at is null and not n.draining
       order by p.players desc, p.node_id limit 1),
      node))
    on conflict (pool_id) do update set node_id = excluded.node_id
    where not exists (select from nodes n where n.node_id = h.node_id and n.ended_at is null and not n.draining)
    returning h.node_id into host;
    if found then return host; end if;
  end loop;
end $$;

-- The migration that a release has to know to serve this schema. Migrations only add from here on. One that takes
-- something away comes a release later, and writes here the migration before which a release would miss it.
create table schema_requires (
  only_row boolean primary key default true check (only_row),
  migration text not null
);
insert into schema_requires (migration) values ('186_homes.sql');
