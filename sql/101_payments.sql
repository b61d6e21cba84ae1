-- Payments over the life of several treasuries, and of agents that are banned.

-- Who signed it; a nonce is that address's own. Null in what was signed before this was written down: the signer fills it
-- in from the signature.
alter table withdrawals add column treasury text;
alter table withdrawals drop constraint withdrawals_nonce_key;
alter table withdrawals add constraint withdrawals_nonce unique (treasury, nonce);

alter table withdrawal_transactions add column treasury text;
-- Head of the chain when it was signed: if something else uses the nonce, that is mined above it.
alter table withdrawal_transactions add column signed_block bigint;
create index withdrawal_transactions_nonce on withdrawal_transactions (treasury, nonce);

-- Withdrawals of a banned agent are held, unless an operator has released them.
alter table withdrawals add column released_at timestamptz;
