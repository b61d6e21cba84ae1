import { COMPETITION_FIELDS, type FieldBounds } from '../../protocol/rest/competition-fields.js';
import { HttpError, type ValidationItem } from '../../protocol/rest/errors.js';
import type { CompetitionRecord, CompetitionRules } from '../record.js';

/** The settings that an organizer may give. */
export type Settings = CompetitionRules &
  Pick<
    CompetitionRecord,
    | 'name'
    | 'organization_name'
    | 'description'
    | 'reward_description'
    | 'display_timezone'
    | 'participant_cap'
    | 'join_requests'
    | 'enrollment_deadline'
    | 'starts_at'
    | 'ends_at'
  >;

/**
 * Checks the fields against each other and against the present enrollment, beyond the schema. Returns each field at
 * fault with its problem.
 */
export function misfits(settings: Settings, enrolled = 0): [field: keyof Settings, problem: string][] {
  const { minimum_buy_in: least, default_buy_in: usual, maximum_buy_in: most } = settings;
  const { starts_at: start, enrollment_deadline: deadline, ends_at: end } = settings;
  const { rebuys_enabled: rebuys, max_rebuys: count } = settings;
  const later = (a: Date | null, b: Date) => a !== null && a.getTime() > b.getTime();
  const rules: [wrong: boolean, field: keyof Settings, problem: string][] = [
    [least < settings.big_blind, 'minimum_buy_in', 'must be at least the big blind'],
    [least > settings.starting_chips, 'minimum_buy_in', 'must not be above starting_chips'],
    [
      most >= least && (usual < least || usual > most),
      'default_buy_in',
      'must be between minimum_buy_in and maximum_buy_in',
    ],
    [most < least, 'maximum_buy_in', 'must not be below minimum_buy_in'],
    [settings.big_blind < settings.small_blind, 'big_blind', 'must not be below the small blind'],
    [rebuys && count === 0, 'max_rebuys', 'must be 1 to 20 where rebuys are enabled'],
    [!rebuys && count > 0, 'max_rebuys', 'must be 0 where rebuys are not enabled'],
    [rebuys && settings.rebuy_chips < least, 'rebuy_chips', 'must be at least minimum_buy_in'],
    [settings.duplicate && settings.open_cards === 'after_hand', 'open_cards', 'must not be after_hand with duplicate'],
    [later(deadline, start ?? end), 'enrollment_deadline', 'must not be after starts_at or ends_at'],
    [start !== null && !later(end, start), 'ends_at', 'must be after starts_at'],
    [settings.participant_cap < enrolled, 'participant_cap', `must not be below the ${enrolled} enrolled already`],
    [!isTimezone(settings.display_timezone), 'display_timezone', 'must be a time zone, such as Europe/Berlin'],
    [
      settings.name.trim().length < COMPETITION_FIELDS.name.minimum,
      'name',
      'must have at least 3 characters, blanks around them not counted',
    ],
    ...(['name', 'organization_name', 'description', 'reward_description'] as const).flatMap((field) =>
      textRules(field, settings[field] ?? ''),
    ),
  ];
  return rules.flatMap(([wrong, field, problem]): [keyof Settings, string][] => (wrong ? [[field, problem]] : []));
}

/** Texts that database, mails and pages can all hold. */
function textRules(field: keyof typeof COMPETITION_FIELDS, text: string): [boolean, keyof Settings, string][] {
  const { maximum }: FieldBounds = COMPETITION_FIELDS[field];
  const allowed = field === 'name' || field === 'organization_name' ? '' : '\n\r\t';
  const controls = (text.match(/[\u0000-\u001f\u007f]/g) ?? []).some((control) => !allowed.includes(control));
  return [
    [controls, field, 'must not have control characters'],
    [maximum !== null && [...text].length > maximum, field, `must have at most ${maximum} code points`],
  ];
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Dates that are given must be to come. */
export function pastDates(given: Partial<Settings>, now: number): [field: keyof Settings, problem: string][] {
  return (['enrollment_deadline', 'starts_at', 'ends_at'] as const).flatMap((field) => {
    const date = given[field];
    return date instanceof Date && date.getTime() <= now ? [[field, 'must be in the future']] : [];
  });
}

/** Throws 422 for problems with fields of the body. */
export function refuse(problems: readonly [field: string, problem: string][]): void {
  if (problems.length === 0) return;
  const items = problems.map(([field, problem]): ValidationItem => ({
    loc: ['body', field],
    msg: `${field} ${problem}`,
    type: 'value_error',
  }));
  throw new HttpError(422, items);
}
