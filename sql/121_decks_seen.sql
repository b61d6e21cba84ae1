-- Tables of a duplicate pool skip decks that somebody who sits there has seen at another table.

-- Up to which number of a hand an agent has seen the decks of a duplicate pool, at tables that it left.
alter table entries add column decks_seen integer not null default 0;

drop function commit_hands(integer, bigint, uuid[], uuid[], uuid[], integer[], float8[], float8[], bigint[], bytea[],
  smallint[], smallint[], bigint[], smallint[], uuid[], uuid[], smallint[], bigint[], bigint[], integer);

-- As before (070), but each hand names the number of its table's hand before, at the same place of `befores`: the number
-- below, but for duplicate pools.
--
-- A batch of finished hands, at most one a table: hand k has its values at place k of the arrays `pools` to `seqs`; a
-- player's hand is the k at its place in `dealt`, beside the other arrays of players. A function, since the plans of its
-- few statements start faster than that of one statement of CTEs, and since it can compare how many rows were changed
-- without reading them again.
--
-- All or nothing. Raises AP001 'fenced' when the shard has another epoch (its row is locked, so a raise of the epoch
-- waits for us), AP001 with a reason when a hand does not continue what is stored, 23505 when one is stored already: the
-- hands go first, so that a repeated commit is known by that, and waits for its twin if that is still under way.
create function commit_hands(
  shard integer, epoch_held bigint,
  pools uuid[], hand_ids uuid[], table_ids uuid[], numbers integer[], started float8[], ended float8[], pots bigint[],
  records bytea[], buttons smallint[], big_blinds smallint[], seqs bigint[],
  dealt smallint[], agents uuid[], sittings uuid[], seats smallint[], starts bigint[], ends bigint[],
  mark_every integer, befores integer[])
returns void language plpgsql as $$
declare
  changed integer;
begin
  if (select s.epoch from shards s where s.shard_no = shard for share) is distinct from epoch_held then
    raise exception using errcode = 'AP001', message = 'fenced';
  end if;

  insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
  select h.pool, h.id, h.at_table, h.number, to_timestamp(h.began / 1000), to_timestamp(h.over / 1000), h.pot, h.bytes
  from unnest(pools, hand_ids, table_ids, numbers, started, ended, pots, records)
    as h (pool, id, at_table, number, began, over, pot, bytes);

  insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
  select pools[p.k], p.agent, hand_ids[p.k], p.seat, p.before, p.after
  from unnest(dealt, agents, seats, starts, ends) as p (k, agent, seat, before, after);

  update tables t set hand_number = h.number, button_seat = h.button, big_blind_seat = h.big_blind,
    seq_reserved = greatest(t.seq_reserved, h.seq)
  from unnest(pools, table_ids, numbers, befores, buttons, big_blinds, seqs)
    as h (pool, id, number, before, button, big_blind, seq)
  where t.table_id = h.id and t.pool_id = h.pool and t.shard_no = shard and t.status = 'open'
    and t.hand_number = h.before and h.number > h.before;
  get diagnostics changed = row_count;
  if changed <> cardinality(hand_ids) then
    raise exception using errcode = 'AP001', message = 'a table is not at the hand before';
  end if;

  with moved as (
    update entries e set chips_at_table = p.after, hands_played = e.hands_played + 1,
      hands_won = e.hands_won + (p.after > p.before)::integer,
      chips_won = e.chips_won + greatest(p.after - p.before, 0),
      chips_lost = e.chips_lost + greatest(p.before - p.after, 0)
    from unnest(dealt, agents, sittings, seats, starts, ends) as p (k, agent, stay, seat, before, after)
    where e.pool_id = pools[p.k] and e.agent_id = p.agent and e.table_id = table_ids[p.k] and e.seat_no = p.seat
      and e.sitting = p.stay and e.chips_at_table = p.before
    returning p.k, e.agent_id, e.hands_played),
  marked as (
    insert into hand_marks (pool_id, agent_id, nth, hand_id)
    select pools[m.k], m.agent_id, m.hands_played, hand_ids[m.k] from moved m where m.hands_played % mark_every = 0)
  select count(*) into changed from moved;
  if changed <> cardinality(agents) then
    raise exception using errcode = 'AP001', message = 'a stack is not the one at its start';
  end if;
end $$;
