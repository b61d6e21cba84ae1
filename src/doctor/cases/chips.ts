import { casesOf, type Case } from '../case.js';
import { fromBot, toBot, type Exam } from '../exam.js';
import type { TableSituation } from '../server/private-server.js';
import { doesNotHammer, goesOn, leftItsSeat } from './steps.js';

/** The bot is all-in with its blind, and loses: button 1, small blind 2, big blind the bot. */
const LOSES: TableSituation = {
  button: 1,
  stack: 15,
  cast: [
    { name: 'ada', stack: 2000, moves: ['call'] },
    { name: 'bob', stack: 2000, moves: ['call'] },
  ],
  // From the left of the button: bob, the bot, ada.
  cards: 'Kd 2c Ks Kh 7d Kc 3s 8h 9d Jc 4s',
};
/** All of it is at the table. */
const BROKE = { balance: 15 };
/** Refusals on the way from a bust to the next seat are news. */
const NEWS = ['insufficient_season_chips', 'not_at_table', 'invalid_rebuy', 'already_in_lobby'];

async function busts(exam: Exam): Promise<void> {
  await exam.seated();
  await exam.see('its own player_left, busted', leftItsSeat);
  exam.server.openTable();
}

/** It asks for a rebuy, or says in so many words that it does not want one: it ends. */
async function rebuys(exam: Exam): Promise<boolean> {
  exam.mayEnd = true;
  // It may have asked before it read of the bust, or have turned the automatic rebuy on when it came.
  const asked = await exam.everSeen('a rebuy', ({ from, frame, text }) =>
    from === 'bot'
      ? frame?.type === 'rebuy' || (frame?.type === 'set_auto_rebuy' && frame['enabled'] === true)
      : text.includes('/season/rebuy'),
  );
  exam.advise(asked, 'It asks for no rebuy when it is out of chips, so it stops playing.');
  return asked;
}

/** A stack is lost, and chips come back. */
export const chipCases: readonly Case[] = casesOf('chips', [
  {
    name: 'bust-and-rebuy',
    done: 'The bot loses its last chips. A rebuy would be granted.',
    sound: 'It asks for the rebuy, reads rebuy_confirmed and joins the lobby again.',
    heading: 'Bust, rebuy, season end',
    situation: LOSES,
    settings: BROKE,
    permits: NEWS,
    run: async (exam) => {
      await busts(exam);
      if (!(await rebuys(exam))) return;
      exam.mayEnd = false;
      await exam.sits('a new seat, after the rebuy');
      await exam.plays();
      exam.expect(exam.server.season.rebuys <= 1, `It took ${exam.server.season.rebuys} rebuys for one bust.`);
    },
  },
  {
    name: 'bust-with-chips-left',
    done: 'The bot loses its stack, but has chips off the table. busted offers no rebuy.',
    sound: 'It joins the lobby again with the remaining chips, without a rebuy.',
    heading: 'Bust, rebuy, season end',
    situation: LOSES,
    permits: NEWS,
    run: async (exam) => {
      await busts(exam);
      await exam.sits('a new seat, with the chips that are left');
      await exam.plays();
    },
  },
  {
    name: 'rebuy-cooldown',
    done: 'The rebuy is refused: rebuy_cooldown, two seconds.',
    sound: 'It asks again when rebuy_at has passed, not before.',
    heading: 'Rebuys',
    situation: LOSES,
    settings: BROKE,
    permits: NEWS,
    run: async (exam) => {
      exam.server.season.cooldownMs = 2000;
      await busts(exam);
      if (!(await rebuys(exam))) return;
      exam.mayEnd = false;
      await doesNotHammer(exam, 'rebuy', 1000, 3);
      await exam.sits('a new seat, after the cooldown');
      await exam.plays();
    },
  },
  {
    name: 'rebuy-refused',
    done: 'The rebuy is refused permanently: email_not_verified.',
    sound: 'It stops asking, or asks seldom.',
    heading: 'Error codes',
    situation: LOSES,
    settings: BROKE,
    permits: NEWS,
    mayEnd: true,
    run: async (exam) => {
      exam.server.season.refusal = { kind: 'email_not_verified' };
      await busts(exam);
      if (!(await rebuys(exam))) return;
      await doesNotHammer(exam, 'rebuy', 2000, 6);
      await doesNotHammer(exam, 'join_lobby', 300, 3);
    },
  },
  {
    name: 'rebuy-by-itself',
    done: 'Auto-rebuy is on, set elsewhere: auto_rebuy_scheduled comes, and a second later rebuy_confirmed.',
    sound: 'It waits for rebuy_confirmed and joins the lobby again.',
    heading: 'Bust, rebuy, season end',
    situation: LOSES,
    settings: BROKE,
    permits: [...NEWS, 'rate_limited'],
    run: async (exam) => {
      const { season } = exam.server;
      season.autoRebuy = true;
      season.cooldownMs = 1200;
      await exam.seated();
      await exam.see('rebuy_confirmed', toBot('rebuy_confirmed'));
      exam.server.openTable();
      await exam.sits('a new seat, after rebuy_confirmed');
      await exam.plays();
    },
  },
  {
    name: 'short-balance',
    done: 'The bot’s balance is less than the buy-in it asks for, but enough to sit down: 1,500 chips.',
    sound: 'It sits down with all of it, and plays.',
    heading: 'Buy-in',
    settings: { balance: 1500 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(2);
    },
  },
  {
    name: 'out-of-chips-at-start',
    done: 'The bot has no chips when it joins: insufficient_season_chips.',
    sound: 'It asks for a rebuy, and joins again.',
    heading: 'Buy-in',
    settings: { balance: 100 },
    permits: NEWS,
    run: async (exam) => {
      await exam.connects();
      await exam.joins();
      if (!(await rebuys(exam))) return;
      exam.mayEnd = false;
      await exam.sits('a seat, after the rebuy');
      await exam.plays();
    },
  },
  {
    name: 'skimmed',
    done: 'The table has a maximum stack: chips_skimmed takes the chips above it.',
    sound: 'It plays on with the stack that the table reports.',
    heading: 'Rebuys',
    situation: { rules: { maxStack: 1500 }, stack: 1400 },
    run: async (exam) => {
      await exam.seated();
      await exam.plays(2);
      exam.inject({ type: 'chips_skimmed', excess: 20, new_stack: 1500, new_balance: 3520 });
      await goesOn(exam);
    },
  },
  {
    name: 'no-rebuy-at-the-table',
    done: 'Six turns at an ordinary table are looked at.',
    sound: 'It asks for no rebuy while it has chips.',
    heading: 'Rebuys',
    run: async (exam) => {
      await exam.seated();
      await exam.plays(6);
      const asked = exam.transcript.entries.filter(fromBot('rebuy')).length;
      exam.expect(asked === 0, `It asked for ${asked} rebuys with chips in front of it.`);
    },
  },
]);
