import { casesOf, type Case } from '../case.js';
import { fromBot, toBot, type Exam } from '../exam.js';
import type { Frame } from '../wire/transcript.js';
import { isOf } from '../wire/words.js';
import { goesOn, handOver, lastState, tableIs } from './steps.js';

const guests = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `guest_${n + 1}`, stack: 2000 }));

/** The bot's table is gone; there is another one. */
async function movesOn(exam: Exam): Promise<void> {
  exam.server.openTable();
  await exam.sits('a seat at another table');
  await exam.plays();
}

/** Others come and go, tables close, seasons end. */
export const tableCases: readonly Case[] = casesOf('table', [
  {
    name: 'closed-by-operator',
    done: 'The table is closed: table_closed, closed_by_operator.',
    sound: 'It joins the lobby again.',
    heading: 'Frames in detail',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.closeTable();
      await exam.see('table_closed', toBot('table_closed'));
      await movesOn(exam);
    },
  },
  {
    name: 'merged',
    done: 'All opponents leave: the table closes for want of players.',
    sound: 'It joins the lobby again.',
    heading: 'Match-making',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      for (const name of ['ada', 'bob']) exam.server.cast.leave(exam.server.table, name);
      await exam.see('table_closed', toBot('table_closed'));
      await movesOn(exam);
    },
  },
  {
    name: 'closed-for-unknown-reason',
    done: 'The table is closed for a reason that does not exist yet.',
    sound: 'It joins the lobby again: what counts is that the table is gone.',
    heading: 'Frames in detail',
    run: async (exam) => {
      exam.wire.toBot = (text) => [text.replace('"closed_by_operator"', '"table_is_painted"')];
      await exam.seated();
      await exam.plays();
      exam.server.closeTable();
      await exam.see('table_closed', toBot('table_closed'));
      await movesOn(exam);
    },
  },
  {
    name: 'alone-with-held-seats',
    done: 'The opponents lose their sockets. The bot waits, and is moved to another table.',
    sound: 'It waits for the next hand, and joins the lobby again when table_closed comes.',
    heading: 'Match-making',
    settings: { clockMs: 1000 },
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const { table, cast } = exam.server;
      cast.drop(table, 'ada');
      cast.drop(table, 'bob');
      await tableIs(exam, 'a state without company', lonely);
      exam.server.send({
        t: 'moveOn',
        table,
        agentId: exam.server.agentId,
        sitting: null,
        reason: 'insufficient_players',
      });
      await exam.see('table_closed', toBot('table_closed'));
      await movesOn(exam);
    },
  },
  {
    name: 'opponent-leaves',
    done: 'An opponent leaves in the middle of a hand.',
    sound: 'It plays on with the others.',
    heading: 'Leaving',
    situation: { cast: guests(3) },
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      exam.server.cast.leave(exam.server.table, 'guest_2');
      // A lean socket reads of it as of a fold.
      if (!exam.isLean) await exam.see('player_left', toBot('player_left'));
      const { mark } = exam;
      await goesOn(exam);
      exam.expect(!exam.since(mark).some(fromBot('join_lobby')), 'It took an opponent’s player_left for its own.');
    },
  },
  {
    name: 'opponent-drops',
    done: 'An opponent loses its connection: its seat is held, and it times out.',
    sound: 'It waits, and plays on.',
    heading: 'Time',
    settings: { clockMs: 1500 },
    situation: { cast: guests(3) },
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.cast.drop(exam.server.table, 'guest_2');
      const disconnected = ({ seats }: Frame) => JSON.stringify(seats).includes('"disconnected"');
      await tableIs(exam, 'a seat that is disconnected', disconnected);
      await goesOn(exam);
    },
  },
  {
    name: 'opponent-times-out',
    done: 'An opponent lets its clock run out.',
    sound: 'It waits, and plays on: player_action has the reason timeout.',
    heading: 'Values',
    settings: { clockMs: 1200 },
    situation: {
      button: 0,
      cast: [
        { name: 'ada', stack: 2000, moves: ['wait'] },
        { name: 'bob', stack: 2000 },
      ],
    },
    run: async (exam) => {
      await exam.seated();
      // A lean socket reads of it as of any action, after its turn.
      const timeout = toBot('player_action', ({ reason }) => reason === 'timeout');
      if (!exam.isLean) await exam.see('a timeout', timeout);
      await goesOn(exam);
    },
  },
  {
    name: 'others-are-slow',
    done: 'The opponents take two seconds for a decision.',
    sound: 'It waits: it neither acts nor leaves nor asks.',
    heading: 'Time',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.cast.hold();
      const from = exam.mark;
      await exam.pass(2000);
      const sent = exam.since(from).filter((entry) => entry.from === 'bot').length;
      exam.expect(sent <= 2, `It sent ${sent} messages while others were to act.`);
      exam.server.cast.release();
      await goesOn(exam);
    },
  },
  {
    name: 'wind-down',
    done: 'The last minutes of a season: no hand starts, waiting_reason is table_closing.',
    sound: 'It waits: the seat stays, and hands go on or the season ends.',
    heading: 'Seasons',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.control.windDown(exam.server.season.poolId);
      const closing = ({ waiting_reason }: Frame) => waiting_reason === 'table_closing';
      await tableIs(exam, 'table_state with table_closing', closing);
      const from = exam.mark;
      await exam.pass(1000);
      exam.expect(
        exam.since(from).filter((entry) => entry.from === 'bot').length <= 2,
        'It sent messages though there is nothing to do but wait.',
      );
      exam.server.control.resumePool(exam.server.season.poolId);
      await goesOn(exam);
    },
  },
  {
    name: 'join-in-wind-down',
    done: 'It joins in the last minutes of a season: it waits in the lobby for the next one.',
    sound: 'It waits.',
    heading: 'Seasons',
    situation: null,
    permits: ['already_in_lobby'],
    run: async (exam) => {
      exam.server.season.entrance = { kind: 'not_open' };
      await exam.connects();
      await exam.see('lobby_joined', toBot('lobby_joined'));
      await exam.pass(800);
      await exam.server.season.end();
      exam.server.openTable();
      await exam.sits('a seat in the next season');
      await exam.plays();
    },
  },
  {
    name: 'season-ends',
    done: 'The season ends between two hands: table_closed, then season_ended.',
    sound: 'It joins the lobby again, once, and plays the next season.',
    heading: 'Seasons',
    permits: ['already_in_lobby'],
    run: async (exam) => {
      await exam.seated();
      await handOver(exam);
      await seasonEnds(exam);
    },
  },
  {
    name: 'season-ends-in-turn',
    done: 'The season ends in the middle of the bot’s turn: the hand is void.',
    sound: 'It forgets the hand, joins the lobby again and plays the next season.',
    heading: 'Seasons',
    permits: ['already_in_lobby'],
    run: async (exam) => {
      await exam.seated();
      exam.wire.toBot = (text, frame) => {
        if (isOf(frame, 'your_turn')) exam.line.holdToServer();
        return [text];
      };
      await exam.turn();
      exam.wire.toBot = (text) => [text];
      const ended = seasonEnds(exam);
      exam.line.releaseToServer();
      await ended;
    },
  },
  {
    name: 'season-ended-only',
    done: 'season_ended comes while it waits in the lobby.',
    sound: 'It stays in the lobby, or joins again.',
    heading: 'Seasons',
    situation: null,
    permits: ['already_in_lobby'],
    run: async (exam) => {
      await exam.connects();
      await exam.see('lobby_joined', toBot('lobby_joined'));
      await exam.server.season.end();
      exam.server.openTable();
      await exam.sits('a seat in the next season');
      await exam.plays();
    },
  },
  {
    name: 'idle-state',
    done: 'table_state comes between hands, without board, actor and hero’s actions.',
    sound: 'It waits for hand_start. It reads no absent field.',
    heading: 'Values',
    notLean: 'it reads no table_state',
    run: async (exam) => {
      await exam.seated();
      await handOver(exam);
      const state = { ...lastState(exam) };
      exam.inject({ ...state, board: [], pot: 0, street: 'idle' });
      await goesOn(exam);
    },
  },
]);

async function seasonEnds(exam: Exam): Promise<void> {
  await exam.server.season.end();
  await exam.see('season_ended', toBot('season_ended'));
  await movesOn(exam);
}

/** Nobody but the bot is there. */
function lonely({ seats, waiting_reason }: Frame): boolean {
  const others = (seats as { seat: number; status: string }[]).filter(({ seat }) => seat !== 0);
  return waiting_reason !== undefined && others.every(({ status }) => status !== 'active');
}
