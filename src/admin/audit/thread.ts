import { connect, type DatabaseAddress } from '../../store/database.js';
import { audit } from './index.js';

/** The messages of the audit's thread. */
export type AuditReport =
  { t: 'progress'; done: number; of: number; unit: 'checks' | 'hands' } | { t: 'done'; ok: boolean; lines: string[] };

const PROGRESS_MS = 250;

/** Makes one audit over a connection of its own, and tells how far it is now and then. Rejects where it cannot be made. */
export async function auditInThread(address: DatabaseAddress, report: (report: AuditReport) => void): Promise<void> {
  const sql = connect(address, { max: 1, name: 'audit' });
  let next = 0;
  const onProgress = (done: number, of: number, unit: 'checks' | 'hands') => {
    if (performance.now() < next) return;
    next = performance.now() + PROGRESS_MS;
    report({ t: 'progress', done, of, unit });
  };
  try {
    const { ok, lines } = await audit(sql, { onProgress });
    report({ t: 'done', ok, lines });
  } finally {
    await sql.end();
  }
}
