import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { CreateCompetition, UpdateCompetition } from '../../protocol/rest/competition-fields.js';
import { Detail, HttpError, notFrom } from '../../protocol/rest/errors.js';
import type { Queryable } from '../../store/database.js';
import { countParticipants } from '../queries.js';
import type { CompetitionRecord } from '../record.js';
import { refuse, type Settings } from './rules.js';
import type { CompetitionState } from '../states.js';

/** The settings of a create request, with defaults filled in. 422 for a date that is none. */
export function settingsOf(body: Static<typeof CreateCompetition>): Settings {
  const { enrollment_deadline = null, starts_at = null, ends_at, ...rest } = body;
  const { organization_name = null, description = null, reward_description = null } = rest;
  const { between_hands_ms = null, action_timeout_ms = null, hand_limit = null } = rest;
  return {
    ...rest,
    organization_name,
    description,
    reward_description,
    between_hands_ms,
    action_timeout_ms,
    hand_limit,
    enrollment_deadline: dateOrNull('enrollment_deadline', enrollment_deadline),
    starts_at: dateOrNull('starts_at', starts_at),
    ends_at: dateOf('ends_at', ends_at),
  };
}

/** The changes of an update request. 422 as above. */
export function changesOf(body: Static<typeof UpdateCompetition>): Partial<Settings> {
  const { enrollment_deadline: deadline, starts_at: start, ends_at: end, ...rest } = body;
  return {
    // Without rebuys there is no number of them.
    ...(rest.rebuys_enabled === false ? { max_rebuys: 0 } : {}),
    ...rest,
    ...(deadline === undefined ? {} : { enrollment_deadline: dateOrNull('enrollment_deadline', deadline) }),
    ...(start === undefined ? {} : { starts_at: dateOrNull('starts_at', start) }),
    ...(end === undefined ? {} : { ends_at: dateOf('ends_at', end) }),
  };
}

function dateOf(field: string, text: string): Date {
  const date = new Date(text);
  refuse(Number.isNaN(date.getTime()) ? [[field, 'must be a date']] : []);
  return date;
}

const dateOrNull = (field: string, text: string | null) => (text === null ? null : dateOf(field, text));

/** The given fields that differ from the record. */
export function changedSettings(record: Settings, given: Partial<Settings>): Partial<Settings> {
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  const differs = (name: string, value: unknown) => plain(value) !== plain(record[name as keyof Settings]);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => differs(name, value)));
}

const BEFORE_PLAY: readonly CompetitionState[] = ['draft', 'enrolling', 'enrollment_closed'];
const BEFORE_END: readonly CompetitionState[] = [...BEFORE_PLAY, 'active', 'paused'];
const BEFORE_FINAL: readonly CompetitionState[] = [...BEFORE_END, 'ending', 'results_pending'];

/** The states in which a field may change. */
function changeableIn(field: string): readonly CompetitionState[] {
  switch (field) {
    case 'name':
    case 'organization_name':
    case 'description':
    case 'reward_description':
    case 'display_timezone':
      return BEFORE_FINAL;
    case 'ends_at':
      return BEFORE_END;
    default:
      return BEFORE_PLAY;
  }
}

const NO_RULE = new Set(['participant_cap', 'join_requests', 'enrollment_deadline', 'starts_at']);

/**
 * Throws 409 for a field that may not change in the record's state. Also for a rule of play that a participant has
 * accepted: participants keep the rules that they were shown.
 */
export async function requireChangeable(
  tx: Queryable,
  { competition_id, state }: Pick<CompetitionRecord, 'competition_id' | 'state'>,
  changes: Partial<Settings>,
): Promise<void> {
  const fields = Object.keys(changes);
  const late = fields.find((field) => !changeableIn(field).includes(state));
  if (late !== undefined) throw new HttpError(409, notFrom(`change ${late}`, state));
  const rules = fields.some((field) => changeableIn(field) === BEFORE_PLAY && !NO_RULE.has(field));
  if (rules && (await countParticipants(tx, competition_id)) > 0) throw new HttpError(409, Detail.rulesAccepted);
}

/** Names the public page: readable, and taken by nobody else. */
export function competitionSlugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return [words.join('-').slice(0, 48).replace(/-$/, ''), randomBytes(5).toString('hex')]
    .filter((part) => part !== '')
    .join('-');
}
