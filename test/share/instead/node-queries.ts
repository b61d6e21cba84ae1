import type * as real from '../../../src/store/node/queries.js';
import { statement } from './statement.js';

/** The queries of src/store/node/death-watch.ts to src/store/node/queries.ts, on rows in memory. */

export const otherNodes: typeof real.otherNodes = (sql, nodeId) => statement(sql, (rows) => rows.others(nodeId));

export const endOther: typeof real.endOther = (sql, dead, _by, proof) =>
  statement(sql, (rows) => rows.endOther(dead, proof));
