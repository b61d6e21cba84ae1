import { casesOf, type Case } from '../case.js';
import type { TableSituation } from '../server/private-server.js';
import { isOf, type WireTurn } from '../wire/words.js';
import { goesOn, meets, optionOf } from './steps.js';

const BIG_BLIND = 20;

/** The bot meets a turn of this kind and answers it legally. */
const situation = (
  table: TableSituation,
  what: string,
  matches: (turn: WireTurn) => boolean,
): Pick<Case, 'situation' | 'run'> => ({
  situation: table,
  run: async (exam) => {
    await meets(exam, table, what, matches);
  },
});

const price = (turn: WireTurn) => optionOf(turn, 'call')?.amount ?? 0;
/** A call takes the whole stack: that is offered as all_in, too. */
const callsForAll = (turn: WireTurn) =>
  optionOf(turn, 'call') !== undefined && optionOf(turn, 'all_in')?.amount === price(turn);
const canRaise = (turn: WireTurn) => optionOf(turn, 'raise') !== undefined;
const canCheck = (turn: WireTurn) => optionOf(turn, 'check') !== undefined;

/** Three seats: button 1, small blind 2, big blind 0, the bot. */
const inBigBlind = (
  button: readonly string[],
  small: readonly string[],
  stacks: Partial<Stacks> = {},
): TableSituation => ({
  button: 1,
  stack: stacks.bot ?? 2000,
  cast: [
    { name: 'ada', stack: stacks.button ?? 2000, moves: button },
    { name: 'bob', stack: stacks.small ?? 2000, moves: small },
  ],
});

interface Stacks {
  bot: number;
  button: number;
  small: number;
}

