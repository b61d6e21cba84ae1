import type { PhhHand } from '../../src/vectors/phh.js';

/** A value of the part of TOML that our .phhs files use: numbers, literal strings, times, lists of those. */
type Value = number | string | Value[];

/** Reads a .phhs file: its sections by number. Throws at any line that is not of the format. */
export function readPhhs(text: string): Record<string, Value>[] {
  const hands: Record<string, Value>[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const section = /^\[(\d+)\]$/.exec(line);
    if (section) {
      hands.push({ n: Number(section[1]) });
      continue;
    }
    const [, key, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    const hand = hands.at(-1);
    if (key === undefined || value === undefined || hand === undefined) throw new Error(`not TOML: ${line}`);
    if (key in hand) throw new Error(`${key} is there twice`);
    hand[key] = readValue(value);
  }
  return hands;
}

function readValue(text: string): Value {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (/^\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return text;
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (/^\[.*\]$/.test(text)) return text === '[]' ? [] : text.slice(1, -1).split(', ').map(readValue);
  throw new Error(`not a value of TOML: ${text}`);
}

/** A hand of the file for the reader of the vectors. */
export function vectorOf(hand: Record<string, Value>): PhhHand {
  if (hand.variant !== 'NT') throw new Error(`variant ${String(hand.variant)}`);
  return {
    id: hand._hand_id as string,
    antes: hand.antes as number[],
    blinds: hand.blinds_or_straddles as number[],
    min_bet: hand.min_bet as number,
    start: hand.starting_stacks as number[],
    actions: hand.actions as string[],
    finish: hand.finishing_stacks as number[],
  };
}
