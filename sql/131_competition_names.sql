-- One name, one agent in a competition. A row a form in which a name may be mistaken for another (src/competitions/names.ts
-- folds it: width, case and look-alike letters), so that two agents cannot take names that people confuse.
create table competition_names (
  competition_id uuid not null,
  name_key text not null,
  agent_id uuid not null,
  primary key (competition_id, name_key),
  foreign key (competition_id, agent_id) references competition_participants
);
create index competition_names_agent on competition_names (agent_id);

-- The name in the result: that of the moment when play ended, whatever the agent is called later.
alter table competition_participants add final_name text;
update competition_participants p set final_name = coalesce(p.display_name, a.name)
from agents a, competitions c
where a.agent_id = p.agent_id and c.competition_id = p.competition_id and c.state in ('results_pending', 'finalized');
