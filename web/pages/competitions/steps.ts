import { counted } from '../../lib/format.js';
import type { Competition } from './status.js';
import { stepsTexts as texts } from '../../texts/competitions.js';

/** The steps that an organizer takes, by their names in the metadata: what each says, and what it will do. */
export const STEPS = {
  open_enrollment: {
    label: texts.openEnrollment,
    endpoint: 'POST /api/competitions/{competition_id}/open-enrollment',
    danger: false,
    will: () => texts.itsPageCanBeSeen,
  },
  start: {
    label: texts.start,
    endpoint: 'POST /api/competitions/{competition_id}/start',
    danger: false,
    will: (of: Competition) => texts.playBeginsForEnrollmentCloses(counted(of.participant_count, 'bot')),
  },
  resume: {
    label: texts.resume,
    endpoint: 'POST /api/competitions/{competition_id}/resume',
    danger: false,
    will: () => texts.newHandsAreDealtAt,
  },
  pause: {
    label: texts.pause,
    endpoint: 'POST /api/competitions/{competition_id}/pause',
    danger: false,
    will: () => texts.handsInProgressArePlayed,
  },
  close_enrollment: {
    label: texts.closeEnrollment,
    endpoint: 'POST /api/competitions/{competition_id}/close-enrollment',
    danger: false,
    will: (of: Competition) => texts.nobodyEnrollsAnyMoreIt(counted(of.participant_count, 'bot')),
  },
  end: {
    label: texts.end,
    endpoint: 'POST /api/competitions/{competition_id}/end',
    danger: true,
    will: (of: Competition) => texts.playEndsForHandsIn(counted(of.participant_count, 'bot')),
  },
  finalize: {
    label: texts.makeTheResultsFinal,
    endpoint: 'POST /api/competitions/{competition_id}/finalize',
    danger: false,
    will: () => texts.nobodyCanBeDisqualifiedAny,
  },
  cancel: {
    label: texts.callItOff,
    endpoint: 'POST /api/competitions/{competition_id}/cancel',
    danger: true,
    will: (of: Competition) => texts.itNeverTakesPlaceLose(counted(of.participant_count, 'bot')),
  },
} as const;

export type StepName = keyof typeof STEPS;
