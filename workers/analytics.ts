import { Piscina } from 'piscina';
import { analyticsWorker } from '../src/analytics/task.js';
import { yieldToOthers } from '../src/ops/priority.js';
import type { DatabaseAddress } from '../src/store/database.js';
import { outliveTypeQueries } from '../src/store/type-query.js';

outliveTypeQueries();
yieldToOthers();

/** The analytics thread: counts hands that are stored, away from the sockets and the tables. */
export default analyticsWorker(Piscina.workerData as DatabaseAddress);
