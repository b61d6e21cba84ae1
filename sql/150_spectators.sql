-- Who may watch a competition and read its hands: anybody, those who take part or organize it, or nobody. Of duplicates
-- nobody before play is over, whatever stands here.
alter table competitions add spectators text not null default 'public'
  check (spectators in ('public', 'participants', 'none'));
