/**
 * A hand by rule (protocol.md, "Rules of play"): who speaks, what a raise may be, when the betting is open again, what
 * short blinds mean.
 */
import t from 'tap';
import { Hand } from '../../src/holdem/hand.js';
import { Act, ActionRefusal, Street } from '../../src/holdem/types.js';
import { cards, deal, faced, finals, play, playOut, seats, setupOf, type Scene, three } from '../support/hand-kit.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

void t.test('Blinds and the order of play', (t) => {
  void t.test('with three or more the blinds are left of the button and the seat after them speaks first', (t) => {
    const hand = deal({ stacks: [500, undefined, 500, 500, undefined, 500], button: 2 });
    t.match(hand, { smallBlindSeat: 3, bigBlindSeat: 5, actor: 0, pot: 30, currentBet: 20 });
    play(hand, '0 call', '2 call', '3 call', '5 check', '3 check', '5 check', '0 check', '2 check', '3 check');
    t.match(hand, { street: Street.turn, actor: 5 });
    t.end();
  });

  void t.test('heads-up the button posts the small blind, speaks first before the flop and last after it', (t) => {
    const hand = deal({ stacks: [undefined, 500, undefined, undefined, 500], button: 4 });
    t.match(hand, { smallBlindSeat: 4, bigBlindSeat: 1, actor: 4 });
    play(hand, '4: 10 [40-500] call', '1: 0 [40-500] check', '1 check', '4 check', '1 check', '4 check', '1 raise 20');
    t.equal(hand.actor, 4);
    t.end();
  });

  void t.test('heads-up in the ring form the blinds stay left of the button', (t) => {
    const hand = deal({ stacks: [500, 500], button: 0, headsUpBlinds: 'ring' });
    t.match(hand, { smallBlindSeat: 1, bigBlindSeat: 0, actor: 1 });
    play(hand, '1 call', '0 check');
    t.match(hand, { street: Street.flop, actor: 1 });
    t.end();
  });

  void t.test('the big blind may raise when everybody has only called', (t) => {
    const hand = play(deal(three()), '0 call', '1 call');
    t.equal(faced(hand), '2: 0 [40-1000]');
    play(hand, '2 raise 40');
    t.equal(faced(hand), '0: 20 [60-1000]');
    t.end();
  });

  void t.test('cards go round from the left of the button, then the board follows without burns', (t) => {
    const deck = cards('2c3c4c2d3d4d5s6s7s8s9s');
    const hand = new Hand();
    hand.start({ ...setupOf(three()), button: 1, deck });
    t.same(Array.from(hand.hole.subarray(0, 6)), cards('3c3d4c4d2c2d'));
    play(hand, '1 all-in', '2 call', '0 call');
    t.same(Array.from(hand.boardCards), cards('5s6s7s8s9s'));
    t.end();
  });
  t.end();
});

