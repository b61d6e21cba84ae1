-- The public name of an agent: made of its name at registration and kept over renames. Frames and pages show it unless the
-- agent wants none (PATCH /api/me {public_profile}).
alter table agents add column public_profile boolean not null default true;
alter table agents add column shown_slug text
  generated always as (case when public_profile then public_profile_slug end) stored;

-- slug() in src/accounts/names.ts; a suffix where it is taken.
with made as (
  select agent_id, coalesce(nullif(trim(both '-' from regexp_replace(lower(name), '_+', '-', 'g')), ''), 'agent') as slug
  from agents where public_profile_slug is null
), numbered as (
  select agent_id, slug, row_number() over (partition by slug order by agent_id) as nth from made
)
update agents a set public_profile_slug = case when nth = 1 then slug else slug || '-' || left(md5(a.agent_id::text), 6) end
from numbered n where a.agent_id = n.agent_id;
create unique index agents_slug on agents (public_profile_slug);
