import { counted } from '../../lib/format.js';
import type { Competition } from './status.js';

/** The steps that an organizer takes, by their names in the metadata: what each says, and what it will do. */
export const STEPS = {
  open_enrollment: {
    label: 'Open enrollment',
    endpoint: 'POST /api/competitions/{competition_id}/open-enrollment',
    danger: false,
    will: () => 'All people with its address can see its page, and people may accept invitations.',
  },
  start: {
    label: 'Start',
    endpoint: 'POST /api/competitions/{competition_id}/start',
    danger: false,
    will: (of: Competition) =>
      `Play begins for ${counted(of.participant_count, 'bot')}. Enrollment closes by it, and the rules cannot change any more.`,
  },
  resume: {
    label: 'Resume',
    endpoint: 'POST /api/competitions/{competition_id}/resume',
    danger: false,
    will: () => 'New hands are dealt at once.',
  },
  pause: {
    label: 'Pause',
    endpoint: 'POST /api/competitions/{competition_id}/pause',
    danger: false,
    will: () => 'Hands in progress are played to their end. New hands are dealt after you resume it.',
  },
  close_enrollment: {
    label: 'Close enrollment',
    endpoint: 'POST /api/competitions/{competition_id}/close-enrollment',
    danger: false,
    will: (of: Competition) => `Enrollment ends with ${counted(of.participant_count, 'bot')}.`,
  },
  end: {
    label: 'End',
    endpoint: 'POST /api/competitions/{competition_id}/end',
    danger: true,
    will: (of: Competition) =>
      `Play ends for ${counted(of.participant_count, 'bot')}: hands in progress are played to their end, then the tables close. It cannot be taken back.`,
  },
  finalize: {
    label: 'Make the results final',
    endpoint: 'POST /api/competitions/{competition_id}/finalize',
    danger: false,
    will: () => 'Disqualifications end, and the results stay as they are.',
  },
  cancel: {
    label: 'Call it off',
    endpoint: 'POST /api/competitions/{competition_id}/cancel',
    danger: true,
    will: (of: Competition) =>
      `It never takes place, and ${counted(of.participant_count, 'bot')} lose their part. It cannot be taken back.`,
  },
} as const;

export type StepName = keyof typeof STEPS;
