import type { CaseOutcome } from '../examine.js';
import { addedUp, kitText } from '../kit.js';
import { protocolSection, examSummaryOf, verdictLine } from './summary.js';

const MARK = { passed: 'ok  ', advice: 'hint', failed: 'FAIL' } as const;

/** One line while it runs. */
export const outcomeLine = ({ case: { name }, verdict, ms }: CaseOutcome): string =>
  `${MARK[verdict]}  ${name} (${(ms / 1000).toFixed(1)} s)`;

/** The report for a terminal: what was found, and the figures. */
export function textReport(outcomes: readonly CaseOutcome[]): string {
  // A kit's warnings come in many cases, and are told once.
  const isOfKit = ({ kit, findings }: CaseOutcome) => kit.warned.length > 0 && findings.length === 1;
  const found = outcomes.filter((each) => each.verdict !== 'passed' && !isOfKit(each)).map(finding);
  const kit = kitPart(outcomes.filter(({ kit: { warned } }) => warned.length > 0));
  const away = outcomes.filter(({ reached, verdict }) => !reached && verdict === 'passed');
  const notReached = away.filter(({ notApplicable }) => notApplicable === null).map((each) => each.case.name);
  const notLean = away
    .filter(({ notApplicable }) => notApplicable !== null)
    .map((each) => `${each.case.name} (${each.notApplicable ?? ''})`);
  const others = [
    ...(notReached.length === 0
      ? []
      : [`Did not come about, as the bot decided otherwise: ${notReached.join(', ')}\n`]),
    ...(notLean.length === 0 ? [] : [`Not applicable to a bot that reads lean frames: ${notLean.join(', ')}\n`]),
  ];
  return [...found, ...kit, ...others, verdictLine(examSummaryOf(outcomes))].join('\n');
}

function kitPart(warned: readonly CaseOutcome[]): string[] {
  if (warned.length === 0) return [];
  return [
    [
      `${MARK.advice}  the kit did this for the bot, in ${warned.length} cases`,
      `      yours:  ${kitText(addedUp(warned.map(({ kit }) => kit)))}`,
      '      stands: docs/guides/kits.md, "What the kits do"',
      '',
    ].join('\n'),
  ];
}

function finding({ case: { name, done, sound, heading }, verdict, findings }: CaseOutcome): string {
  return [
    `${MARK[verdict]}  ${name}`,
    `      done:   ${done}`,
    `      sound:  ${sound}`,
    ...findings.map(({ text }, i) => `      ${i === 0 ? 'yours:  ' : '        '}${text}`),
    `      stands: ${protocolSection(heading)}`,
    '',
  ].join('\n');
}
