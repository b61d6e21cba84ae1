-- Who was banned when its season ended has no rank, no badge and no prize in it, and whoever came behind moves up.
alter table entries add column barred boolean not null default false;
