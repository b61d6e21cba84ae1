import { HttpError, notFrom } from '../../protocol/rest/errors.js';
import type { Transaction } from '../../store/database.js';
import { changeRecord, closeBooks, openHands, type RecordChange } from '../queries.js';
import type { CompetitionRecord } from '../record.js';
import { freezeStandings } from '../results/standings.js';
import { next, type CompetitionState, type Step } from '../states.js';

/** By which name the audit knows a step: its endpoint's, where it has one. */
export const STEP_OPERATIONS: Readonly<Record<Step, string>> = {
  open_enrollment: 'openEnrollment',
  close_enrollment: 'closeEnrollment',
  start: 'startCompetition',
  pause: 'pauseCompetition',
  resume: 'resumeCompetition',
  end: 'endCompetition',
  close_play: 'closePlay',
  finalize: 'finalizeCompetition',
  cancel: 'cancelCompetition',
};

/** The times that steps leave in the record. */
function stamps(step: Step, at: Date): RecordChange {
  switch (step) {
    case 'start':
      return { started_at: at };
    case 'close_play':
      return { ended_at: at };
    case 'finalize':
      return { finalized_at: at };
    case 'cancel':
      return { cancelled_at: at };
    default:
      return {};
  }
}

/**
 * Takes a step in the transaction that has locked the record; 409 where its state does not allow it. With `start` there
 * is room for hands; with `close_play` the books are closed (AP001 while somebody is seated) and the standings taken
 * down. For the audit: from where to where.
 */
export async function takeStep(
  tx: Transaction,
  { competition_id: id, state }: Pick<CompetitionRecord, 'competition_id' | 'state'>,
  step: Step,
  at: Date,
): Promise<{ from: CompetitionState; to: CompetitionState }> {
  const to = next(state, step);
  if (to === null) throw new HttpError(409, notFrom(step, state));
  if (step === 'start') await openHands(tx, id);
  if (step === 'close_play') await closeBooks(tx, id);
  await changeRecord(tx, id, { state: to, ...stamps(step, at) }, at);
  if (step === 'close_play') await freezeStandings(tx, id);
  return { from: state, to };
}
