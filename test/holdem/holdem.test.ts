/** A hand from its setup to its end: boards, the log, refused setups, the button; the money is in pots. */
import t from 'tap';
import { parseCard } from '../../src/cards/card.js';
import { nextButton } from '../../src/holdem/button.js';
import { Hand } from '../../src/holdem/hand.js';
import { Act, ActionRefusal, Street } from '../../src/holdem/types.js';
import { cards, deal, faced, finals, play, seats, setupOf, told, three } from '../support/hand-kit.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

void t.test('Running out the board', (t) => {
  void t.test('when nobody can act any more the missing streets open at once and all live hands are shown', (t) => {
    const hand = deal({ ...three(1000, 500, 1000), holes: { 0: 'AsAd', 1: 'KsKd' }, board: '2c3d9h7s4c' });
    play(hand, '0 raise 600', '1 call', '2 fold');
    t.match(hand, { over: true, street: Street.river, boardCount: 5, actor: -1 });
    t.same(told(hand).slice(5), [
      `street 1 opens with ${cards('2c3d9h').join(' ')}`,
      `street 2 opens with ${parseCard('7s')}`,
      `street 3 opens with ${parseCard('4c')}`,
      '100 back to 0',
      `1 shows ${cards('KsKd').join(' ')}`,
      `0 shows ${cards('AsAd').join(' ')}`,
      '0 wins 1020 from pot 0',
    ]);
    t.end();
  });

  void t.test('a side pot is still played when two players have chips behind', (t) => {
    const hand = play(deal(three(100, 1000, 1000)), '0 all-in', '1 call', '2 call');
    t.match(hand, { street: Street.flop, actor: 1, over: false });
    play(hand, '1: 0 [20-900] raise 200', '2 fold');
    t.match(hand, { over: true, boardCount: 5 });
    t.match(hand.outcome, { returnedSeat: 1, returned: 200, totalPot: 300 });
    t.end();
  });
  t.end();
});

void t.test('A return post', (t) => {
  const six = (...stacks: number[]) => ({ stacks: Array.from({ length: 6 }, (_, i) => stacks[i] ?? 1000), button: 0 });

  void t.test('is a live big blind: its seat may check it or raise it in its turn', (t) => {
    const hand = deal({ ...six(), returns: [0] });
    t.same(told(hand), ['1 posts 10 as small blind', '2 posts 20 as big blind', '0 posts 20 to return']);
    t.match(hand, { pot: 50, currentBet: 20, actor: 3 });
    play(hand, '3: 20 [40-1000] call', '4 fold', '5 fold', '0: 0 [40-1000] raise 60', '1 fold', '2 fold', '3 fold');
    t.same(finals(hand.outcome, 6), [1050, 990, 980, 980, 1000, 1000]);
    const checked = play(
      deal({ ...six(), returns: [0] }),
      '3 fold',
      '4 fold',
      '5 fold',
      '0 check',
      '1 fold',
      '2 check',
    );
    t.match(checked, { street: Street.flop, pot: 50 });
    t.end();
  });

  void t.test('comes from the left of the button, from several seats, short from a short stack', (t) => {
    const hand = deal({ ...six(1000, 1000, 1000, 1000, 5), returns: [0, 3, 4] });
    const posts = ['3 posts 20 to return', '4 posts 5 to return', '0 posts 20 to return'];
    t.same(told(hand), ['1 posts 10 as small blind', '2 posts 20 as big blind', ...posts]);
    t.equal(hand.allIn, seats(4));
    t.end();
  });

  void t.test('of a seat in the blinds is only what its bet lacks', (t) => {
    const hand = deal({ ...six(), returns: [1, 2] });
    t.same(told(hand), ['1 posts 10 as small blind', '2 posts 20 as big blind', '1 posts 10 to return']);
    play(hand, '3 fold', '4 fold', '5 fold', '0 fold', '1: 0 [40-1000] check');
    t.equal(faced(hand), '2: 0 [40-1000]');
    t.end();
  });

  void t.test('that covers all the others leaves its seat nothing to decide', (t) => {
    const hand = deal({ stacks: [1000, 10, 15], button: 0, returns: [0] });
    t.match(hand, { over: true, boardCount: 5 });
    t.end();
  });

  void t.test('of somebody who is not dealt in is refused', (t) => {
    t.throws(() => deal({ ...three(), returns: [4] }), RangeError);
    t.end();
  });
  t.end();
});

