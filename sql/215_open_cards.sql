-- When folded and mucked hole cards open to the readers of a competition's hands. Players of competitions beyond the
-- draft were promised nothing, so there the cards stay closed.
alter table competitions add open_cards text not null default 'never'
  check (open_cards in ('never', 'after_pool', 'after_hand'));
update competitions set open_cards = 'after_pool' where state = 'draft';
alter table competitions alter open_cards set default 'after_pool';
