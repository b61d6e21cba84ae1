import type { Socket } from 'node:net';
import { casesOf, type Case } from '../case.js';
import { CaseFailure, fromBot, toBot } from '../exam.js';
import { isOf } from '../wire/words.js';
import { goesOn, handOver, holdTurn } from './steps.js';

const MEBIBYTE = 1024 * 1024;

/** How long the rest of a write waits for its first half: each is a packet of its own, and is read alone. */
const APART_MS = 1;

/** Each write goes out in two halves. A frame is two writes, its head and what it holds. */
function splitWrites(socket: Socket): void {
  socket.setNoDelay(true);
  const write = socket._write.bind(socket);
  socket._write = (chunk: Buffer | string, encoding, callback) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const half = bytes.length >> 1;
    write(bytes.subarray(0, half), 'buffer' as BufferEncoding, (error) => {
      if (error) return callback(error);
      setTimeout(() => {
        write(bytes.subarray(half), 'buffer' as BufferEncoding, (later) => {
          if (later) callback(later);
          else setTimeout(callback, APART_MS);
        });
      }, APART_MS);
    });
  };
  // Several writes are not to go out as one.
  Object.defineProperty(socket, '_writev', { value: undefined });
}

/** Effects of networks on a stream, short of its end. */
export const networkCases: readonly Case[] = casesOf('network', [
  {
    name: 'slow',
    done: 'Every message takes 300 ms in each direction.',
    sound: 'It plays as always: no action is sent twice with different ids, nothing is given up.',
    heading: 'Time',
    run: async (exam) => {
      exam.wire.delayMs = 300;
      await exam.seated();
      await exam.plays(4);
    },
  },
  {
    name: 'slow-ack',
    done: 'The server’s messages after an action arrive two seconds late.',
    sound: 'It waits. If it repeats the action, then with the same client_action_id.',
    heading: 'Actions',
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      await exam.acts();
      exam.line.holdToBot();
      await exam.pass(2000);
      exam.line.releaseToBot();
      await goesOn(exam);
    },
  },
  {
    name: 'split',
    done: 'Every frame arrives in four pieces, a millisecond apart.',
    sound: 'It puts them together: a WebSocket library does.',
    heading: 'Connecting',
    run: async (exam) => {
      exam.wire.onTcp = (socket) => splitWrites(socket);
      await exam.seated();
      await exam.plays(4);
    },
  },
  {
    name: 'fragments',
    done: 'A message comes in several WebSocket fragments.',
    sound: 'It puts them together: a WebSocket library does.',
    heading: 'Connecting',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const { bot } = exam.line;
      exam.transcript.note('a message in three fragments');
      bot.send('{"type":"something', { fin: false });
      bot.send('_new","text":"of ', { fin: false });
      bot.send('which nobody has heard"}', { fin: true });
      await goesOn(exam);
    },
  },
  {
    name: 'burst',
    done: 'Nothing arrives for a second. Then a whole hand arrives at once.',
    sound: 'It reads them in order, and plays on.',
    heading: 'The envelope',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      exam.line.holdToBot();
      await exam.pass(1000);
      exam.line.releaseToBot();
      await goesOn(exam);
    },
  },
  {
    name: 'stale-turns',
    done: 'A stall delays two turns of the bot until their clocks run out. Then both arrive at once, with the later messages.',
    sound: 'It answers each turn with its own hand_id and turn_token, drops rejected late actions, and plays on.',
    heading: 'Actions',
    settings: { clockMs: 600 },
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await handOver(exam);
      exam.line.holdToBot();
      await exam.pass(1400);
      const { mark } = exam;
      exam.line.releaseToBot();
      await exam.plays(1, 'a turn that the bot answers in time, after the stall');
      const stale = exam.since(mark).filter(toBot('action_rejected')).length;
      exam.expect(stale <= 4, `It was rejected ${stale} times: it repeated actions that came too late.`);
    },
  },
  {
    name: 'action-too-late',
    done: 'The bot’s action is held on its way until the clock has run out.',
    sound: 'It drops the action when it is rejected as stale, and answers its next turn.',
    heading: 'Actions',
    settings: { clockMs: 700 },
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      exam.line.holdToServer();
      await exam.pass(1200);
      const { mark } = exam;
      exam.line.releaseToServer();
      await exam.see('action_rejected', toBot('action_rejected'));
      await exam.plays(2, 'a turn that the bot answers, afterwards');
      const rejected = exam.since(mark).filter(toBot('action_rejected')).length;
      exam.expect(rejected <= 3, `It was rejected ${rejected} times: it repeated the action that came too late.`);
    },
  },
  {
    name: 'ping',
    done: 'The server pings.',
    sound: 'It answers with a pong, as WebSocket libraries do while the program lets them read.',
    heading: 'Connecting',
    run: async (exam) => {
      await exam.seated();
      const { line } = exam;
      line.ping();
      for (let waited = 0; line.pongs === 0 && waited < exam.settings.patienceMs; waited += 100) await exam.pass(100);
      if (line.pongs === 0) throw new CaseFailure('A ping was not answered: a silent socket is dropped in the end.');
      await exam.plays();
    },
  },
  {
    name: 'ping-while-waiting',
    done: 'The server pings while the bot waits in the lobby.',
    sound: 'It answers with a pong, whatever it waits for.',
    heading: 'Connecting',
    situation: null,
    run: async (exam) => {
      await exam.connects();
      await exam.see('lobby_joined', toBot('lobby_joined'));
      const { line } = exam;
      line.ping();
      for (let waited = 0; line.pongs === 0 && waited < exam.settings.patienceMs; waited += 100) await exam.pass(100);
      if (line.pongs === 0) throw new CaseFailure('A ping was not answered: a silent socket is dropped in the end.');
      exam.server.openTable();
      await exam.plays();
    },
  },
  {
    name: 'large-frame',
    done: 'A message of 3 MiB comes, as a resync may be.',
    sound: 'It reads it: a resync answer holds up to 4 MiB of events, so the limit of the library must be raised.',
    heading: 'Resync',
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const { line } = exam;
      exam.transcript.note('a message of 3 MiB');
      line.bot.send(JSON.stringify({ type: 'something_new', text: 'x'.repeat(3 * MEBIBYTE) }));
      await goesOn(exam);
      exam.expect(line.open, 'It lost the connection over a frame of 3 MiB.');
    },
  },
  {
    name: 'same-turn-twice',
    done: 'The bot reads its turn twice, with the same number and token.',
    sound: 'It answers once (or again with the same client_action_id): what does not rise is ignored.',
    heading: 'The envelope',
    run: async (exam) => {
      await exam.seated();
      exam.wire.toBot = (text, frame) => (isOf(frame, 'your_turn') ? [text, text] : [text]);
      const token = (await exam.turn()).turn_token;
      await exam.accepted();
      await exam.pass(300);
      const ids = exam.transcript.entries
        .filter(fromBot('action', ({ turn_token }) => turn_token === token))
        .map(({ frame }) => frame?.['client_action_id']);
      exam.expect(new Set(ids).size <= 1, `It answered one turn with ${new Set(ids).size} different actions.`);
      exam.wire.toBot = (text) => [text];
      await goesOn(exam);
    },
  },
  {
    name: 'turn-after-pause',
    done: 'Its turn comes 600 ms late, when a part of the clock has run.',
    sound: 'It answers at once. The clock started when the server sent the turn.',
    heading: 'Time',
    settings: { clockMs: 3000 },
    run: async (exam) => {
      const held = holdTurn(exam);
      exam.start();
      await exam.within('a turn', held);
      await exam.pass(600);
      exam.line.releaseToBot();
      await exam.turn();
      await exam.accepted();
      await goesOn(exam);
    },
  },
]);
