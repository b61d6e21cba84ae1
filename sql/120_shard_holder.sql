-- The process that has the shards: it names itself once, when it prepares the tables. Whoever finds another name there
-- was displaced, and raises no epoch any more. Null until a process of this release has started.
alter table shards add column holder uuid;
