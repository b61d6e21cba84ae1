/** PHH: what is read of it, and that what the rules or the sums do not allow is found with its line. */
import t from 'tap';
import { Account } from '../../src/formats/account.js';
import { readHandFile, type ReplayHand } from '../../src/formats/index.js';

/** The fields of a hand, one a line. */
const FIELDS: Readonly<Record<string, string>> = {
  variant: "'NT'",
  antes: '[0, 0, 0]',
  blinds_or_straddles: '[10, 20, 0]',
  min_bet: '20',
  starting_stacks: '[1000, 1000, 1000]',
};

const DEALT = ['d dh p1 AcAd', 'd dh p2 KcKd', 'd dh p3 QcQd'];
const CALLED = ['p3 cc', 'p1 cc', 'p2 cc'];
const CHECKED = ['p1 cc', 'p2 cc', 'p3 cc'];
const BOARD = ['d db 2c7d9h', ...CHECKED, 'd db 3s', ...CHECKED, 'd db 4s', ...CHECKED];

function hand(actions: readonly string[], changes: Readonly<Record<string, string | null>> = {}): string {
  const fields = { ...FIELDS, actions: `[${actions.map((action) => `'${action}'`).join(', ')}]`, ...changes };
  return Object.entries(fields)
    .flatMap(([key, value]) => (value === null ? [] : [`${key} = ${value}\n`]))
    .join('');
}

const endOf = (read: ReplayHand) => read.players.map(({ seat }) => new Account(read).stackEnd(seat));

/** The chips at the end, or what is listed. */
function outcome(text: string): number[] | string {
  const { hands, unreadable } = readHandFile(text);
  const [listed] = unreadable;
  return listed === undefined ? endOf(hands[0]!) : `#${listed.number}, line ${listed.line}: ${listed.reason}`;
}

type Case = readonly [what: string, text: string, outcome: readonly number[] | RegExp];

