/** A bot's answer to its turn. */
export interface LoadChoice {
  action: 'fold' | 'check' | 'call' | 'raise';
  /** Raise-to total. */
  amount: number | null;
}

const LEAST_RAISE = '"action":"raise","amount":null,"min":';

/**
 * Mostly calls and checks, some folds and small raises. With six players that makes about 19 actions a hand, and pots
 * so small that a seat rarely goes bust. `roll` is 0 to 99, `turn` the text of a your_turn, or of a lean turn.
 */
export function chooseAtRandom(turn: string, roll: number): LoadChoice {
  // A lean turn has what others did before it, in the same words.
  const offered = turn.slice(Math.max(0, turn.indexOf('"valid_actions":')));
  const raiseTo = roll < 12 ? numberAfter(offered, '"min_raise":') || numberAfter(offered, LEAST_RAISE) : 0;
  if (raiseTo > 0) return { action: 'raise', amount: raiseTo };
  if (offered.includes('"action":"check"')) return { action: 'check', amount: null };
  return { action: roll < 45 ? 'fold' : 'call', amount: null };
}

/**
 * The dice: the same for the same bot, hand and decision, so that every server that is compared is asked for the same
 * play. The finaliser of MurmurHash3.
 */
export function rollOf(seed: number, bot: number, hand: number, decision: number): number {
  let h = Math.imul(seed, 0x9e3779b1) ^ Math.imul(bot + 1, 0x85ebca77);
  h ^= Math.imul(hand + 1, 0xc2b2ae3d) ^ Math.imul(decision + 1, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) % 100;
}

/** The whole number behind a key of a JSON text, 0 where it is not there. */
export function numberAfter(text: string, key: string): number {
  const at = text.indexOf(key);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + key.length, at + key.length + 16), 10);
}

/** The string behind a key of a JSON text, without escapes; '' where it is not there. */
export function textAfter(text: string, key: string): string {
  const at = text.indexOf(key);
  if (at < 0) return '';
  const start = at + key.length + 1;
  return text.slice(start, text.indexOf('"', start));
}