void t.test('The price and the size of a raise', (t) => {
  void t.test('a raise must add at least the last full raise of the street, which was at least a big blind', (t) => {
    const hand = play(deal(three()), '0: 20 [40-1000] raise 50', '1: 40 [80-1000] raise 150', '2: 130 [250-1000] fold');
    t.equal(faced(hand), '0: 100 [250-1000]');
    play(hand, '0 call', '1: 0 [20-850] raise 30');
    t.equal(faced(hand), '0: 30 [60-850]', 'the next street begins anew');
    t.end();
  });

  void t.test('a bet and raise outside the limits is refused and nothing changes', (t) => {
    const hand = play(deal(three()), '0 raise 60');
    t.equal(hand.act(Act.raise, 99), ActionRefusal.raiseTooSmall);
    t.equal(hand.act(Act.raise, 1001), ActionRefusal.raiseTooLarge);
    t.equal(hand.act(Act.raise, 100.5), ActionRefusal.badAmount);
    t.equal(hand.act(Act.raise), ActionRefusal.badAmount);
    t.equal(hand.act(Act.raise, NaN), ActionRefusal.badAmount);
    t.equal(hand.act(Act.check), ActionRefusal.checkNotOffered);
    t.equal(faced(hand), '1: 50 [100-1000]');
    t.equal(hand.log.length, 3);
    t.equal(hand.act(Act.raise, 100), ActionRefusal.ok);
    t.end();
  });

  void t.test('folding is refused when checking is free, and calling when there is nothing to call', (t) => {
    const hand = play(deal(three()), '0 call', '1 call');
    t.equal(hand.legal().fold, false);
    t.equal(hand.act(Act.fold), ActionRefusal.foldNotOffered);
    t.equal(hand.act(Act.call), ActionRefusal.callNotOffered);
    t.equal(hand.act(Act.check), ActionRefusal.ok);
    t.end();
  });

  void t.test('when the hand is over every action is refused and nothing is offered', (t) => {
    const hand = play(deal(three()), '0 fold', '1 fold');
    t.ok(hand.over);
    t.same(hand.legal(), { fold: false, check: false, call: 0, raiseMin: 0, raiseMax: 0, allIn: 0 });
    for (const act of Object.values(Act)) t.equal(hand.act(act, 40), ActionRefusal.handOver);
    t.end();
  });

  void t.test('a player with less than a minimum raise may raise all-in, and the limits are then one number', (t) => {
    const hand = play(deal(three(1000, 1000, 90)), '0 raise 60', '1 fold');
    t.equal(faced(hand), '2: 40 [90-90]');
    t.equal(hand.legal().allIn, 70);
    t.equal(hand.act(Act.raise, 89), ActionRefusal.raiseTooSmall);
    play(hand, '2 all-in');
    t.equal(faced(hand), '0: 30 [-]');
    t.end();
  });

  void t.test('all-in for the price or less is a call', (t) => {
    const hand = play(deal(three(1000, 1000, 50)), '0 raise 60', '1 call');
    t.equal(faced(hand), '2: 30 [-]');
    t.equal(hand.legal().allIn, 30);
    play(hand, '2 all-in');
    t.match(hand, { street: Street.flop, actor: 1, allIn: seats(2) });
    t.end();
  });

  void t.test('an opening bet below the big blind is allowed only all-in', (t) => {
    const hand = play(deal(three(1000, 35, 1000)), '0 call', '1 call', '2 check');
    t.equal(faced(hand), '1: 0 [15-15]');
    play(hand, '1 raise 15');
    t.equal(faced(hand), '2: 15 [35-980]', 'the next raise still adds a full big blind');
    t.end();
  });

  void t.test('no raise is offered when no opponent could put in more than the current bet', (t) => {
    const hand = play(deal(three(1000, 300, 300)), '0 raise 400', '1 call', '2: 280 [-] call');
    t.ok(hand.over);
    const deep = play(deal(three(1000, 300, 300)), '0 raise 100', '1 all-in', '2 fold');
    t.equal(faced(deep), '0: 200 [-]', 'the only opponent is all-in');
    t.equal(deep.legal().allIn, 0, 'all-in would be a raise');
    t.equal(deep.act(Act.allIn), ActionRefusal.allInNotOffered);
    t.equal(deep.act(Act.raise, 500), ActionRefusal.raiseNotOffered);
    t.end();
  });
  t.end();
});

