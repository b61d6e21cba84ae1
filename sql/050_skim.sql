-- Where a season has a maximum table stack, what a stack has above it after a hand goes back to the balance.
alter table chip_ledger drop constraint chip_ledger_type_check;
alter table chip_ledger add constraint chip_ledger_type_check
  check (type in ('grant', 'rebuy', 'reset', 'buy_in', 'cash_out', 'skim'));
