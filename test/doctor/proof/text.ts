import type { Case } from '../../../src/doctor/case.js';
import { DEFECTS } from './defects.js';
import type { ProofResult } from './prove.js';

const SHOWN = 4;

/** Every faulty bot was found, every case found one, and nothing was found of the sound ones. */
export const proofIsWhole = ({ found, useless, alarms }: ProofResult): boolean =>
  [...found.values()].every((cases) => cases.length > 0) &&
  useless.length === 0 &&
  [...alarms.values()].every((alarm) => alarm.length === 0);

export function proofText(proof: ProofResult, cases: readonly Case[]): string {
  const { found, useless, alarms, notReached } = proof;
  const missed = [...found].filter(([, by]) => by.length === 0).map(([defect]) => defect);
  const lines = [...found].map(([defect, by]) => {
    const more = by.length > SHOWN ? `, … (${by.length})` : '';
    return `${DEFECTS[defect]}: ${by.length === 0 ? 'NOT FOUND' : `${by.slice(0, SHOWN).join(', ')}${more}`}`;
  });
  const sound = [...alarms].map(([name, alarm]) => {
    const away = notReached.get(name) ?? [];
    const open = away.length === 0 ? '' : `; did not come about: ${away.join(', ')}`;
    return `${name}: ${alarm.length === 0 ? 'nothing found' : alarm.join('\n  ')}${open}`;
  });
  return [
    'Faulty bots, and the cases that found them:',
    ...lines.map((line) => `  ${line}`),
    '',
    'Sound bots:',
    ...sound.map((line) => `  ${line}`),
    '',
    `${found.size - missed.length} of ${found.size} faulty bots found by ${cases.length} cases.`,
    `Cases that found nothing: ${useless.length === 0 ? 'none' : useless.join(', ')}.`,
  ].join('\n');
}
