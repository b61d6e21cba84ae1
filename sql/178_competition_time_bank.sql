-- Whether players have a time bank at tables with faster ones.
alter table competitions add time_bank boolean not null default true;
