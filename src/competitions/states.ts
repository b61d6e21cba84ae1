import type { JOIN_REQUEST_STATUS } from '../protocol/rest/competition-people/index.js';
import { COMPETITION_STATES, PARTICIPANT_STATES, type SPECTATORS } from '../protocol/rest/competition-fields.js';

/**
 * The states of a competition (docs/reference/rest.md, "Competitions") and of a participant, with the steps
 * between them.
 */

export { COMPETITION_STATES, PARTICIPANT_STATES };
export type CompetitionState = (typeof COMPETITION_STATES)[number];
export type Spectators = (typeof SPECTATORS)[number];
/** Open: not answered. Enrollment that is over lets open ones lapse, without another state in the database. */
export type JoinRequestState = (typeof JOIN_REQUEST_STATUS)[number];
export type ParticipantState = (typeof PARTICIPANT_STATES)[number];

/** A step that the organizer asks for, or that a date brings. */
export type Step =
  | 'open_enrollment'
  | 'close_enrollment'
  | 'start'
  | 'pause'
  | 'resume'
  /** No new hands; hands in progress are played out. */
  | 'end'
  /** All tables are closed and the standings taken down; brought about by the platform alone. */
  | 'close_play'
  | 'finalize'
  | 'cancel';

export const STEPS: Readonly<Record<Step, { from: readonly CompetitionState[]; to: CompetitionState }>> = {
  open_enrollment: { from: ['draft', 'enrollment_closed'], to: 'enrolling' },
  close_enrollment: { from: ['enrolling'], to: 'enrollment_closed' },
  start: { from: ['enrolling', 'enrollment_closed'], to: 'active' },
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  end: { from: ['active', 'paused'], to: 'ending' },
  close_play: { from: ['ending'], to: 'results_pending' },
  finalize: { from: ['results_pending'], to: 'finalized' },
  cancel: { from: ['draft', 'enrolling', 'enrollment_closed'], to: 'cancelled' },
};

/** Where the step leads, or null where it is not allowed. */
export function next(state: CompetitionState, step: Step): CompetitionState | null {
  const { from, to } = STEPS[step];
  return from.includes(state) ? to : null;
}

/** Whether nothing is played any more. */
export const isOver = (state: CompetitionState): boolean =>
  ['ending', 'results_pending', 'finalized', 'cancelled'].includes(state);

/** Whether nothing changes any more. */
export const isFinal = (state: CompetitionState): boolean => state === 'finalized' || state === 'cancelled';

/** Whether hands are played, or could be at once. */
export const isPlaying = (state: CompetitionState): boolean => state === 'active' || state === 'paused';

/** Whether play is over and the standings are taken down. */
export const isClosed = (state: CompetitionState): boolean => state === 'results_pending' || state === 'finalized';