/** Legal actions in rare situations; the bot's actions are taken without a rejection. */
export const bettingCases: readonly Case[] = casesOf('betting', [
  {
    name: 'check-is-free',
    done: 'Everybody limps to the bot’s big blind: check is free, and fold is not offered.',
    sound: 'It takes what valid_actions offers: here it checks or raises.',
    heading: 'Rules of play',
    ...situation(inBigBlind(['call'], ['call']), 'check is free, fold is not offered', canCheck),
  },
  {
    name: 'no-check',
    done: 'The bot faces a raise: check is not offered.',
    sound: 'It folds, calls or raises.',
    heading: 'Values',
    ...situation(inBigBlind(['raise:60'], ['call']), 'a raise to 60', (turn) => !canCheck(turn)),
  },
  {
    name: 'least-raise',
    done: 'A raise to 50 is re-raised to 110: the least raise-to is 170, though that is no multiple of the blinds.',
    sound: 'It takes raise.min from valid_actions, and does not compute it.',
    heading: 'Rules of play',
    ...situation(
      inBigBlind(['raise:50'], ['raise:110']),
      'the least raise-to is 170',
      (turn) => optionOf(turn, 'raise')?.min === 170,
    ),
  },
  {
    name: 'raise-is-a-total',
    done: 'The bot has a bet on the street and faces a raise: raise.min and raise.max are totals of the street.',
    sound: 'It sends the raise-to total, not the added chips.',
    heading: 'Values',
    ...situation(inBigBlind(['raise:80'], ['call']), 'a raise that is to be named as a total', canRaise),
  },
  {
    name: 'one-raise-only',
    done: 'The bot’s whole stack is exactly the least raise: raise.min equals raise.max.',
    sound: 'It raises to exactly this amount, or does not raise. A random number between both must not fail.',
    heading: 'Values',
    ...situation(
      inBigBlind(['call'], ['call'], { bot: 2 * BIG_BLIND }),
      'raise.min equals raise.max',
      (turn) => canRaise(turn) && optionOf(turn, 'raise')?.min === optionOf(turn, 'raise')?.max,
    ),
  },
  {
    name: 'one-raise-on-the-flop',
    done: 'The same on the flop: a stack of one big blind behind.',
    sound: 'If it raises, then to that amount.',
    heading: 'Values',
    ...situation(
      inBigBlind(['call', 'check'], ['call', 'check'], { bot: 2 * BIG_BLIND }),
      'raise.min equals raise.max on the flop',
      (turn) => turn.board.length >= 3 && optionOf(turn, 'raise')?.min === optionOf(turn, 'raise')?.max,
    ),
  },
  {
    name: 'less-than-a-full-raise',
    done: 'The bot’s stack is below a full raise: raise.min and raise.max both equal its stack.',
    sound: 'If it raises, then to that amount: two big blinds would be too much.',
    heading: 'Rules of play',
    ...situation(
      inBigBlind(['call'], ['call'], { bot: 35 }),
      'the only raise is to 35',
      (turn) => optionOf(turn, 'raise')?.max === 35,
    ),
  },
  {
    name: 'call-for-the-rest',
    done: 'An opponent is all-in for more than the bot has: call takes its whole stack, and stands beside all_in.',
    sound: 'It folds, or calls with its stack.',
    heading: 'Frames in detail',
    ...situation(inBigBlind(['all_in'], ['fold'], { bot: 300 }), 'a call of the whole stack', callsForAll),
  },
  {
    name: 'nobody-could-answer',
    done: 'The only opponent left is all-in. No raise is offered, since no player could answer it.',
    sound: 'It folds or calls.',
    heading: 'Rules of play',
    ...situation(
      inBigBlind(['all_in'], ['fold'], { button: 200 }),
      'an opponent is all-in, no raise is offered',
      (turn) => !canRaise(turn) && !canCheck(turn) && !callsForAll(turn),
    ),
  },
  {
    name: 'short-all-in',
    done: 'On the flop the bot has acted. Then an opponent goes all-in for less than a full raise: betting is not reopened.',
    sound: 'It folds or calls. A player that has acted is offered neither raise nor all_in.',
    heading: 'Rules of play',
    ...situation(
      inBigBlind(['call', 'all_in'], ['call', 'raise:40', 'call'], { button: 70 }),
      'a short all-in that does not reopen the betting',
      (turn) => turn.board.length === 3 && price(turn) === 10 && !canRaise(turn),
    ),
  },
  {
    name: 'short-blind',
    done: 'An opponent posts its big blind short: the price is the full big blind all the same.',
    sound: 'It pays what call.amount says.',
    heading: 'Rules of play',
    ...situation(
      {
        button: 0,
        cast: [
          { name: 'ada', stack: 2000, moves: ['call'] },
          { name: 'bob', stack: 12 },
        ],
      },
      'the big blind is short',
      (turn) => price(turn) === BIG_BLIND,
    ),
  },
  {
    name: 'own-blind-all-in',
    done: 'The bot’s stack is less than its big blind: it is all-in before its first decision, and reads no turn.',
    sound: 'It waits for the hand to end: no turn, no action.',
    heading: 'Rules of play',
    situation: { ...inBigBlind(['call'], ['call'], { bot: 15 }), cards: 'Kd 2c Ks Kh 7d Kc 3s 8h 9d Jc 4s' },
    permits: ['insufficient_season_chips', 'not_at_table', 'invalid_rebuy', 'rebuy_during_hand'],
    run: async (exam) => {
      await exam.seated();
      await exam.see('hand_result', ({ frame }) => isOf(frame, 'hand_result'));
    },
  },
  {
    name: 'heads-up',
    done: 'One opponent only: the button posts the small blind, acts first before the flop and last after it.',
    sound: 'It goes by your_turn, not by its own idea of the order.',
    heading: 'Rules of play',
    situation: { cast: [{ name: 'ada', stack: 2000 }], button: 0 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(6);
    },
  },
  {
    name: 'six-handed',
    done: 'Five opponents.',
    sound: 'It plays as with two.',
    heading: 'Rules of play',
    situation: { cast: ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => ({ name, stack: 2000 })) },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(5);
    },
  },
  {
    name: 'large-pot',
    done: 'Opponents have raised each other to 1,700 before the bot decides.',
    sound: 'It answers within raise.min and raise.max. A share of the pot may be more than its stack.',
    heading: 'Values',
    ...situation(
      inBigBlind(['raise:300', 'call'], ['raise:1000', 'call']),
      'a pot of more than 1,000',
      (turn) => turn.pot > 1000 && canRaise(turn),
    ),
  },
  {
    name: 'odd-chips',
    done: 'Stacks and raises are odd numbers.',
    sound: 'Its amounts are whole numbers.',
    heading: 'Values',
    ...situation(
      inBigBlind(['raise:47'], ['call'], { bot: 1999, button: 1777, small: 1333 }),
      'a raise to 47',
      canRaise,
    ),
  },
  {
    name: 'side-pots',
    done: 'Two opponents are all-in with different stacks. Several pots are divided among several winners.',
    sound: 'It reads the result and plays on.',
    heading: 'Rules of play',
    situation: {
      button: 1,
      cast: [
        { name: 'ada', stack: 300, moves: ['all_in'] },
        { name: 'bob', stack: 700, moves: ['all_in'] },
        { name: 'cleo', stack: 2000 },
        { name: 'dan', stack: 2000, moves: ['call', 'call', 'call'] },
      ],
      // The button's neighbour first: bob, cleo, dan, the bot, ada. Ada has the best hand, bob the second.
      cards: 'Ks 9h 7d 2c As Kh 9d 6c 3d Ah 4s 8c Jh 5d Tc',
    },
    run: async (exam) => {
      await exam.seated();
      await exam.see('hand_result', ({ frame }) => isOf(frame, 'hand_result'));
      await goesOn(exam);
    },
  },
  {
    name: 'no-showdown',
    done: 'Everybody folds to the raiser: nothing is shown, and the hand is called Uncontested.',
    sound: 'It reads the result and plays on: shown_cards may be empty.',
    heading: 'Values',
    situation: inBigBlind(['raise:900', 'raise:max'], ['fold']),
    run: async (exam) => {
      await exam.seated();
      await exam.plays(1);
      await exam.see('hand_result', ({ frame }) => isOf(frame, 'hand_result'));
      await goesOn(exam);
    },
  },
]);
