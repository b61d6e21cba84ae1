import { casesOf, type Case } from '../case.js';
import { fromBot, toBot, type Exam } from '../exam.js';
import { answerInstead, doesNotHammer, goesOn, leftItsSeat } from './steps.js';

/** How many messages a socket may send in a second. */
const A_SECOND = 20;

const error = (code: string, message: string) => ({ type: 'error', code, message });

/** So much is said in the bot's name that the next message of it is dropped, and answered rate_limited. */
function useUp(exam: Exam): void {
  for (let n = 0; n < A_SECOND; n++) exam.line.pingServer();
}

/** join_lobby is refused a few times; the bot asks again, with pauses, until it is let in. */
const joinsAgain = (code: string, message: string, times = 2): Pick<Case, 'run'> => ({
  run: async (exam) => {
    answerInstead(exam, 'join_lobby', error(code, message), times);
    await exam.connects();
    await exam.see(`error ${code}`, toBot('error'));
    await exam.sits(`a seat, after ${code}`);
    await exam.plays();
  },
});

/** Limits, and refusals that go away by themselves. */
export const limitCases: readonly Case[] = casesOf('limits', [
  {
    name: 'rate-limited-join',
    done: 'The limit of the socket is used up when the bot joins: join_lobby is dropped, and answered rate_limited.',
    sound: 'It sends it again a second later.',
    heading: 'Limits of a socket',
    permits: ['rate_limited', 'already_in_lobby'],
    run: async (exam) => {
      const { wire } = exam;
      wire.toServer = (text, frame, line) => {
        if (frame?.type !== 'join_lobby') return [text];
        wire.toServer = (each) => [each];
        line.holdToServer();
        useUp(exam);
        setTimeout(() => line.releaseToServer(), 50);
        return [text];
      };
      await exam.connects();
      await exam.see(
        'error rate_limited',
        toBot('error', ({ code }) => code === 'rate_limited'),
      );
      await exam.sits('a seat, after rate_limited');
      await exam.plays();
    },
  },
  {
    name: 'rate-limited-for-long',
    done: 'join_lobby is answered rate_limited four times.',
    sound: 'It asks again, about once a second, and not more often.',
    heading: 'Limits of a socket',
    permits: ['rate_limited', 'already_in_lobby'],
    run: async (exam) => {
      answerInstead(exam, 'join_lobby', error('rate_limited', 'Too many messages'), 4);
      await exam.connects();
      await doesNotHammer(exam, 'join_lobby', 1500, 5);
      await exam.sits('a seat, after rate_limited');
      await exam.plays();
    },
  },
  {
    name: 'rate-limited-in-play',
    done: 'rate_limited comes in the middle of a hand, over something else.',
    sound: 'It plays on: answers to a turn are never dropped.',
    heading: 'Limits of a socket',
    permits: ['rate_limited'],
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.line.inject(error('rate_limited', 'Too many messages'));
      await goesOn(exam);
    },
  },
  {
    name: 'flood-warning',
    done: 'flood_warning comes: the server has read invalid messages in the bot’s name.',
    sound: 'It plays on, and sends nothing invalid.',
    heading: 'Actions',
    permits: ['invalid_message', 'flood_warning'],
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      for (let n = 0; n < 10; n++) exam.line.say('{"type":');
      await exam.see(
        'error flood_warning',
        toBot('error', ({ code }) => code === 'flood_warning'),
      );
      await goesOn(exam);
    },
  },
  {
    name: 'flood-kick',
    done: 'While its action is on the way the bot is removed from its table: flood_kick, then its own player_left.',
    sound: 'It joins the lobby again, once: that its action is rejected then is no second reason.',
    heading: 'Actions',
    permits: ['invalid_message', 'flood_warning', 'flood_kick', 'not_at_table', 'leave_pending'],
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const { line } = exam;
      await exam.turn();
      line.holdToServer();
      for (let n = 0; n < 18; n++) line.say('{"type":');
      await exam.pass(1100);
      for (let n = 0; n < 18; n++) line.say('{"type":');
      await exam.see('its own player_left', leftItsSeat);
      const { mark } = exam;
      line.releaseToServer();
      // A bot that joins again because of a rejection does so after a pause.
      await exam.pass(2500);
      const joins = exam.since(mark).filter(fromBot('join_lobby')).length;
      exam.advise(joins <= 1, `It sent join_lobby ${joins} times: once for its own player_left is enough.`);
      exam.server.openTable();
      await exam.sits('a new seat');
      await exam.plays();
    },
  },
  {
    name: 'lobby-full',
    done: 'join_lobby is answered lobby_full twice.',
    sound: 'It tries again later.',
    heading: 'Error codes',
    ...joinsAgain('lobby_full', 'The lobby is full; try again later'),
  },
  {
    name: 'lobby-full-for-long',
    done: 'join_lobby is answered lobby_full each time.',
    sound: 'It tries again with growing pauses.',
    heading: 'Error codes',
    run: async (exam) => {
      answerInstead(exam, 'join_lobby', error('lobby_full', 'The lobby is full; try again later'), Infinity);
      await exam.connects();
      await exam.joins();
      await doesNotHammer(exam, 'join_lobby', 2000, 8);
    },
  },
  {
    name: 'season-error',
    done: 'join_lobby is answered season_error: something failed on the server’s side.',
    sound: 'It tries again.',
    heading: 'Error codes',
    ...joinsAgain('season_error', 'Something went wrong here; try again', 1),
  },
  {
    name: 'buy-in-failed',
    done: 'The buy-in fails: season_buy_in_failed.',
    sound: 'It joins again: the balance changed before it was seated.',
    heading: 'Error codes',
    ...joinsAgain('season_buy_in_failed', 'The buy-in could not be taken from your season chips', 1),
  },
  {
    name: 'no-season',
    done: 'join_lobby is answered no_active_season twice.',
    sound: 'It tries again later.',
    heading: 'Error codes',
    ...joinsAgain('no_active_season', 'No active season'),
  },
  {
    name: 'no-season-for-long',
    done: 'join_lobby is answered no_active_season each time, by the lobby itself.',
    sound: 'It tries again with growing pauses.',
    heading: 'Error codes',
    run: async (exam) => {
      exam.server.season.entrance = { kind: 'refused', code: 'no_active_season' };
      await exam.connects();
      await exam.joins();
      await doesNotHammer(exam, 'join_lobby', 2000, 8);
    },
  },
  {
    name: 'already-in-lobby',
    done: 'join_lobby is answered already_in_lobby: an earlier one counted.',
    sound: 'It waits for its seat.',
    heading: 'Error codes',
    permits: ['already_in_lobby'],
    run: async (exam) => {
      await exam.connects();
      await exam.joins();
      exam.line.inject(error('already_in_lobby', 'You are already in the lobby'));
      await exam.sits();
      await exam.plays();
      const joins = exam.transcript.entries.filter(fromBot('join_lobby')).length;
      exam.expect(joins <= 3, `It sent join_lobby ${joins} times.`);
    },
  },
]);
