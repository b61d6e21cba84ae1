-- The partitions of a pool's hands, apart from the pool: a competition has them from the start of its play on. Before, two
-- were made for every draft and never dropped, so that after a few thousand drafts a dump of all ran out of locks.

-- Makes them where they are not there yet. As create_pool before (011), it waits for no reader.
create function open_hands(id uuid) returns void language plpgsql as $$
declare
  parent text;
  child text;
begin
  foreach parent in array array['hands', 'hand_players'] loop
    child := parent || '_' || replace(id::text, '-', '');
    continue when to_regclass(child) is not null;
    execute format('create table %I (like %I including all)', child, parent);
    execute format('alter table %I attach partition %I for values in (%L)', parent, child, id);
  end loop;
end $$;

create or replace function create_pool(id uuid, pool_kind text) returns void language plpgsql as $$
begin
  insert into pools (pool_id, kind) values (id, pool_kind);
  perform open_hands(id);
end $$;

-- Drops them where no hand was ever played. It waits for all who read hands: limit that.
create function drop_hands(id uuid) returns void language plpgsql as $$
declare
  parent text;
  child text;
  played boolean;
begin
  foreach parent in array array['hand_players', 'hands'] loop
    child := parent || '_' || replace(id::text, '-', '');
    continue when to_regclass(child) is null;
    execute format('select exists (select from %I)', child) into played;
    perform require(not played, 'hands were played in this pool');
    execute format('drop table %I', child);
  end loop;
end $$;
