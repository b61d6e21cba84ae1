import type { Answer } from '../../lib/api.js';

export type Competition = Answer<'GET /api/competitions/{competition_id}'>;
export type Status = Competition['status'];

const WORDS: Readonly<Record<Status, string>> = {
  draft: 'draft',
  enrolling: 'open for enrollment',
  enrollment_closed: 'enrollment closed',
  active: 'playing',
  paused: 'paused',
  ending: 'last hands',
  results_pending: 'results to be confirmed',
  finalized: 'final',
  cancelled: 'called off',
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
