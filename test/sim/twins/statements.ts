import * as entries from './entry-statements.js';
import { node } from './node-statements.js';
import * as tables from './table-statements.js';
import type { Step, Twins } from './twins.js';

/** Those that stand twice are asked more often. */
const STATEMENTS: readonly ((twins: Twins) => Step)[] = [
  tables.claim,
  tables.open,
  tables.buyIn,
  tables.buyIn,
  tables.buyIn,
  tables.cashOut,
  tables.cashOut,
  tables.skim,
  tables.commit,
  tables.commit,
  tables.commit,
  tables.adopt,
  tables.reserve,
  tables.close,
  tables.stored,
  tables.take,
  tables.claimOrphans,
  node,
  node,
  node,
  entries.register,
  entries.register,
  entries.autoRebuy,
  entries.autoRebuy,
  entries.grant,
  entries.grant,
  entries.grant,
  entries.rebuyState,
  entries.schedule,
  entries.due,
  entries.settleDue,
  entries.lose,
  entries.lose,
  entries.later,
  entries.openSeason,
  entries.endSeason,
  entries.remind,
];

export const nextStep = (twins: Twins): Step => twins.dice.pick(STATEMENTS)(twins);