const CASES: readonly Case[] = [
  ['a walk', hand([...DEALT, 'p3 f', 'p1 f']), [990, 1010, 1000]],
  ['a showdown without a word on who shows', hand([...DEALT, ...CALLED, ...BOARD]), [1040, 980, 980]],
  ['a muck of the best cards loses', hand([...DEALT, ...CALLED, ...BOARD, 'p1 sm', 'p2 sm -', 'p3 sm']), [980, 1040, 980]], // prettier-ignore
  ['cards that are shown and not told', hand([...DEALT.slice(0, 2), 'd dh p3 ????', ...CALLED, ...BOARD, 'p3 sm ????', 'p1 sm -', 'p2 sm']), /^#1, line 6: .*nobody's cards decide the pot/], // prettier-ignore
  ['the same with winnings', hand([...DEALT.slice(0, 2), 'd dh p3 ????', ...CALLED, ...BOARD, 'p3 sm ????', 'p1 sm -', 'p2 sm'], { winnings: '[0, 0, 60]' }), [980, 980, 1040]], // prettier-ignore
  ['winnings of a muck', hand([...DEALT.slice(0, 2), ...CALLED, ...BOARD, 'p3 sm', 'p1 sm -', 'p2 sm'], { winnings: '[0, 0, 60]' }), /p3 wins 60, and the cards and the pots make 0/], // prettier-ignore
  ['everybody mucks', hand([...DEALT, ...CALLED, ...BOARD, 'p1 sm', 'p2 sm', 'p3 sm']), /nobody's cards decide/],
  ['a short big blind leaves the price', hand([...DEALT, 'p3 cc', 'p1 f', 'd db 2c7d9h', 'd db 3s', 'd db 4s'], { starting_stacks: '[1000, 15, 1000]' }), [990, 40, 985]], // prettier-ignore
  ['a short big blind, and a call of it alone', hand([...DEALT, 'p3 cbr 15', 'p1 f'], { starting_stacks: '[1000, 15, 1000]' }), /^#1, line 6: p3 raises to 15, and the price is 20/], // prettier-ignore
  ['a raise below the least', hand([...DEALT, 'p3 cbr 50', 'p1 cbr 70']), /^#1, line 6: p1 raises to 70, and the least is 80/], // prettier-ignore
  ['an all-in below the least', hand([...DEALT, 'p3 cbr 50', 'p1 cbr 70', 'p2 f', 'p3 f'], { starting_stacks: '[70, 1000, 1000]' }), [140, 980, 950]], // prettier-ignore
  ['a raise over a short all-in', hand([...DEALT, 'p3 cbr 50', 'p1 cbr 70', 'p2 f', 'p3 cbr 200'], { starting_stacks: '[70, 1000, 1000]' }), /^#1, line 6: p3 raises to 200, and no raise is open/], // prettier-ignore
  ['a fold for nothing', hand([...DEALT, ...CALLED, 'd db 2c7d9h', 'p1 f']), /^#1, line 6: p1 folds where checking is free/], // prettier-ignore
  [
    'an action after the end',
    hand([...DEALT, 'p3 f', 'p1 f', 'p2 cc']),
    /^#1, line 6: p2 acts after the betting is over/,
  ],
  [
    'a street too early',
    hand([...DEALT, 'p3 cc', 'd db 2c7d9h']),
    /^#1, line 6: The flop comes, and it is the turn of p1/,
  ],
  [
    'a card of the board in a hand',
    hand([...DEALT, ...CALLED, 'd db 2cAd9h']),
    /^#1, line 6: The card Ad is dealt twice/,
  ],
  ['a word that is none', hand([...DEALT, 'p3 raises 60']), /^#1, line 6: "p3 raises 60" is no action/],
  ['a player who is not there', hand([...DEALT, 'p4 f']), /^#1, line 6: There is no player p4/],
  ['an ante of everybody', hand([...DEALT, 'p3 f', 'p1 f'], { antes: '[5, 5, 5]' }), [985, 1020, 995]],
  ['an ante of one is dead', hand([...DEALT, ...CALLED, ...BOARD], { antes: '[0, 20, 0]' }), [1060, 960, 980]],
  ['a short ante wins that much of each', hand([...DEALT, 'p3 f', 'd db 2c7d9h', 'd db 3s', 'd db 4s'], { antes: '[5, 5, 5]', starting_stacks: '[3, 1000, 1000]' }), [9, 999, 995]], // prettier-ignore
  ['a post of one who comes back', hand([...DEALT, 'p3 cc', 'p1 cc', 'p2 cc', ...BOARD], { blinds_or_straddles: '[10, 20, 20]' }), [1040, 980, 980]], // prettier-ignore
  ['a post of less', hand([...DEALT, 'p3 f'], { blinds_or_straddles: '[10, 20, 15]' }), /p3 posts 15, which is neither a blind nor a straddle/], // prettier-ignore
  ['blinds in the wrong order', hand(DEALT, { blinds_or_straddles: '[20, 10, 0]' }), /^#1, line 3: The blinds/],
  ['a rake', hand([...DEALT, ...CALLED, ...BOARD], { winnings: '[57, 0, 0]' }), [1037, 980, 980]],
  ['too much for a rake', hand([...DEALT, ...CALLED, ...BOARD], { winnings: '[50, 0, 0]' }), /^#1, line 7: 50 are won from a pot of 60/], // prettier-ignore
  ['winnings of a loser', hand([...DEALT, ...CALLED, ...BOARD], { winnings: '[0, 60, 0]' }), /^#1, line 7: p2 wins 60/],
  ['winnings and stacks that differ', hand([...DEALT, 'p3 f', 'p1 f'], { winnings: '[0, 20, 0]', finishing_stacks: '[990, 1020, 990]' }), /^#1, line 8: p2 ends with 1020/], // prettier-ignore
  ['stacks for two of three', hand(DEALT, { finishing_stacks: '[990, 1010]' }), /2 amounts for 3 players/],
  [
    'a name for two of three',
    hand([...DEALT, 'p3 f', 'p1 f'], { players: "['a', 'b']" }),
    /players has no value for each/,
  ],
  ['seats out of order', hand([...DEALT, 'p3 f', 'p1 f'], { seats: '[3, 1, 2]' }), [1010, 1000, 990]], // prettier-ignore
  ['seats against the clock', hand(DEALT, { seats: '[3, 2, 1]' }), /not in the order of play/],
  ['thirds of a cent', hand([...DEALT, 'p3 f', 'p1 f'], { starting_stacks: '[0.333, 1000, 1000]' }), /has 0\.333, which is no amount in whole cents/], // prettier-ignore
  ['cents that drift', hand([...DEALT, 'p3 f', 'p1 f'], { starting_stacks: '[0.30000000000000004, 1, 1]' }), /no amount in whole cents/], // prettier-ignore
  ['nan', hand(DEALT, { starting_stacks: '[nan, 1, 1]' }), /has NaN/],
  ['text for a number', hand(DEALT, { starting_stacks: "['10', 1, 1]" }), /has 10, which is no amount/],
  ['no least bet', hand([...DEALT, 'p3 f', 'p1 f'], { min_bet: null }), /has no min_bet/],
  ['a least bet above the blind', hand([...DEALT, 'p3 f', 'p1 f'], { min_bet: '40' }), /^#1, line 4: The min_bet/],
  ['no cards at all', hand(['p3 f', 'p1 f']), [990, 1010, 1000]],
  [
    'one player',
    hand([], { antes: '[0]', blinds_or_straddles: '[20]', starting_stacks: '[100]' }),
    /two players|blinds/,
  ],
  ['a player without chips', hand(DEALT, { starting_stacks: '[1000, 1000, 0]' }), /^#1, line 5: p3 has no chips/],
];

for (const [what, text, wanted] of CASES) {
  void t.test(what, (t) => {
    const actual = outcome(text);
    if (wanted instanceof RegExp) t.match(String(actual), wanted);
    else t.same(actual, wanted);
    t.end();
  });
}

void t.test('heads-up antes and blinds are written in reverse, and the button has the last place', (t) => {
  const two = { antes: '[0, 20]', blinds_or_straddles: '[10, 20]', starting_stacks: '[1000, 500]' };
  const read = readHandFile(hand(['d dh p1 AcAd', 'd dh p2 KcKd', 'p2 cbr 60', 'p1 f'], two)).hands[0]!;
  t.match(read, { button: 1, smallBlind: 10, bigBlind: 20 });
  t.same(endOf(read), [960, 540]);
  t.match(read.moves[0], { kind: 'post', blind: 'ante', seat: 0, chips: 20 });
  t.end();
});

void t.test('decimals are whole cents', (t) => {
  const text = hand([...DEALT, 'p3 cbr 0.70', 'p1 f', 'p2 f'], {
    blinds_or_straddles: '[0.1, 0.2, 0]',
    min_bet: '0.2',
    starting_stacks: '[1_0, 10.30, 1.1]',
    currency_symbol: "'$'",
  });
  const read = readHandFile(text).hands[0]!;
  t.same(read.unit, { symbol: '$', decimals: 2 });
  t.same(endOf(read), [990, 1010, 140]);
  t.end();
});

void t.test('a file of sections: a bad one does not hurt the others, and the lines are those of the file', (t) => {
  const good = hand([...DEALT, 'p3 f', 'p1 f']);
  const spread = `${hand([]).replace(/actions.*\n/, '')}actions = [\n  'd dh p1 AcAd', # aces\n\n  'p3 f',\n  'p2 f',\n]\n`;
  const sections = [good, good.replace("['d dh", '[d dh'), good.replace('[0, 0, 0]', '[[0], 0, 0]'), spread, good];
  const text = `# of several\n${sections.map((section, i) => `[${i + 1}]\n${section}\n[${i + 1}._more]\nx = 1\n`).join('')}`;
  const { hands, unreadable } = readHandFile(text);
  t.same(hands.map(({ title }) => title), ['Hand 1', 'Hand 5']); // prettier-ignore
  t.match(unreadable, [
    { number: 2, line: 18, reason: /^This is not TOML/ },
    { number: 3, line: 24, reason: /^The field antes has another value/ },
    { number: 4, line: 42, reason: /^p2 acts, and it is the turn of p1/ },
  ]);
  t.end();
});
