-- People of competitions, and what their hands compare to.

-- For the limit on mails that an organizer has sent in a day.
create index competition_invitations_sent on competition_invitations (sent_at);

-- The seat of the button in a stored hand: the byte behind version, three ids and the hand's number (see
-- src/table/record-codec.ts). Compared with the codec by a test.
create function record_button(record bytea) returns integer language plpgsql immutable strict parallel safe as $$
declare
  at integer := 49;
begin
  if get_byte(record, 0) not in (1, 2) then
    raise exception 'unknown version % of a record', get_byte(record, 0);
  end if;
  while get_byte(record, at) >= 128 loop
    at := at + 1;
  end loop;
  return get_byte(record, at + 1) & 7;
end $$;
