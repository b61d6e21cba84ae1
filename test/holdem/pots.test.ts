/**
 * The payouts of a hand: uncalled chips, side pots, splits and odd chips, showdown order (protocol.md, "Rules of
 * play").
 */
import t from 'tap';
import { cards, deal, finals, play, playOut, seats, told, type Scene } from '../support/hand-kit.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

// Lines of play read "seat: to call [raise-to limits] action". Blinds are 10/20 where nothing else is said.

const three = (a = 1000, b = 1000, c = 1000): Scene => ({ stacks: [a, b, c], button: 0 });

void t.test('Pots', (t) => {
  void t.test('when all others fold the uncalled part goes back and the rest is won without a showdown', (t) => {
    const outcome = playOut(three(), '0 raise 100', '1 fold', '2 fold');
    t.match(outcome, { totalPot: 50, returnedSeat: 0, returned: 80, showdown: false, shown: 0, showOrder: [] });
    t.same(outcome.pots, [{ amount: 50, eligible: seats(0), winners: seats(0) }]);
    t.same(finals(outcome, 3), [1030, 990, 980]);
    t.end();
  });

  void t.test('a big blind that everybody folds to gets the uncalled half of it back', (t) => {
    const outcome = playOut(three(), '0 fold', '1 fold');
    t.match(outcome, { totalPot: 20, returnedSeat: 2, returned: 10 });
    t.same(Array.from(outcome.payouts.subarray(0, 3)), [0, 0, 20]);
    t.same(finals(outcome, 3), [1000, 990, 1010]);
    t.end();
  });

  void t.test('the example of hand_result: 2213 in and a pot of 4456 give 2243 net and a payout of 4456', (t) => {
    const scene: Scene = {
      stacks: [2213, 30, 2213],
      button: 0,
      holes: { 0: 'AsAd', 1: '2c3d', 2: 'KsKd' },
      board: 'QhJh7c5d4s',
    };
    const outcome = playOut(scene, '0 raise 60', '1: 20 [-] call', '2 all-in', '0 call');
    t.equal(outcome.totalPot, 4456);
    t.equal(outcome.payouts[0], 4456);
    t.equal(outcome.contributed[0], 2213);
    t.equal(outcome.payouts[0]! - outcome.contributed[0]!, 2243);
    t.end();
  });

  void t.test('three all-ins of different size make a main pot and two side pots, each to its best hand', (t) => {
    const scene: Scene = {
      stacks: [1000, 100, 300, 600],
      button: 3,
      holes: { 0: 'JsJd', 1: 'AsAd', 2: 'KsKd', 3: 'QsQd' },
      board: '2c3d9h7s4c',
    };
    const outcome = playOut(scene, '2 call', '3 call', '0 all-in', '1 call', '2 call', '3 call');
    t.same(outcome.pots, [
      { amount: 400, eligible: seats(0, 1, 2, 3), winners: seats(1) },
      { amount: 600, eligible: seats(0, 2, 3), winners: seats(2) },
      { amount: 600, eligible: seats(0, 3), winners: seats(3) },
    ]);
    t.match(outcome, { totalPot: 1600, returnedSeat: 0, returned: 400 });
    t.same(finals(outcome, 4), [400, 400, 600, 600]);
    t.end();
  });

  void t.test('folded chips stay in the pots, but a folded player makes no pot of his own', (t) => {
    const scene: Scene = {
      stacks: [1000, 1000, 1000, 1000],
      button: 3,
      holes: { 0: 'JsJd', 1: 'QsQd' },
      board: '2c3d9h7s4c',
    };
    const outcome = playOut(
      scene,
      ...['2 raise 60', '3 call', '0 call', '1 call'],
      ...['0 raise 100', '1 call', '2 call', '3 fold'],
      ...['0 raise 200', '1 call', '2 fold'],
      ...['0 check', '1 check'],
    );
    t.same(outcome.pots, [{ amount: 4 * 60 + 3 * 100 + 2 * 200, eligible: seats(0, 1), winners: seats(1) }]);
    t.end();
  });

  void t.test('odd chips go one at a time clockwise from the first winner left of the button', (t) => {
    const scene: Scene = {
      stacks: [101, 1000, 101, 101, 1000],
      button: 1,
      blinds: [5, 10],
      holes: { 0: 'AsKd', 1: '2c2d', 2: 'AdKs', 3: 'AhKc', 4: '3c3d' },
      board: 'QhJhTc5d4s',
    };
    const lines = ['4: 10 [20-1000] call', '0 all-in', '1: 101 [192-1000] call', '2 call', '3 call', '4 fold'];
    const outcome = playOut(scene, ...lines);
    t.equal(outcome.totalPot, 414);
    t.same(Array.from(outcome.payouts), [138, 0, 138, 138, 0, 0], '414 is divisible by three');
    const odd = playOut(
      { ...scene, blinds: [5, 11] },
      '4: 11 [22-1000] call',
      ...lines.slice(1, 2),
      '1 call',
      '2 call',
      '3 call',
      '4 fold',
    );
    t.equal(odd.totalPot, 415);
    t.same(Array.from(odd.payouts), [138, 0, 139, 138, 0, 0], 'seat 2 is the first winner left of the button');
    t.end();
  });

  void t.test('two odd chips go to the first two winners left of the button', (t) => {
    const scene: Scene = {
      stacks: [102, 102, 102, 1000],
      button: 1,
      blinds: [2, 5],
      holes: { 0: 'AsKd', 1: 'AdKs', 2: 'AhKc', 3: '2c2d' },
      board: 'QhJhTc5d4s',
    };
    const outcome = playOut(
      scene,
      '0 raise 20',
      '1 call',
      '2 call',
      '3: 15 [35-1000] fold',
      '2 check',
      '0 check',
      '1 check',
      ...['2 check', '0 check', '1 check', '2 check', '0 check', '1 check'],
    );
    t.equal(outcome.totalPot, 65);
    t.same(Array.from(outcome.payouts), [22, 21, 22, 0, 0, 0]);
    t.end();
  });

  void t.test('pots that the same winners share are divided as one, so that their odd chips fall once', (t) => {
    // The main pot of 99 and the side pot of 101 are both odd; together they are not.
    const scene: Scene = {
      stacks: [undefined, 133, 133, 33],
      button: 1,
      blinds: [5, 11],
      holes: { 1: 'AsKd', 2: 'AdKs', 3: '2c3d' },
      board: 'QhJhTc5d4s',
    };
    const outcome = playOut(scene, '1 all-in', '2 call', '3 call');
    t.same(
      outcome.pots.map((pot) => pot.amount),
      [99, 200],
    );
    t.same(Array.from(outcome.payouts.subarray(1, 4)), [149, 150, 0]);
    t.end();
  });
  t.end();
});

