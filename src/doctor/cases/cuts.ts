import { casesOf, type Case } from '../case.js';
import { fromBot, toBot, type Exam } from '../exam.js';
import type { Entry } from '../wire/transcript.js';
import { isOf } from '../wire/words.js';
import { goesOn, handOver, holdTurn, loseAction } from './steps.js';

/** A lost connection in the given moment; the bot comes back and plays on. */
const cutAfter = (moment: (exam: Exam) => Promise<unknown>): Case['run'] => {
  return async (exam) => {
    exam.mayTimeOut = true;
    await moment(exam);
    exam.line.cut();
    await exam.connects('a new connection');
    await goesOn(exam);
  };
};

/** The connection is lost, at the worst moments. */
export const cutCases: readonly Case[] = casesOf('cut', [
  {
    name: 'after-connected',
    done: 'The connection is cut right after `connected`.',
    sound: 'It connects again and joins the lobby.',
    heading: 'Close codes',
    run: cutAfter((exam) => exam.connects()),
  },
  {
    name: 'in-lobby',
    done: 'The connection is cut while it waits in the lobby.',
    sound: 'It connects again and joins again: a lost socket takes the agent out of the lobby.',
    heading: 'Connecting',
    situation: null,
    run: async (exam) => {
      await exam.connects();
      await exam.see('lobby_joined', toBot('lobby_joined'));
      exam.line.cut();
      await exam.connects('a new connection');
      await exam.joins('join_lobby on the new connection');
      exam.server.openTable();
      await exam.sits();
      await exam.plays();
    },
  },
  {
    name: 'after-seat',
    done: 'The connection is cut right after `table_joined`.',
    sound: 'It connects again and finds its seat.',
    heading: 'Time',
    run: cutAfter((exam) => exam.sits()),
  },
  {
    name: 'between-hands',
    done: 'The connection is cut between two hands.',
    sound: 'It connects again. The server holds its seat.',
    heading: 'Time',
    run: cutAfter(async (exam) => {
      await exam.seated();
      await handOver(exam);
    }),
  },
  {
    name: 'turn-unread',
    done: 'The connection is cut before the bot could read its turn.',
    sound: 'It connects again in time and answers the turn, which is sent again.',
    heading: 'Time',
    run: async (exam) => {
      const held = holdTurn(exam);
      exam.start();
      const { turn_token } = await exam.within('a turn', held);
      exam.line.cut();
      await exam.connects('a new connection');
      await exam.turn('the turn, sent again', (turn) => turn.turn_token === turn_token);
      await exam.accepted('an answer to the turn that was sent again');
      await goesOn(exam);
    },
  },
  {
    name: 'action-lost',
    done: 'The connection is cut after the bot’s answer to its turn. The answer is lost.',
    sound: 'It connects again and answers the turn, which is sent again: the first answer never arrived.',
    heading: 'Time',
    run: async (exam) => {
      const lost = loseAction(exam);
      exam.start();
      const { turn_token } = await exam.within('an action', lost);
      exam.line.cut();
      await exam.connects('a new connection');
      await exam.turn('the turn, sent again', (turn) => turn.turn_token === turn_token);
      await exam.accepted('another answer to the turn with the lost answer');
      await goesOn(exam);
    },
  },
  {
    name: 'ack-lost',
    done: 'The server takes an action. The connection is cut before the bot could read `action_ack`.',
    sound: 'It connects again. It may repeat the action with the same client_action_id, never with another one.',
    heading: 'Actions',
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      exam.wire.toBot = (text, frame) => (isOf(frame, 'action_ack') ? [] : [text]);
      await exam.accepted();
      exam.line.cut();
      exam.wire.toBot = (text) => [text];
      await exam.connects('a new connection');
      await goesOn(exam);
    },
  },
  {
    name: 'others-turn',
    done: 'The connection is cut while an opponent is to act.',
    sound: 'It connects again and waits for its own turn.',
    heading: 'Time',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.cast.hold();
      exam.line.cut();
      await exam.connects('a new connection');
      await exam.pass(700);
      const { number } = exam.line;
      const onLine = (matches: (entry: Entry) => boolean) =>
        exam.transcript.entries.filter((entry) => entry.line === number && matches(entry));
      // An answer may be repeated under its id.
      const answers = new Set(onLine(fromBot('action')).map(({ frame }) => frame?.['client_action_id']));
      exam.expect(answers.size <= onLine(toBot('your_turn')).length, 'It acted though it was not its turn.');
      exam.server.cast.release();
      await goesOn(exam);
    },
  },
  {
    name: 'twice',
    done: 'The connection is cut. The next connection is cut, too, right after `connected`.',
    sound: 'It connects a third time and plays on.',
    heading: 'Close codes',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      exam.line.cut();
      await exam.connects('a second connection');
      exam.line.cut();
      await exam.connects('a third connection');
      await goesOn(exam);
    },
  },
  {
    name: 'hand-passed',
    done: 'The connection breaks and stays broken until the hand is over.',
    sound: 'It comes back to its seat and plays the next hand. It does not act in the old hand.',
    heading: 'Time',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      exam.wire.admit = () => 'reset';
      exam.line.cut();
      await exam.pass(1500);
      exam.wire.admit = () => null;
      await exam.connects('a new connection');
      await goesOn(exam);
    },
  },
  {
    name: 'seat-lost',
    done: 'The bot is away for longer than its seat is held.',
    sound: 'A resync (or a join) tells it that the seat is gone: it joins the lobby again.',
    heading: 'Resync',
    situation: null,
    mayTimeOut: true,
    // It may have joined before it read of the seat's end.
    permits: ['not_at_table', 'already_in_lobby'],
    run: async (exam) => {
      await exam.connects();
      await exam.see('lobby_joined', toBot('lobby_joined'));
      exam.server.openTable({ rules: { disconnectHoldMs: 600 } });
      await exam.sits();
      await exam.plays();
      exam.wire.admit = () => 'reset';
      exam.line.cut();
      await exam.pass(1500);
      exam.server.openTable();
      exam.wire.admit = () => null;
      await exam.connects('a new connection');
      await exam.sits('a new seat');
      await exam.plays();
    },
  },
  {
    name: 'table-gone',
    done: 'While the bot is away its table closes.',
    sound: 'It learns that it has no seat, by `table_not_found` or otherwise, and joins the lobby again.',
    heading: 'Resync',
    mayTimeOut: true,
    permits: ['not_at_table', 'already_in_lobby'],
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.wire.admit = () => 'reset';
      exam.line.cut();
      exam.server.voidTable();
      await exam.pass(1000);
      // The shard forgets closed tables after a while: asked then, it knows nothing.
      const { table } = exam.server;
      exam.wire.toServer = (text, frame, line) => {
        if (frame?.type !== 'resync_request' || frame['table_id'] !== table) return [text];
        line.inject({ type: 'error', code: 'table_not_found', message: 'Table not found' });
        return [];
      };
      exam.server.openTable();
      exam.wire.admit = () => null;
      await exam.connects('a new connection');
      await exam.sits('a new seat');
      await exam.plays();
    },
  },
  {
    name: 'program-restarted',
    done: 'The program is ended in the middle of a hand, and started again: it knows nothing of its seat.',
    sound: 'It connects, is told `already_seated` if it joins, and plays on at its seat.',
    heading: 'Buy-in',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      await exam.restart();
      exam.skip();
      await exam.connects();
      await exam.plays(2, 'a turn of its old seat that the bot answers');
    },
  },
  {
    name: 'restarted-between-hands',
    done: 'The program is ended and started again while its seat is held and no player acts.',
    sound: 'It treats `already_seated` as a seat, not as a failure. It does not ask for another seat forever.',
    heading: 'Buy-in',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.server.cast.hold();
      const { mark } = exam;
      await exam.restart();
      exam.skip();
      await exam.connects();
      await exam.pass(1500);
      const joins = exam.since(mark).filter(fromBot('join_lobby')).length;
      exam.expect(joins <= 2, `It sent join_lobby ${joins} times, though it has a seat.`);
      exam.server.cast.release();
      await exam.plays(1, 'a turn of its old seat that the bot answers');
    },
  },
]);
