import { checkDecisions, isDecisionHand } from './decisions.js';
import { checkPhh, isPhhHand } from './phh.js';
import type { VectorResult } from './result.js';

export type { Difference, VectorResult } from './result.js';

/**
 * Replays one line of a vector file and compares it with the engine. Two formats are known by their fields: hands in
 * PHH words (`actions`, `finish`) and hands with all their decisions (`decisions`, `finish_each`). A line that is
 * neither, or that breaks the replay, is a difference and not an error.
 */
export function checkVector(line: string, where: string): VectorResult {
  try {
    const hand: unknown = JSON.parse(line);
    if (isDecisionHand(hand)) return checkDecisions(hand);
    if (isPhhHand(hand)) return checkPhh(hand);
    return unreadable(where, 'a hand of one of the two formats', 'another object');
  } catch (error) {
    return unreadable(where, 'a hand that can be replayed', error instanceof Error ? error.message : String(error));
  }
}

function unreadable(where: string, expected: string, actual: string): VectorResult {
  return { decisions: 0, differences: [{ hand: where, where: 'line', what: 'format', expected, actual }] };
}

/** Running totals over the lines of one file. */
export class VectorTally {
  hands = 0;
  decisions = 0;
  differences = 0;
  /** Hands with at least one difference. */
  failed = 0;

  add(result: VectorResult): void {
    this.hands++;
    this.decisions += result.decisions;
    this.differences += result.differences.length;
    if (result.differences.length > 0) this.failed++;
  }
}
