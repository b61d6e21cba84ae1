import { parentPort, workerData } from 'node:worker_threads';
import { auditInThread, type AuditReport } from '../src/admin/audit/thread.js';
import { yieldToOthers } from '../src/ops/priority.js';
import type { DatabaseAddress } from '../src/store/database.js';
import { outliveTypeQueries } from '../src/store/type-query.js';

outliveTypeQueries();
yieldToOthers();

/** The audit's thread: every hand is played again, away from the sockets and the tables. It ends with the audit. */
await auditInThread(workerData as DatabaseAddress, (report: AuditReport) => parentPort?.postMessage(report));
