import { Act } from '../holdem/types.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { ACTION_NAMES, STREET_NAMES } from '../table/frames/words.js';

/** The actions of the player on a seat, street by street: "preflop raise 60, call 180; flop check, fold". */
export function actionSummary({ actions }: Pick<StoredHand, 'actions'>, seat: number): string {
  const streets = new Map<number, string[]>();
  for (const action of actions) {
    if (action.seat !== seat) continue;
    const words = streets.get(action.street) ?? [];
    const amount = action.act > Act.check ? ` ${action.amount}` : '';
    words.push(`${ACTION_NAMES[action.act]!.replace('_', '-')}${amount}`);
    streets.set(action.street, words);
  }
  if (streets.size === 0) return 'no decision';
  return [...streets].map(([street, words]) => `${STREET_NAMES[street]!} ${words.join(', ')}`).join('; ');
}
