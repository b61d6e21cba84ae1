-- Records of version 3 hold mixed actions behind all that version 2 has.
create or replace function record_button(record bytea) returns integer language plpgsql immutable strict parallel safe as $$
declare
  at integer := 49;
begin
  if get_byte(record, 0) not in (1, 2, 3) then
    raise exception 'unknown version % of a record', get_byte(record, 0);
  end if;
  while get_byte(record, at) >= 128 loop
    at := at + 1;
  end loop;
  return get_byte(record, at + 1) & 7;
end $$;
