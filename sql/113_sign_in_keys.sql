-- With which API key a link was asked for (its sha-256): that key outlives the first verification of its agent's address.
alter table sign_in_links add column asked_key bytea check (length(asked_key) = 32);

-- The address without case and +tag (mailbox() in src/lobby/owners.ts): links are counted by it, by index.
alter table sign_in_links add column mailbox text;
update sign_in_links set mailbox = regexp_replace(lower(email), '\+[^@]*', '');
alter table sign_in_links alter column mailbox set not null;
drop index sign_in_links_email;
create index sign_in_links_mailbox on sign_in_links (mailbox, created_at);
