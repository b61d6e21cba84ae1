/** PokerStars text: what is read of it, and that a change to any statement of a hand is found with its line. */
import t from 'tap';
import { Account } from '../../src/formats/account.js';
import { readHandFile, type ReplayHand } from '../../src/formats/index.js';

/** A hand with two pots, a rake, a hand that is shown with a fold, a timeout and all lines of a summary. */
const HAND = `PokerStars Hand #77:  Hold'em No Limit ($0.50/$1 USD) - 2026/07/05 9:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 2: bo ($10 in chips)
Seat 3: cy ($50.50 in chips)
Seat 5: di ($1,000 in chips)
bo: posts small blind $0.50
cy: posts big blind $1
*** HOLE CARDS ***
Dealt to ann [As Ad]
ann said, "all in, all in"
di has timed out
di: folds [2d 7c]
ann: raises $2 to $3
bo: raises $7 to $10 and is all-in
cy: calls $9
ann: calls $7
*** FLOP *** [2c 7d Jh]
cy: checks
ann: bets $5
cy: calls $5
*** TURN *** [2c 7d Jh] [3s]
cy: checks
ann: checks
*** RIVER *** [2c 7d Jh 3s] [9s]
cy: checks
ann: checks
*** SHOW DOWN ***
cy: shows [Jc Tc] (a pair of Jacks)
ann: shows [As Ad] (a pair of Aces)
ann collected $9.50 from side pot
bo: shows [3c 3d] (three of a kind, Threes)
bo collected $28.50 from main pot
*** SUMMARY ***
Total pot $40 Main pot $28.50. Side pot $9.50. | Rake $2
Board [2c 7d Jh 3s 9s]
Seat 1: ann (button) showed [As Ad] and won ($9.50) with a pair of Aces
Seat 2: bo (small blind) showed [3c 3d] and won ($28.50) with three of a kind, Threes
Seat 3: cy (big blind) showed [Jc Tc] and lost with a pair of Jacks
Seat 5: di folded before Flop (didn't bet)
`;

const endOf = (hand: ReplayHand) => hand.players.map(({ seat }) => new Account(hand).stackEnd(seat));

function only(text: string): ReplayHand {
  const { hands, unreadable } = readHandFile(text);
  if (hands.length !== 1) throw new Error(JSON.stringify(unreadable));
  return hands[0]!;
}

/** The refusals listed for a hand. */
const refusal = (text: string): string =>
  readHandFile(text)
    .unreadable.map(({ number, line, reason }) => `#${number}, line ${line}: ${reason}`)
    .join();

function changed(from: string, to: string): string {
  if (!HAND.includes(from)) throw new Error(`the hand has no "${from}"`);
  return HAND.replace(from, to);
}

void t.test('a hand with all kinds of lines', (t) => {
  const hand = only(HAND);
  t.match(hand, { title: 'Hand #77', unit: { symbol: '$', decimals: 2 }, smallBlind: 50, bigBlind: 100, rake: 200 });
  t.equal(hand.startedAt, '2026-07-05T13:00:00.000Z', 'summer time');
  t.equal(hand.button, 0);
  t.same(endOf(hand), [9450, 2850, 3550, 100_000]);
  t.match(
    hand.moves.find((move) => move.kind === 'action'),
    { seat: 4, action: 'fold', reason: 'timeout' },
  );
  t.same(
    hand.players.map(({ own, cards }) => [own, cards?.join('')]),
    [
      [true, 'AsAd'],
      [false, '3c3d'],
      [false, 'JcTc'],
      [false, '2d7c'],
    ],
  );
  t.end();
});

