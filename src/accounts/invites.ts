import { randomInt } from 'node:crypto';
import type { Queryable } from '../store/database.js';

/** Crockford's base 32: no letters that are taken for digits. 16 of them are 80 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

export interface NewInviteCode {
  /** How many agents may register with it. */
  maxUses: number;
  /** No use after it; null: no end. */
  expiresAt: Date | null;
  /** For whom or what it is, for those who read the list. */
  note?: string | null;
}

export interface InviteCode {
  code: string;
  max_uses: number;
  uses: number;
  expires_at: Date | null;
  note: string | null;
  created_at: Date;
}

/** A new code for the beta gate, as people write it: XXXX-XXXX-XXXX-XXXX. */
export async function createInviteCode(
  sql: Queryable,
  { maxUses, expiresAt, note = null }: NewInviteCode,
): Promise<string> {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  await sql`
    insert into invite_codes (code, max_uses, expires_at, note)
    values (${code}, ${maxUses}, ${expiresAt?.toISOString() ?? null}::timestamptz, ${note})`;
  return written(code);
}

/** All codes, the newest first. */
export async function listInviteCodes(sql: Queryable): Promise<InviteCode[]> {
  const rows = await sql<InviteCode[]>`
    select code, max_uses, uses, expires_at, note, created_at from invite_codes order by created_at desc, code`;
  return rows.map((row) => ({ ...row, code: written(row.code) }));
}

/**
 * Takes one use of a code for an agent that the same transaction inserts next. False: the code is unknown, used up or
 * too old. The row's lock orders those that race for the last use.
 */
export async function takeInvite(sql: Queryable, code: string, agentId: string): Promise<boolean> {
  const rows = await sql`
    with taken as (
      update invite_codes set uses = uses + 1
      where code = ${normalised(code)} and uses < max_uses and (expires_at is null or expires_at > now())
      returning code
    )
    insert into invite_uses (agent_id, code) select ${agentId}, code from taken returning code`;
  return rows.length > 0;
}

const written = (code: string) => code.match(/.{4}/g)!.join('-');

/** However somebody typed it: case and separators do not count, and O is 0, I and L are 1. */
function normalised(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}
