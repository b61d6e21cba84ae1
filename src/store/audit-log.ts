import type { Queryable } from './database.js';

export interface AuditEntry {
  /** An agent's id, `cli`, or `system`. */
  actor: string;
  /** What was done, such as `ban`. */
  action: string;
  /** To whom or what, by its id; null where that is the platform. */
  subject: string | null;
  detail: Record<string, unknown>;
}

/** Writes down what somebody did by its own right, in the transaction that did it. */
export async function recordAudit(sql: Queryable, { actor, action, subject, detail }: AuditEntry): Promise<void> {
  await sql`
    insert into audit_log (actor, action, subject, detail)
    values (${actor}, ${action}, ${subject}, ${JSON.stringify(detail)}::text::jsonb)`;
}
