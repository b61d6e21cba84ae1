-- An agent finds the invitations to its address (case apart, as agents_email), and those that it has answered.
create index competition_invitations_address on competition_invitations (lower(email));
create index competition_invitations_agent on competition_invitations (agent_id) where agent_id is not null;