void t.test('The log', (t) => {
  void t.test(
    'it holds blinds and actions with the amounts of the wire: chips added by a call, raise-to of a raise',
    (t) => {
      const hand = play(deal(three(1000, 1000, 300)), '0 raise 60', '1 call', '2 all-in', '0 fold', '1 fold');
      t.same(told(hand), [
        '1 posts 10 as small blind',
        '2 posts 20 as big blind',
        `0 act ${Act.raise} amount 60 on street 0`,
        `1 act ${Act.call} amount 50 on street 0`,
        `2 act ${Act.allIn} amount 280 on street 0`,
        `0 act ${Act.fold} amount 0 on street 0`,
        `1 act ${Act.fold} amount 0 on street 0`,
        '240 back to 2',
        '2 wins 180 from pot 0',
      ]);
      t.end();
    },
  );

  void t.test('a raising war that outgrows its first room loses nothing', (t) => {
    const hand = new Hand();
    hand.start({ ...setupOf({ stacks: [100_000, 100_000], button: 0, blinds: [1, 1] }), unbounded: true });
    let raises = 0;
    while (hand.legal().raiseMax > 0 && raises < 2000) {
      hand.act(Act.raise, hand.legal().raiseMin);
      raises++;
    }
    t.equal(raises, 2000);
    t.equal(hand.log.length, 2002);
    t.equal(hand.log.amount(2001), hand.currentBet);
    t.end();
  });
  t.end();
});

void t.test('A setup that no hand can be played from is refused, and the running hand stays as it was', (t) => {
  const hand = play(deal(three()), '0 raise 60');
  const setup = setupOf(three());
  const duplicate = [...Array.from(setup.deck).slice(0, 10), setup.deck[0]!];
  const bad: [string, Partial<typeof setup>][] = [
    ['one seat', { dealt: seats(0) }],
    ['a seventh seat', { dealt: seats(0, 6) }],
    ['a button not dealt in', { button: 3 }],
    ['a button off the table', { button: -1 }],
    ['a stack of nothing', { stacks: [1000, 0, 1000] }],
    ['half a chip', { stacks: [1000, 0.5, 1000] }],
    ['a missing stack', { stacks: [1000, 1000] }],
    ['more chips than an Int32 holds', { stacks: [2 ** 31 - 1, 1000, 1000] }],
    ['blinds the wrong way round', { smallBlind: 30 }],
    ['no small blind', { smallBlind: 0 }],
    ['a fractional big blind', { bigBlind: 20.5 }],
    ['too few cards', { deck: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }],
    ['no card', { deck: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 52] }],
    ['a card twice', { deck: duplicate }],
  ];
  for (const [name, change] of bad) t.throws(() => hand.start({ ...setup, ...change }), RangeError, name);
  t.equal(faced(hand), '1: 50 [100-1000]');
  t.throws(() => hand.outcome, /not over/);
  t.throws(() => new Hand().outcome, /not over/);
  t.end();
});

void t.test('A hand has an end, however many chips there are', (t) => {
  const million = (players: number) => ({
    stacks: Array.from({ length: players }, () => 1_000_000),
    button: 0,
    blinds: [1, 2] as const,
  });
  const raiseUpTo = (hand: Hand, most: number) => {
    let raises = 0;
    while (raises < most && hand.legal().raiseMin > 0) {
      hand.act(Act.raise, hand.legal().raiseMin);
      raises++;
    }
    return raises;
  };

  void t.test('after 40 raises on a street none is offered; all-in is, and the next street begins anew', (t) => {
    const hand = deal(million(2));
    t.equal(raiseUpTo(hand, 1000), 40);
    t.equal(faced(hand), '0: 2 [-]');
    t.equal(hand.act(Act.raise, 86), ActionRefusal.raiseNotOffered);
    t.same(hand.legal(), { fold: true, check: false, call: 2, raiseMin: 0, raiseMax: 0, allIn: 999_920 });
    play(hand, '0 call');
    t.equal(faced(hand), '1: 0 [2-999918]');
    play(hand, '1 raise 100', '0 all-in');
    t.equal(faced(hand), '1: 999818 [-]');
    play(hand, '1 call');
    t.equal(hand.over, true);
    t.end();
  });

  void t.test('after 200 actions none is offered on any street', (t) => {
    const hand = deal(million(6));
    // The last to answer raises again, 25 times a street.
    while (hand.actions < 200 && !hand.over) {
      const { raiseMin, check } = hand.legal();
      const last = (hand.toAct & (hand.toAct - 1)) === 0;
      if (hand.raises < 25 && (last || hand.raises === 0)) hand.act(Act.raise, raiseMin);
      else hand.act(check ? Act.check : Act.call);
    }
    t.ok(hand.raises < 40);
    t.equal(hand.legal().raiseMax, 0);
    t.ok(hand.legal().allIn > hand.legal().call, 'all-in stays, as a raise');
    while (!hand.over) hand.act(hand.legal().check ? Act.check : Act.call);
    t.ok(hand.actions < 230);
    t.end();
  });

  void t.test('a record of before that rule is played again without it', (t) => {
    const hand = new Hand();
    hand.start({ ...setupOf(million(2)), unbounded: true });
    t.equal(raiseUpTo(hand, 1000), 1000);
    hand.start(setupOf(million(2)));
    t.equal(raiseUpTo(hand, 1000), 40);
    t.end();
  });
  t.end();
});

