-- The public list of competitions: what runs, what takes people, what is over; each in its order (src/competitions/results/listing-queries.ts).
create index competitions_running on competitions (started_at desc nulls last, competition_id)
  where state in ('enrollment_closed', 'active', 'paused', 'ending');
create index competitions_open on competitions (least(enrollment_deadline, starts_at, ends_at), competition_id)
  where state = 'enrolling';
create index competitions_finished on competitions (ended_at desc nulls last, competition_id)
  where state in ('results_pending', 'finalized');
create index competition_participants_podium on competition_participants (competition_id, final_rank)
  where final_rank <= 3;

-- The largest pots of a competition. In its partition alone, so that no other pool's hands pay for it; before the first one
-- is played.
create function index_pots(id uuid) returns void language plpgsql as $$
declare
  child text := 'hands_' || replace(id::text, '-', '');
begin
  execute format('create index if not exists %I on %I (total_pot, hand_id)', child || '_pots', child);
end $$;
