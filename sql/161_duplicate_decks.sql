-- After the play of a duplicate competition the hands of one deck are shown side by side: they are found by their numbers.

-- In its partition alone, so that no other pool's hands pay for it; before the first one is played.
create function index_decks(id uuid) returns void language plpgsql as $$
declare
  child text := 'hands_' || replace(id::text, '-', '');
begin
  execute format('create index if not exists %I on %I (hand_number)', child || '_decks', child);
end $$;