void t.test('The hand keeps its own copy of the setup, and an outcome is the caller’s to keep', (t) => {
  const setup = { ...setupOf(three()), stacks: [1000, 1000, 1000] };
  const hand = new Hand();
  hand.start(setup);
  setup.stacks[0] = 5;
  t.equal(hand.setup.stacks[0], 1000);
  play(hand, '0 fold', '1 fold');
  const outcome = hand.outcome;
  t.equal(outcome, hand.outcome);
  hand.start(setupOf(three()));
  play(hand, '0 raise 40', '1 fold', '2 fold');
  t.same(finals(outcome, 3), [1000, 990, 1010]);
  t.end();
});

void t.test('The button between hands', (t) => {
  const button = (previousButton: number, previousBigBlind: number, ...dealt: number[]): number =>
    nextButton({ previousButton, previousBigBlind, dealt: seats(...dealt) });

  void t.test('the first hand begins with the lowest seat', (t) => {
    t.equal(button(-1, -1, 2, 4, 5), 2);
    t.end();
  });

  void t.test('it moves clockwise to the next seat dealt in, wrapping round and passing empty seats', (t) => {
    t.equal(button(0, 2, 0, 1, 2), 1);
    t.equal(button(5, 1, 0, 1, 5), 0);
    t.equal(button(1, 4, 1, 4, 5), 4);
    t.equal(button(3, 5, 0, 2, 5), 5, 'also when the old button has gone');
    t.end();
  });

  void t.test('heads-up it changes sides every hand, and with it the blinds', (t) => {
    t.equal(button(1, 4, 1, 4), 4);
    t.equal(button(4, 1, 1, 4), 1);
    t.end();
  });

  void t.test('when play becomes heads-up nobody posts the big blind twice running', (t) => {
    // Button 0, small blind 1, big blind 2. One of them leaves.
    t.equal(button(0, 2, 1, 2), 2, 'the button left: 2 is on the button, 1 posts the big blind');
    t.equal(button(0, 2, 0, 2), 2, 'the small blind left: 0 posts the big blind');
    t.equal(button(0, 2, 0, 1), 1, 'the big blind left: the button simply moves on');
    t.end();
  });

  void t.test(
    'so it is for every hand of three or more, whoever is left, in both forms of the heads-up blinds',
    (t) => {
      for (const headsUpBlinds of ['standard', 'ring'] as const) {
        for (let before = 0; before < 64; before++) {
          const all = [0, 1, 2, 3, 4, 5].filter((seat) => (before & (1 << seat)) !== 0);
          if (all.length < 3) continue;
          for (const previousButton of all) {
            const stacks = [0, 1, 2, 3, 4, 5].map((seat) => (all.includes(seat) ? 1000 : undefined));
            const previousBigBlind = deal({ stacks, button: previousButton }).bigBlindSeat;
            for (const a of all) {
              for (const b of all) {
                if (a >= b) continue;
                const next = nextButton({ previousButton, previousBigBlind, dealt: seats(a, b), headsUpBlinds });
                const pair = stacks.map((stack, seat) => (seat === a || seat === b ? stack : undefined));
                const { bigBlindSeat } = deal({ stacks: pair, button: next, headsUpBlinds });
                if (bigBlindSeat === previousBigBlind) t.fail(`${all.join()} button ${previousButton} → ${a}, ${b}`);
              }
            }
          }
        }
      }
      t.pass('no seat posts it twice');
      t.end();
    },
  );

  void t.test('it needs two seats', (t) => {
    t.throws(() => button(0, 1, 3), RangeError);
    t.end();
  });
  t.end();
});
