import type { CaseOutcome } from '../examine.js';
import { addedUp } from '../kit.js';
import { protocolSection, shownEntries, examSummaryOf } from './summary.js';

/** The report for programs. */
export function examData(bot: string, outcomes: readonly CaseOutcome[]) {
  const { passed, failed, advice, notReached, notApplicable, score, sound } = examSummaryOf(outcomes);
  const kit = addedUp(outcomes.map((outcome) => outcome.kit));
  return {
    bot,
    examined_at: new Date().toISOString(),
    sound,
    score,
    passed,
    failed,
    advice,
    not_reached: notReached,
    not_applicable: notApplicable,
    kit: { answered: kit.answered, defaulted: kit.defaulted, warnings: kit.warned.length },
    cases: outcomes.map((outcome) => {
      const { case: each, verdict, reached, notApplicable, findings, ms, output } = outcome;
      return {
        name: each.name,
        verdict,
        reached,
        not_applicable: notApplicable,
        findings,
        ms: Math.round(ms),
        done: each.done,
        sound: each.sound,
        stands_in: protocolSection(each.heading),
        ...(verdict === 'passed' ? {} : { frames: shownEntries(outcome).shown, output }),
      };
    }),
  };
}