void t.test('Showdown', (t) => {
  const checks = (...order: number[]): string[] => order.map((seat) => `${seat} check`);
  const scene = (holes: Record<number, string>): Scene => ({ ...three(), holes, board: '2c3d9h7sJc' });
  const toTheRiver = ['0 call', '1 call', '2 check', ...checks(1, 2, 0), ...checks(1, 2, 0)];

  void t.test('without a bet on the river the first live seat left of the button shows first', (t) => {
    const outcome = playOut(scene({ 0: 'AsAd', 1: 'KsKd', 2: 'QsQd' }), ...toTheRiver, ...checks(1, 2, 0));
    t.same(outcome.showOrder, [1, 2, 0]);
    t.equal(outcome.shown, seats(0, 1), 'seat 2 is beaten by what was shown and mucks');
    t.end();
  });

  void t.test('the last aggressor on the river shows first, then clockwise', (t) => {
    const hands = scene({ 0: 'QsQd', 1: 'KsKd', 2: 'AsAd' });
    const outcome = playOut(hands, ...toTheRiver, '1 check', '2 raise 40', '0 raise 80', '1 fold', '2 call');
    t.same(outcome.showOrder, [0, 2]);
    t.equal(outcome.shown, seats(0, 2));
    const mucked = playOut(hands, ...toTheRiver, '1 check', '2 raise 40', '0 call', '1 call');
    t.same(mucked.showOrder, [2, 0, 1]);
    t.equal(mucked.shown, seats(2), 'both callers are beaten and muck');
    t.end();
  });

  void t.test('aggression on an earlier street does not count', (t) => {
    const outcome = playOut(
      scene({ 0: 'AsAd', 1: 'KsKd', 2: 'QsQd' }),
      ...['0 raise 60', '1 call', '2 call', '1 check', '2 check', '0 raise 100', '1 call', '2 call'],
      ...[...checks(1, 2, 0), ...checks(1, 2, 0)],
    );
    t.same(outcome.showOrder, [1, 2, 0]);
    t.end();
  });

  void t.test('a hand that ties the best shown so far is shown', (t) => {
    const outcome = playOut(scene({ 0: 'QcQh', 1: 'KsKd', 2: 'KcKh' }), ...toTheRiver, ...checks(1, 2, 0));
    t.equal(outcome.shown, seats(1, 2));
    t.same(finals(outcome, 3), [980, 1010, 1010]);
    t.end();
  });

  void t.test('with a player all-in every live hand is shown, the beaten ones too', (t) => {
    const outcome = playOut(
      { ...scene({ 0: 'QsQd', 1: 'KsKd', 2: 'AsAd' }), stacks: [300, 1000, 1000] },
      ...['0 all-in', '1 call', '2 call', ...checks(1, 2), ...checks(1, 2), '1 check', '2 raise 100', '1 call'],
    );
    t.same(outcome.showOrder, [2, 0, 1]);
    t.equal(outcome.shown, seats(0, 1, 2));
    t.end();
  });

  void t.test('the values are those of live seats only', (t) => {
    const outcome = playOut(
      scene({ 0: 'AsAd', 1: 'KsKd', 2: 'QsQd' }),
      ...toTheRiver,
      '1 raise 20',
      '2 fold',
      '0 call',
    );
    t.equal(outcome.values[2], 0);
    t.ok(outcome.values[0]! > outcome.values[1]!);
    t.end();
  });

  void t.test('the log tells the showdown in order: shows and mucks, then the payouts', (t) => {
    const hand = play(
      deal(scene({ 0: 'QsQd', 1: 'KsKd', 2: 'AsAd' })),
      ...toTheRiver,
      '1 check',
      '2 raise 40',
      '0 call',
      '1 fold',
    );
    t.same(told(hand).slice(-5), [
      '0 act 2 amount 40 on street 3',
      '1 act 0 amount 0 on street 3',
      `2 shows ${cards('AsAd').join(' ')}`,
      '0 mucks',
      '2 wins 140 from pot 0',
    ]);
    t.end();
  });
  t.end();
});
