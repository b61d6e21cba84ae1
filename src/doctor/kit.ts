import type { Exam } from './exam.js';

/** A kit's actions in the place of its bot, in one case or in all. */
export interface KitCount {
  /** Turns that were answered. */
  answered: number;
  /**
   * Turns among them that the kit answered with a check or a fold: `decide` threw, was late, or asked for an illegal
   * action.
   */
  defaulted: number;
  /** Texts of its warnings, each as often as it came. */
  warned: readonly string[];
}

/** Kinds of warnings by which a kit says that it answers a turn itself. */
const DEFAULTED = ['decide', 'late'];

/** The kit's warnings, except those that the case itself has caused. Refusals and timeouts are judged by the wire. */
export function kitOf({ transcript, warnings, mayTimeOut }: Exam): KitCount {
  const counted = warnings.filter(
    ({ kind }) => kind === 'decide' || kind === 'frame' || (kind === 'late' && !mayTimeOut),
  );
  const tokens = transcript.entries
    .filter(({ from, frame }) => from === 'bot' && frame?.type === 'action')
    .map(({ frame }) => frame!['turn_token']);
  const answered = new Set(tokens).size;
  const defaulted = counted.filter(({ kind }) => DEFAULTED.includes(kind)).length;
  return {
    answered,
    // The last one may not have been sent any more.
    defaulted: Math.min(defaulted, answered),
    warned: counted.map(({ text }) => text),
  };
}

/** The sum of several cases. */
export const addedUp = (counts: readonly KitCount[]): KitCount => ({
  answered: counts.reduce((sum, { answered }) => sum + answered, 0),
  defaulted: counts.reduce((sum, { defaulted }) => sum + defaulted, 0),
  warned: counts.flatMap(({ warned }) => warned),
});

/** So many different warnings are quoted. */
const QUOTED = 4;

/** For the author: how many decisions were not the bot's, and why. */
export function kitText({ answered, defaulted, warned }: KitCount): string {
  const kinds = new Map<string, { text: string; count: number }>();
  for (const text of warned) {
    // Amounts differ from turn to turn.
    const kind = text.replace(/\d+/g, '#');
    const known = kinds.get(kind) ?? { text, count: 0 };
    kinds.set(kind, { ...known, count: known.count + 1 });
  }
  const often = [...kinds.values()].sort((a, b) => b.count - a.count);
  const quoted = often.slice(0, QUOTED).map(({ text, count }) => `"${text}"${count > 1 ? ` (${count} times)` : ''}`);
  const more = often.length > QUOTED ? `, and ${often.length - QUOTED} others` : '';
  const head =
    defaulted > 0
      ? `The kit answered ${defaulted} of ${answered} turns in the bot's place, with a check or a fold.`
      : 'The kit had something to complain of.';
  return `${head} Its warnings (${warned.length}): ${quoted.join(', ')}${more}.`;
}
