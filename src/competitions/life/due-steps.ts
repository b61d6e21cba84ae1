import type { CompetitionState, Step } from '../states.js';

/** The steps of a competition's dates. */

/** The dates of a competition by which it goes on by itself. */
export interface Dates {
  state: CompetitionState;
  enrollment_deadline: Date | null;
  starts_at: Date | null;
  ends_at: Date;
  /** As many hands as there shall be were played. */
  played_out?: boolean;
}

/** A step, and the date (epoch ms) that brings it about. */
export interface DueStep {
  step: Step;
  at: number;
}

/**
 * The next step of its dates: the earliest that its state allows. Null: only the organizer, or play under way, leads
 * on. One that has not begun when it should end never will.
 */
export function dueStep(competition: Dates): DueStep | null {
  const steps = stepsOf(competition);
  return steps.reduce<DueStep | null>((first, each) => (first === null || each.at < first.at ? each : first), null);
}

function stepsOf({
  state,
  enrollment_deadline: deadline,
  starts_at: start,
  ends_at: end,
  played_out: out = false,
}: Dates): DueStep[] {
  const close: DueStep[] = deadline === null ? [] : [{ step: 'close_enrollment', at: deadline.getTime() }];
  const begin: DueStep[] = start === null ? [] : [{ step: 'start', at: start.getTime() }];
  const endsAt = end.getTime();
  switch (state) {
    case 'draft':
      return [{ step: 'cancel', at: endsAt }];
    case 'enrolling':
      return [...close, ...begin, { step: 'cancel', at: endsAt }];
    case 'enrollment_closed':
      return [...begin, { step: 'cancel', at: endsAt }];
    case 'active':
    case 'paused':
      // Once the hands are played it has been due for ever.
      return [{ step: 'end', at: out ? 0 : endsAt }];
    default:
      return [];
  }
}

/** Whether enrolment that opens now would be closed by a date at once. */
export const enrollmentIsOver = (
  { enrollment_deadline, starts_at }: Pick<Dates, 'enrollment_deadline' | 'starts_at'>,
  now: number,
): boolean => [enrollment_deadline, starts_at].some((date) => date !== null && date.getTime() <= now);