void t.test('Reopening the betting (TDA rule 47)', (t) => {
  const five = (c: number, d: number): Scene => ({ stacks: [1000, 1000, 1000, c, d], button: 0 });

  void t.test('one short all-in does not let those raise again who have acted', (t) => {
    const hand = play(deal(five(1000, 150)), '3 raise 100', '4: 100 [150-150] all-in', '0 fold', '1 fold', '2 fold');
    t.equal(faced(hand), '3: 50 [-]');
    t.equal(hand.act(Act.raise, 230), ActionRefusal.raiseNotOffered);
    t.equal(hand.act(Act.allIn), ActionRefusal.allInNotOffered);
    t.end();
  });

  void t.test('those who have not acted yet may raise over a short all-in, by a full raise', (t) => {
    const hand = play(deal(five(1000, 150)), '3 raise 100', '4 all-in');
    t.equal(faced(hand), '0: 150 [230-1000]');
    t.end();
  });

  void t.test('several short all-ins that add up to a full raise reopen the betting', (t) => {
    const hand = deal({ stacks: [220, 1000, 1000, 1000, 150], button: 0 });
    play(hand, '3 raise 100', '4 all-in', '0 all-in', '1 fold', '2 fold');
    t.equal(faced(hand), '3: 120 [-]', 'nobody is left who could answer a raise');
    const open = deal({ stacks: [220, 1000, 1000, 1000, 150], button: 0 });
    play(open, '3 raise 100', '4 all-in', '0 all-in', '1 call', '2 fold');
    t.equal(faced(open), '3: 120 [300-1000]', '120 is a full raise of 80 since his own action');
    play(open, '3 call');
    t.match(open, { street: Street.flop, actor: 1 });
    t.end();
  });

  void t.test('two short all-ins that stay below a full raise do not', (t) => {
    const hand = deal({ stacks: [170, 1000, 1000, 1000, 150], button: 0 });
    play(hand, '3 raise 100', '4 all-in', '0 all-in', '1 call', '2 fold');
    t.equal(faced(hand), '3: 70 [-]');
    t.end();
  });

  void t.test('a caller in between is measured from his own action, not from the first raise', (t) => {
    const hand = deal({ stacks: [1000, 220, 1000, 1000, 150], button: 0 });
    play(hand, '3 raise 100', '4 all-in', '0 call', '1 all-in', '2 fold');
    t.equal(faced(hand), '3: 120 [300-1000]', 'he faces 120 since he raised');
    play(hand, '3 call');
    t.equal(faced(hand), '0: 70 [-]', 'he faces 70 since he called');
    t.end();
  });

  void t.test('a full raise reopens it for everybody', (t) => {
    const hand = play(deal(five(1000, 1000)), '3 raise 100', '4 call', '0 raise 180', '1 fold', '2 fold');
    t.equal(faced(hand), '3: 80 [260-1000]');
    t.end();
  });

  void t.test('a check counts as an action: a short all-in bet lets the checker call or fold only', (t) => {
    const hand = play(deal(three(1000, 1000, 35)), '0 call', '1 call', '2 check', '1 check', '2 raise 15', '0 call');
    t.equal(faced(hand), '1: 15 [-]');
    t.end();
  });
  t.end();
});

