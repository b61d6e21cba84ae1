import type { Outcome } from '../examine.js';
import { placeOf, summaryOf, verdictLine } from './summary.js';

const MARK = { passed: 'ok  ', advice: 'hint', failed: 'FAIL' } as const;

/** One line while it runs. */
export const outcomeLine = ({ case: { name }, verdict, ms }: Outcome): string =>
  `${MARK[verdict]}  ${name} (${(ms / 1000).toFixed(1)} s)`;

/** The report for a terminal: what was found, and the figures. */
export function textReport(outcomes: readonly Outcome[]): string {
  const found = outcomes.filter(({ verdict }) => verdict !== 'passed').map(finding);
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
  return [...found, ...others, verdictLine(summaryOf(outcomes))].join('\n');
}

function finding({ case: { name, done, sound, heading }, verdict, findings }: Outcome): string {
  return [
    `${MARK[verdict]}  ${name}`,
    `      done:   ${done}`,
    `      sound:  ${sound}`,
    ...findings.map(({ text }, i) => `      ${i === 0 ? 'yours:  ' : '        '}${text}`),
    `      stands: ${placeOf(heading)}`,
    '',
  ].join('\n');
}
