import { type CompetitionState, type Step } from '../../src/competitions/states.js';

export const HOUR = 3_600_000;

/** The state after each step, for each state that allows the step. */
export const LIFE: Readonly<Record<Step, readonly (readonly [CompetitionState, CompetitionState])[]>> = {
  open_enrollment: [
    ['draft', 'enrolling'],
    ['enrollment_closed', 'enrolling'],
  ],
  close_enrollment: [['enrolling', 'enrollment_closed']],
  start: [
    ['enrolling', 'active'],
    ['enrollment_closed', 'active'],
  ],
  pause: [['active', 'paused']],
  resume: [['paused', 'active']],
  end: [
    ['active', 'ending'],
    ['paused', 'ending'],
  ],
  close_play: [['ending', 'results_pending']],
  finalize: [['results_pending', 'finalized']],
  cancel: [
    ['draft', 'cancelled'],
    ['enrolling', 'cancelled'],
    ['enrollment_closed', 'cancelled'],
  ],
};
