-- The place of a node's sockets: the lowest bits of their numbers. No two nodes that live have the same.
alter table nodes add column place smallint check (place between 0 and 127);
create unique index nodes_place on nodes (place) where ended_at is null;
