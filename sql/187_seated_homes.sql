-- As before (186), but an agent that sits at a table of an ended node has its home at the node that claims the table.
-- Until then claim_home returns the ended node, and the caller asks again.
create or replace function claim_home(agent uuid, node uuid) returns uuid language plpgsql as $$
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
