import type { Answer } from '../../lib/api.js';
import { statusTexts as texts } from '../../texts/competitions.js';

export type Competition = Answer<'GET /api/competitions/{competition_id}'>;
export type Status = Competition['status'];

const WORDS: Readonly<Record<Status, string>> = {
  draft: 'draft',
  enrolling: texts.openForEnrollment,
  enrollment_closed: texts.enrollmentClosed,
  active: 'playing',
  paused: 'paused',
  ending: texts.lastHands,
  results_pending: texts.resultsToBeConfirmed,
  finalized: 'final',
  cancelled: texts.calledOff,
};

const TONES: Partial<Record<Status, string>> = {
  active: 'good',
  paused: 'accent',
  enrolling: 'accent',
  cancelled: 'bad',
};

export const StatusBadge = ({ status }: { status: Status }) => (
  <span class={`badge ${TONES[status] ?? ''}`}>{WORDS[status]}</span>
);
