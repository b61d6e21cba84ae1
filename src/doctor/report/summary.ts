import { addedUp } from '../kit.js';
import type { CaseOutcome, CaseVerdict } from '../examine.js';
import type { Entry } from '../wire/transcript.js';

export interface Summary {
  passed: number;
  failed: number;
  advice: number;
  notReached: number;
  notApplicable: number;
  /** A score of 100: cases that passed, with advice by half. A case without its situation does not count. */
  score: number;
  sound: boolean;
}

export function examSummaryOf(outcomes: readonly CaseOutcome[]): Summary {
  const reached = outcomes.filter((outcome) => outcome.reached || outcome.verdict !== 'passed');
  const count = (verdict: CaseVerdict) => reached.filter((outcome) => outcome.verdict === verdict).length;
  const [passed, failed, advice] = [count('passed'), count('failed'), count('advice')];
  const score = Math.floor((100 * (passed + advice / 2)) / Math.max(1, reached.length));
  const others = outcomes.filter((outcome) => !reached.includes(outcome));
  const notApplicable = others.filter((outcome) => outcome.notApplicable !== null).length;
  const notReached = others.length - notApplicable;
  return { passed, failed, advice, notReached, notApplicable, score, sound: failed === 0 };
}

/** In one line, for people. */
export function verdictLine(summary: Summary): string {
  const { passed, failed, advice, notReached, notApplicable, score, sound } = summary;
  const parts = [`${passed} passed`, `${failed} failed`, `${advice} with advice`];
  if (notReached > 0) parts.push(`${notReached} did not come about`);
  if (notApplicable > 0) parts.push(`${notApplicable} not applicable`);
  return `${sound ? 'Sound' : 'Not sound'}: ${parts.join(', ')}; score ${score} of 100`;
}

/** Where a case stands. */
export const protocolSection = (heading: string): string => ['docs/protocol.md', `"${heading}"`].join(', ');

/** The frames that are shown of a case: the last ones if it passed, otherwise more. */
const SHOWN = { passed: 12, advice: 60, failed: 100 } as const;
const LONGEST = 480;

export interface ShownEntry {
  at: number;
  line: number;
  from: Entry['from'];
  text: string;
}

/** The last frames, long ones shortened, and the number of earlier ones. */
export function shownEntries({ entries, verdict }: CaseOutcome): { shown: ShownEntry[]; before: number } {
  const last = entries.slice(-SHOWN[verdict]);
  return {
    shown: last.map(({ at, line, from, text }) => ({ at: Math.round(at), line, from, text: shortened(text) })),
    before: entries.length - last.length,
  };
}

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;

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
