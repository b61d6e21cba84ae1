import type { Queryable } from './database.js';

export interface AuditEntry {
  /** An agent's id, `cli`, `operator` or `system`. */
  actor: string;
  /** The action, such as `ban`. */
  action: string;
  /** To whom or what, by its id; null where that is the platform. */
  subject: string | null;
  detail: Record<string, unknown>;
}

/** Writes down what somebody did by its own right, in the transaction that did it. Resolves to the entry's number. */
export async function recordAudit(sql: Queryable, { actor, action, subject, detail }: AuditEntry): Promise<number> {
  const [row] = await sql<{ entry_id: number }[]>`
    insert into audit_log (actor, action, subject, detail)
    values (${actor}, ${action}, ${subject}, ${JSON.stringify(detail)}::text::jsonb) returning entry_id`;
  if (row === undefined) throw new Error('an insert returned no row');
  return row.entry_id;
}
