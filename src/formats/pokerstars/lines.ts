/** The lines of a hand, as PokerStars writes them in English. Amounts are texts here. */

export type PlayerLine =
  | { kind: 'post'; post: 'small_blind' | 'big_blind' | 'both' | 'ante' | 'straddle'; amount: string; allIn: boolean }
  | { kind: 'fold'; cards: string | null }
  | { kind: 'check' }
  | { kind: 'call' | 'bet'; amount: string; allIn: boolean }
  | { kind: 'raise'; by: string; to: string; allIn: boolean }
  | { kind: 'show'; cards: string; words: string | null }
  | { kind: 'muck' }
  | { kind: 'out' }
  | { kind: 'noise' };

const AMOUNT = '([$€£¥]?[\\d.,]+)';
const ALL_IN = '( and is all-in)?';

type Make = (found: readonly (string | undefined)[]) => PlayerLine;
const rule = (pattern: string, make: Make): readonly [RegExp, Make] => [new RegExp(`^${pattern}$`), make];

const post = (words: string, kind: Extract<PlayerLine, { kind: 'post' }>['post']) =>
  rule(`posts ${words} ${AMOUNT}${ALL_IN}`, ([, amount, all]) => ({
    kind: 'post',
    post: kind,
    amount: amount!,
    allIn: all !== undefined,
  }));

/** The forms of the text after "name: ". */
const RULES: readonly (readonly [RegExp, Make])[] = [
  rule('folds(?: \\[(.+)\\])?', ([, cards]) => ({ kind: 'fold', cards: cards ?? null })),
  rule('checks', () => ({ kind: 'check' })),
  rule(`calls ${AMOUNT}${ALL_IN}`, ([, amount, all]) => ({ kind: 'call', amount: amount!, allIn: all !== undefined })),
  rule(`bets ${AMOUNT}${ALL_IN}`, ([, amount, all]) => ({ kind: 'bet', amount: amount!, allIn: all !== undefined })),
  rule(`raises ${AMOUNT} to ${AMOUNT}${ALL_IN}`, ([, by, to, all]) => ({
    kind: 'raise',
    by: by!,
    to: to!,
    allIn: all !== undefined,
  })),
  post('small blind', 'small_blind'),
  post('big blind', 'big_blind'),
  post('small & big blinds', 'both'),
  post('(?:the )?ante', 'ante'),
  post('(?:the |a )?straddle', 'straddle'),
  rule('shows \\[(.+?)\\](?: \\((.+)\\))?', ([, cards, words]) => ({
    kind: 'show',
    cards: cards!,
    words: words ?? null,
  })),
  rule('mucks hand', () => ({ kind: 'muck' })),
  rule("doesn't show hand", () => ({ kind: 'noise' })),
  rule('(?:sits out|is sitting out)', () => ({ kind: 'out' })),
];

/** A player's line. Null where the text is no such line. */
export function playerLine(text: string): PlayerLine | null {
  for (const [pattern, make] of RULES) {
    const found = pattern.exec(text);
    if (found !== null) return make(found);
  }
  return null;
}

export const WAITS = 'will be allowed to play after the button';
export const TIMED_OUT = /^has timed out(?: while (?:being )?disconnected)?$/;

const PRIZE = '[$€£¥]?[\\d.,]+(?: [A-Z]{3})?';
/** Lines that move no chips of the hand. Anybody may be named, also a spectator. */
const NOISE = new RegExp(
  `^(?:.+ (?:${[
    'joins the table at seat #\\d+',
    'leaves the table',
    'stands up',
    'is (?:dis)?connected',
    'is sitting out',
    'has returned',
    'has timed out(?: while (?:being )?disconnected)?',
    'has requested TIME',
    'was removed from the table(?: for failing to post)?',
    WAITS,
    'said, ".*"',
    `re-buys and receives [\\d.,]+ chips for .+`,
    `takes the add-on and receives [\\d.,]+ chips for .+`,
    `finished the tournament(?: in \\d+\\w\\w place)?(?: and received ${PRIZE})?\\.?`,
    `wins the tournament and receives ${PRIZE} - congratulations!`,
    `wins (?:the )?${PRIZE} (?:bounty )?for eliminating .+`,
    'wins an entry to tournament #\\d+',
  ].join('|')})|The deck was reshuffled)$`,
);

export const isNoise = (line: string): boolean => NOISE.test(line);

/** Lines of play that is not supported, and what they are. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\*\*\* (?:FIRST|SECOND) |^(?:FIRST|SECOND) Board|^Hand was run/, 'Hands that are run twice are not read.'],
  [/^Hand cancelled/, 'The hand was cancelled.'],
  [/ cashed out the hand for /, 'Hands with an all-in that was cashed out are not read.'],
];

export const unsupported = (line: string): string | null =>
  UNSUPPORTED.find(([pattern]) => pattern.test(line))?.[1] ?? null;
