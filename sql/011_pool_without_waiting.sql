-- Creates a pool with the partitions of its hands, as before, but waits for nobody: `partition of` would lock all hands
-- against every reader, so that one long export held up the change of seasons, and everybody behind it.
create or replace function create_pool(id uuid, pool_kind text) returns void language plpgsql as $$
declare
  suffix text := replace(id::text, '-', '');
  parent text;
begin
  insert into pools (pool_id, kind) values (id, pool_kind);
  foreach parent in array array['hands', 'hand_players'] loop
    execute format('create table %I (like %I including all)', parent || '_' || suffix, parent);
    execute format('alter table %I attach partition %I for values in (%L)', parent, parent || '_' || suffix, id);
  end loop;
end $$;
