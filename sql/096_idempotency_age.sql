-- First answers are swept by age.
create index idempotency_keys_age on idempotency_keys (created_at);