void t.test('Blinds posted short', (t) => {
  void t.test('a short big blind leaves the price at the full big blind and the first raise at two', (t) => {
    const outcome = playOut(
      {
        stacks: [1273, 9, 5964, 12, 8, 182],
        button: 5,
        holes: { 0: '9d2s', 1: 'Qh3s', 2: 'Kh6s', 3: 'Jh2c', 4: '4h3c', 5: '4c9s' },
        board: 'As5s9c3d5h',
      },
      '2: 20 [40-5964] call',
      '3: 12 [-] call',
      '4: 8 [-] call',
      '5: 20 [40-182] call',
      '0: 10 [40-1273] call',
      '0: 0 [20-1253] check',
      '2: 0 [20-5944] raise 20',
      '5: 20 [40-162] call',
      '0: 20 [40-1253] fold',
      '2: 0 [20-5924] check',
      '5: 0 [20-142] check',
      '2: 0 [20-5924] check',
      '5: 0 [20-142] check',
    );
    t.same(finals(outcome, 6), [1253, 0, 5924, 0, 0, 271]);
    t.end();
  });

  void t.test('the first raise over a short big blind is measured from the full price', (t) => {
    const outcome = playOut(
      {
        stacks: [599, 4, 12, 2, 162, 1249],
        button: 5,
        holes: { 0: '5h2s', 1: 'Js2c', 2: '7d7h', 3: '8d6s', 4: '3d2d', 5: '3s7s' },
        board: '6dJd8cAsQc',
      },
      '2: 12 [-] call',
      '3: 2 [-] call',
      '4: 20 [40-162] raise 162',
      '5: 162 [304-1249] raise 335',
      '0: 325 [508-599] call',
      '0: 0 [20-264] raise 264',
      '5: 264 [-] call',
    );
    t.same(finals(outcome, 6), [0, 10, 32, 12, 0, 1974]);
    t.same(
      outcome.pots.map((pot) => [pot.amount, pot.winners]),
      [
        [12, seats(3)],
        [10, seats(1)],
        [32, seats(2)],
        [450, seats(5)],
        [874, seats(5)],
      ],
    );
    t.end();
  });

  void t.test('a short small blind changes neither price nor raise', (t) => {
    const hand = deal({ stacks: [1000, 4, 1000], button: 0 });
    t.match(hand, { pot: 24, allIn: seats(1) });
    t.equal(faced(hand), '0: 20 [40-1000]');
    t.end();
  });

  void t.test('a small blind who folds to the full price loses his whole blind to the shorter big blind', (t) => {
    const scene: Scene = { stacks: [1000, 1000, 8], button: 0 };
    const outcome = playOut(scene, '0: 20 [40-1000] fold', '1: 10 [-] fold');
    t.same(finals(outcome, 3), [1000, 990, 18]);
    t.match(outcome, { totalPot: 18, returned: 0, showdown: false });
    t.end();
  });

  void t.test('a small blind who calls the full price gets back what the short big blind cannot match', (t) => {
    const scene: Scene = { stacks: [1000, 1000, 8], button: 0, holes: { 1: '2c3d', 2: 'AsAd' }, board: 'KhKd9s7s4c' };
    const outcome = playOut(scene, '0 fold', '1: 10 [-] call');
    t.match(outcome, { totalPot: 16, returnedSeat: 1, returned: 12, showdown: true });
    t.same(finals(outcome, 3), [1000, 992, 16]);
    t.end();
  });

  void t.test('heads-up against a big blind of 15 the button pays the full price and gets 5 back', (t) => {
    const scene: Scene = { stacks: [15, 1000], button: 1, holes: { 0: 'AsAd', 1: 'KsKd' }, board: '2c3d9h7s4c' };
    const outcome = playOut(scene, '1: 10 [-] call');
    t.match(outcome, { totalPot: 30, returnedSeat: 1, returned: 5 });
    t.same(finals(outcome, 2), [30, 985]);
    t.same(finals(playOut(scene, '1: 10 [-] fold'), 2), [25, 990]);
    t.end();
  });

  void t.test('heads-up a blind that covers the whole stack of the other goes straight to showdown', (t) => {
    const holes = { 0: 'AsAd', 1: 'KsKd' };
    const board = '2c3d9h7s4c';
    const shortBig = deal({ stacks: [8, 1000], button: 1, holes, board });
    t.match(shortBig, { over: true, boardCount: 5 });
    t.same(finals(shortBig.outcome, 2), [16, 992]);
    t.match(shortBig.outcome, { returnedSeat: 1, returned: 2, shown: seats(0, 1) });
    const shortSmall = deal({ stacks: [1000, 7], button: 1, holes, board });
    t.same(finals(shortSmall.outcome, 2), [1007, 0]);
    const equal = deal({ stacks: [10, 10], button: 1, holes, board });
    t.same(finals(equal.outcome, 2), [20, 0]);
    t.end();
  });

  void t.test('a big blind that covers every stack is not asked when the others have called or folded', (t) => {
    const scene: Scene = { stacks: [1000, 15, 20], button: 2, holes: { 0: 'KsKd', 1: 'AsAd', 2: 'QsQd' } };
    const headsUp: Scene = { stacks: [1000, 15], button: 1, holes: { 0: 'AsAd', 1: 'KsKd' }, board: '2c3d9h7s4c' };
    t.same(finals(playOut(headsUp, '1: 5 [-] call'), 2), [1015, 0]);
    const hand = deal({ ...scene, stacks: [20, 15, 1000], button: 1, board: '2c3d9h7s4c' });
    t.equal(faced(hand), '1: 15 [-]', 'the button, blinds being 2 (10) and 0 (20, all-in)');
    play(hand, '1 call');
    t.equal(faced(hand), '2: 10 [-]');
    const covering = deal({ stacks: [12, 18, 1000], button: 0, board: '2c3d9h7s4c' });
    play(covering, '0: 12 [-] call', '1: 8 [-] fold');
    t.ok(covering.over, 'neither the one who called nor the one who folded could have raised');
    t.end();
  });

  void t.test('a big blind whom a folded player could have raised is still asked, and can only check', (t) => {
    const hand = play(deal({ stacks: [10, 1000, 1000], button: 0 }), '0 call', '1: 10 [40-1000] fold');
    t.equal(faced(hand), '2: 0 [-]');
    t.same(hand.legal(), { fold: false, check: true, call: 0, raiseMin: 0, raiseMax: 0, allIn: 0 });
    play(hand, '2 check');
    t.ok(hand.over);
    t.end();
  });
  t.end();
});
