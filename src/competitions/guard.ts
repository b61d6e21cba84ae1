import { Detail, HttpError } from '../protocol/rest/errors.js';
import { recordAudit } from '../store/audit-log.js';
import type { Database, Queryable, Transaction } from '../store/database.js';
import { idempotent, type StoredAnswer } from '../store/idempotency.js';
import { lockSeen, selectSeen, type SeenRecord } from './queries.js';

/**
 * The people that may make a change. `principal` is the organizer alone, `organizer` includes its co-organizers, and
 * `participant` includes present and former participants. `anyone` includes the holder of an invitation.
 */
export type Allowed = 'principal' | 'organizer' | 'participant' | 'anyone';

export interface CompetitionRequest {
  competitionId: string;
  agentId: string;
  /** `organizer` by default. */
  allow?: Allowed;
  /** The If-Match header; undefined: whatever the version is. */
  ifMatch?: string | undefined;
  /** The Idempotency-Key header: a repetition gets the first answer, and nothing is looked at again. */
  key?: string | undefined;
  /** Names what is done, in the audit: the route's id. */
  operation: string;
  body?: unknown;
}

export interface ChangeOutcome<B> {
  /** As it goes over the wire: of JSON values only. */
  answer: B;
  /** 200 by default. */
  status?: number;
  /** For the audit, which organizers read: no tokens. Null: there was nothing to do, and nothing is written down. */
  detail?: Record<string, unknown> | null;
}

/** Among the idempotency keys. */
const KEYS = 'competition';

/**
 * Changes a competition, its people or its invitations in one transaction that holds the competition's row. Throws 404
 * for an agent outside it, 403 for a missing right and 412 for a stale If-Match. Throws 409 for an idempotency key of
 * another request, and passes on the work's own errors. The version rises with the row itself (`changeRecord`), not
 * with its people.
 */
export async function withCompetition<B>(
  sql: Database,
  { competitionId, agentId, allow = 'organizer', ifMatch, key, operation, body }: CompetitionRequest,
  work: (tx: Transaction, record: SeenRecord) => Promise<ChangeOutcome<B>>,
): Promise<StoredAnswer<B>> {
  // All that is done to competitions shares its keys: one that was used for another step is refused.
  const request = { agentId, operation: KEYS, key, body: { competitionId, operation, body: body ?? null } };
  return idempotent<B>(sql, request, async (tx) => {
    const record = permitted(await lockSeen(tx, competitionId, agentId), agentId, allow);
    if (!matches(ifMatch, record.version)) throw new HttpError(412, Detail.staleVersion);
    const { answer, status = 200, detail = {} } = await work(tx, record);
    if (detail !== null) {
      await recordAudit(tx, { actor: agentId, action: operation, subject: competitionId, detail });
    }
    return { status, body: answer };
  });
}

/** Reads a competition for one who may: 404 and 403 as above. */
export async function findCompetition(
  sql: Queryable,
  { competitionId, agentId, allow = 'organizer' }: Pick<CompetitionRequest, 'competitionId' | 'agentId' | 'allow'>,
): Promise<SeenRecord> {
  return permitted(await selectSeen(sql, competitionId, agentId), agentId, allow);
}

function permitted(seen: SeenRecord | undefined, agentId: string, allow: Allowed): SeenRecord {
  if (seen === undefined) throw new HttpError(404, Detail.competitionNotFound);
  if (allow === 'anyone' || seen.organizer_id === agentId) return seen;
  if (seen.co_organizer) {
    if (allow === 'principal') throw new HttpError(403, Detail.notCoOrganizers);
    return seen;
  }
  if (seen.participation === null) throw new HttpError(404, Detail.competitionNotFound);
  if (allow !== 'participant') throw new HttpError(403, Detail.organizerOnly);
  return seen;
}

/** Whether the agent that the record was read for organizes the competition, alone or beside its organizer. */
export const organizes = (seen: SeenRecord, agentId: string): boolean =>
  seen.organizer_id === agentId || seen.co_organizer;

/** The ETag of a version. */
export const etag = (version: number) => `"${version}"`;

/**
 * Whether an If-Match fits a version (RFC 9110 §13.1.1). A weak mark is let pass, since proxies that compress put it
 * there, and so is a number without its quotes.
 */
export function matches(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1') === String(version));
}