for (const [what, from, to, reason] of [
  ['a stack with a comma for cents', '($10 in chips)', '($10,5 in chips)', /^#1, line 4: "\$10,5" is no amount/],
  ['a seat taken twice', 'Seat 5: di', 'Seat 3: di', /^#1, line 6: Two players/],
  ['a name taken twice', 'Seat 5: di', 'Seat 5: cy', /^#1, line 6: Two players/],
  ['another small blind', 'small blind $0.50', 'small blind $0.25', /^#1, line 7: bo posts \$0\.25 and owes \$0\.50/],
  ['another big blind', 'big blind $1\n', 'big blind $2\n', /^#1, line 8: cy posts \$2 and owes \$1/],
  ['no big blind', 'cy: posts big blind $1\n', '', /Nobody posts the big blind/],
  ['a fold left out', 'di: folds [2d 7c]\n', '', /^#1, line 13: ann acts, and it is the turn of di/],
  ['a raise by another sum', 'raises $2 to $3', 'raises $1 to $3', /^#1, line 14: ann raises by \$1 to \$3/],
  ['a raise below the least', 'raises $2 to $3', 'raises $0.50 to $1.50', /^#1, line 14: .*the least is \$2/],
  ['a raise above the stack', 'raises $7 to $10', 'raises $8 to $11', /^#1, line 15: bo raises to \$11 and has \$10/],
  ['an all-in that is none', 'ann: calls $7', 'ann: calls $7 and is all-in', /^#1, line 17: ann is not all-in/],
  ['another call', 'cy: calls $9', 'cy: calls $8', /^#1, line 16: cy calls \$8, and \$9 are to call/],
  ['a check for a price', 'ann: calls $7', 'ann: checks', /^#1, line 17: ann checks, and \$7 are to call/],
  ['a bet for a raise', 'ann: raises $2 to $3', 'ann: bets $3', /^#1, line 14: ann bets after a bet/],
  ['another board', '[2c 7d Jh] [3s]', '[2c 7d Js] [3s]', /^#1, line 22: The turn repeats another board/],
  ['a flop of two', '[2c 7d Jh]\ncy', '[2c 7d]\ncy', /^#1, line 18: The flop has three cards/],
  ['a card that is none', '[2c 7d Jh]\ncy', '[2c 7x Jh]\ncy', /^#1, line 18: \[2c 7x Jh\] are no cards/],
  ['a card of the board in a hand', '[3c 3d] (', '[3c 3s] (', /^#1, line 32: The card 3s is dealt twice/],
  ['other cards than were dealt', 'shows [As Ad]', 'shows [As Ac]', /^#1, line 30: ann has other cards/],
  [
    'a street left out',
    '*** RIVER *** [2c 7d Jh 3s] [9s]\ncy: checks\nann: checks\n',
    '',
    /^#1, line 33: The board is/,
  ],
  [
    'a loser that collects',
    'ann collected $9.50',
    'cy collected $9.50',
    /cy wins \$9\.50, and the cards and the pots make \$0/,
  ],
  ['more than the pot', 'bo collected $28.50', 'bo collected $38.50', /are won from a pot of \$40/],
  ['another rake', 'Rake $2', 'Rake $1', /^#1, line 35: The pots are/],
  ['another pot', 'Total pot $40', 'Total pot $41', /^#1, line 35: The pot is \$41, and the bets make \$40/],
  ['other pots', 'Main pot $28.50. Side', 'Main pot $30.50. Side', /^#1, line 35: The pots are/],
  ['another board at the end', 'Board [2c', 'Board [2d', /^#1, line 36: The board is/],
  ['a summary of another sum', 'won ($9.50)', 'won ($8.50)', /^#1, line 37: The summary says that ann won \$8\.50/],
  [
    'a summary of another fold',
    'folded before Flop',
    'folded on the Flop',
    /^#1, line 40: The summary tells another end of di/,
  ],
  ['an unknown line', 'ann said, "all in, all in"', 'ann does a dance', /^#1, line 11: This line is not known/],
  ['no rake', ' | Rake $2', '', /^#1, line 35: This line is not known/],
  ['another currency', 'ann: bets $5', 'ann: bets €5', /^#1, line 20: "€5" is no amount/],
  ['an all-in that was cashed out', '*** SHOW DOWN', 'bo cashed out the hand for $9\n*** SHOW DOWN', /cashed out/],
  ['Omaha', "Hold'em No Limit", 'Omaha Pot Limit', /^#1, line 1: .*Omaha Pot Limit/],
  ['a cap', '$1 USD', '$1 USD - Cap', /cap/],
] as const) {
  void t.test(`refused: ${what}`, (t) => {
    t.match(refusal(changed(from, to)), reason);
    t.end();
  });
}

void t.test('a summary that is cut anywhere is no whole hand', (t) => {
  const cut = HAND.indexOf('*** SUMMARY');
  for (let end = cut; end < HAND.indexOf('Rake $2'); end += 7) {
    t.match(refusal(HAND.slice(0, end)), /^#1, line \d+: /, `${end}`);
  }
  t.end();
});

/** A table of nine with as many players as are named; all but the last two fold. */
function nine(names: readonly string[], button: number): string {
  const [small, big] = [names.at(-2)!, names.at(-1)!];
  const seat = (i: number) => (i < names.length - 2 ? i + 1 : i + 3);
  return [
    "PokerStars Zoom Hand #5:  Hold'em No Limit (10/20) - 2026/01/05 9:00:00 UTC [2026/01/05 4:00:00 ET]",
    `Table 'Nine' 9-max (Play Money) Seat #${button} is the button`,
    ...names.map((name, i) => `Seat ${seat(i)}: ${name} (500 in chips)`),
    `${small}: posts small blind 10`,
    `${big}: posts big blind 20`,
    '*** HOLE CARDS ***',
    ...names.slice(0, -2).map((name) => `${name}: folds`),
    `${small}: folds`,
    `Uncalled bet (10) returned to ${big}`,
    `${big} collected 20 from pot`,
    '*** SUMMARY ***',
    'Total pot 20 | Rake 0',
    '',
  ].join('\n');
}

void t.test(
  'nine seats: six that are dealt in close up, seven are refused, and so is a seventh seat with the button',
  (t) => {
    const six = only(nine(['a', 'b', 'c', 'd', 'e', 'f'], 4));
    t.same(six.players.map(({ seat }) => seat), [0, 1, 2, 3, 4, 5]); // prettier-ignore
    t.equal(six.button, 3);
    t.same(endOf(six), [500, 500, 500, 500, 490, 510]);
    t.match(refusal(nine(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 5)), /more than 6 players/);
    t.match(refusal(nine(['a', 'b', 'c', 'd', 'e', 'f'], 5)), /button is at an empty seat/);
    const dead = only(nine(['a', 'b', 'c', 'd', 'e'], 4));
    t.equal(dead.button, 3, 'an empty seat between c and d');
    t.same(dead.players.map(({ seat }) => seat), [0, 1, 2, 4, 5]); // prettier-ignore
    t.end();
  },
);

void t.test('a hand of nine with players who sit out', (t) => {
  const text = nine(['a', 'b', 'c'], 1).replace(
    'b: posts',
    'Seat 7: zz (500 in chips) is sitting out\nSeat 8: yy (500 in chips)\nyy will be allowed to play after the button\nb: posts',
  );
  t.same(only(text).players.map(({ name }) => name), ['a', 'b', 'c']); // prettier-ignore
  t.end();
});

const TOURNAMENT = `PokerStars Hand #9: Tournament #12345, $1.00+$0.10 USD Hold'em No Limit - Level IV (50/100) - 2026/11/01 1:30:00 ET
Table '12345 6' 9-max Seat #2 is the button
Seat 1: ann (25 in chips)
Seat 2: bo (1000 in chips)
Seat 3: cy (60 in chips) is sitting out
ann: posts the ante 10
bo: posts the ante 10
cy: posts the ante 10
cy: posts small blind 50 and is all-in
ann: posts big blind 15 and is all-in
*** HOLE CARDS ***
bo: calls 100
Uncalled bet (50) returned to bo
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [9s]
*** SHOW DOWN ***
cy: shows [Kc Kd] (a pair of Kings)
bo: mucks hand
cy collected 70 from side pot
ann: shows [Ac Ad] (a pair of Aces)
ann collected 75 from main pot
ann finished the tournament in 2nd place and received $1.00.
*** SUMMARY ***
Total pot 145 Main pot 75. Side pot 70. | Rake 0
Board [2c 7d Jh 3s 9s]
Seat 1: ann (big blind) showed [Ac Ad] and won (75) with a pair of Aces
Seat 2: bo (button) mucked [4c 4d]
Seat 3: cy (small blind) showed [Kc Kd] and won (70) with a pair of Kings
`;

void t.test(
  'a tournament: antes, a short big blind, a player who sits out and is dealt in, an hour that comes twice',
  (t) => {
    const hand = only(TOURNAMENT);
    t.same(endOf(hand), [75, 940, 70]);
    t.equal(hand.startedAt, null, 'at the end of summer time 1:30 ET is twice');
    t.match(hand.players[1], { cards: ['4c', '4d'] });
    t.end();
  },
);

const HEADS_UP = `PokerStars Hand #8:  Hold'em No Limit ($0.50/$1 USD) - 2026/01/05 9:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 2: bo ($0.80 in chips)
ann: posts small blind $0.50
bo: posts big blind $0.80 and is all-in
*** HOLE CARDS ***
ann: calls $0.30
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [9s]
*** SHOW DOWN ***
bo: shows [Kc Kd] (a pair of Kings)
ann: mucks hand
bo collected $1.60 from pot
*** SUMMARY ***
Total pot $1.60 | Rake $0
Board [2c 7d Jh 3s 9s]
`;

void t.test('heads-up against a short big blind: a call of what it has, and a call of the whole blind', (t) => {
  t.same(endOf(only(HEADS_UP)), [9920, 160]);
  const whole = HEADS_UP.replace('calls $0.30', 'calls $0.50').replace('*** FLOP', 'Uncalled bet ($0.20) returned to ann\n*** FLOP'); // prettier-ignore
  t.same(endOf(only(whole)), [9920, 160]);
  t.same(endOf(only(whole.replace(/Uncalled.*\n/, ''))), [9920, 160], 'the uncalled bet is not named');
  t.match(
    refusal(whole.replace('Uncalled bet ($0.20)', 'Uncalled bet ($0.30)')),
    /^#1, line 9: \$0\.30 go back to ann/,
  );
  t.end();
});

const SHORT_SMALL_BLIND = `PokerStars Hand #6:  Hold'em No Limit ($0.50/$1 USD) - 2026/01/05 9:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 2: bo ($0.30 in chips)
Seat 3: cy ($100 in chips)
bo: posts small blind $0.30 and is all-in
cy: posts big blind $1
*** HOLE CARDS ***
ann: folds
Uncalled bet ($0.70) returned to cy
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3s]
*** RIVER *** [2c 7d Jh 3s] [9s]
*** SHOW DOWN ***
bo: shows [Kc Kd] (a pair of Kings)
cy: shows [Ac Ad] (a pair of Aces)
cy collected $0.60 from pot
*** SUMMARY ***
Total pot $0.60 | Rake $0
`;

void t.test('a big blind against a short small blind alone has nothing to decide', (t) => {
  t.same(endOf(only(SHORT_SMALL_BLIND)), [10_000, 0, 10_030]);
  t.match(refusal(SHORT_SMALL_BLIND.replace('ann: folds\n', '')), /^#1, line 9: .*the turn of ann/);
  t.end();
});

void t.test('a showdown without a winner in the text: the cards decide it, or it is said that they do not', (t) => {
  const nobody = HEADS_UP.replace('bo collected $1.60 from pot\n', '');
  t.same(endOf(only(nobody)), [9920, 160]);
  t.match(refusal(nobody.replace('ann: mucks hand\n', '')), /^#1, line 13: .*nobody's cards decide the pot/);
  t.end();
});

void t.test('several hands: a byte order mark between them, another room and other text behind', (t) => {
  const gg =
    "Poker Hand #RC1: Hold'em No Limit ($0.50/$1) - 2026/01/05 09:00:00\nTable 'x' 6-max Seat #1 is the button\n";
  const text = `${HAND}\n\n\uFEFF${HEADS_UP}\r\n\n${gg}\n${HAND.replace('bets $5', 'bets $6')}\n\nhello\n`;
  const { hands, unreadable } = readHandFile(text);
  t.same(hands.map(({ title }) => title), ['Hand #77', 'Hand #8']); // prettier-ignore
  t.same(unreadable.map(({ number }) => number), [3, 4, 5]); // prettier-ignore
  t.match(unreadable[0], { reason: /GGPoker/, line: 63 });
  t.match(unreadable[2], { reason: /This line is not known: "hello"/ });
  t.end();
});
