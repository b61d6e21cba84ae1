import { casesOf, type Case } from '../case.js';
import { WebSocket } from 'ws';
import { BOT_KEY } from '../server/private-server.js';
import { connecting, goesOn } from './steps.js';
import type { Exam } from '../exam.js';

/** The server ends the socket in the middle of play, and the bot is to come back. */
const comesBack = (code: number, reason: string): Pick<Case, 'heading' | 'run'> => ({
  heading: 'Close codes',
  run: async (exam) => {
    exam.mayTimeOut = true;
    await exam.seated();
    await exam.plays();
    exam.line.close(code, reason);
    await exam.connects('a new connection');
    await goesOn(exam);
  },
});

/** The server ends the socket for good. */
const stays = (code: number, reason: string): Pick<Case, 'heading' | 'run' | 'mayEnd'> => ({
  heading: 'Close codes',
  mayEnd: true,
  run: async (exam) => {
    exam.mayTimeOut = true;
    await exam.seated();
    await exam.plays();
    exam.line.close(code, reason);
    await exam.never(`It connected again after ${code}`, connecting, 3000);
  },
});

/** A second copy of the bot connects with the same key. */
async function takeOver(exam: Exam): Promise<WebSocket> {
  exam.transcript.note('another connection with the same key takes the session over');
  const second = new WebSocket(exam.server.url.replace('http', 'ws') + '/ws', {
    headers: { authorization: `Bearer ${BOT_KEY}` },
  });
  await new Promise((resolve, reject) => second.once('message', resolve).once('error', reject));
  return second;
}

/** Close codes: after some of them a bot comes back, after others it must not. */
export const closeCases: readonly Case[] = casesOf('close', [
  {
    name: '1012-restart',
    done: 'The socket is closed with 1012: the server restarts.',
    sound: 'It connects again and plays on.',
    ...comesBack(1012, 'server is restarting'),
  },
  {
    name: '1012-twice',
    done: 'The socket is closed with 1012, and so is the next one before `connected`.',
    sound: 'It connects again, with a pause.',
    heading: 'Close codes',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      let left = 2;
      exam.wire.toBot = (text, frame, line) => {
        if (frame?.type !== 'connected' || left-- <= 0) return [text];
        line.close(1012, 'server is restarting');
        return [];
      };
      exam.line.close(1012, 'server is restarting');
      await exam.connects('a new connection');
      await goesOn(exam);
    },
  },
  {
    name: '1013-too-slow',
    done: 'The socket is closed with 1013: the bot reads too slowly.',
    sound: 'It connects again. A resync returns the missed events.',
    ...comesBack(1013, 'reader too slow'),
  },
  {
    name: '1008-flooding',
    done: 'The socket is closed with 1008: too many messages.',
    sound: 'It connects again and sends less.',
    ...comesBack(1008, 'too many messages'),
  },
  {
    name: '1009-frame-too-large',
    done: 'The socket is closed with 1009: a frame was too large.',
    sound: 'It connects again and sends less.',
    ...comesBack(1009, 'frame too large'),
  },
  {
    name: '1001-proxy',
    done: 'The socket is closed with 1001, as proxies do.',
    sound: 'It takes it for a lost connection and connects again.',
    ...comesBack(1001, ''),
  },
  {
    name: '1011-error',
    done: 'The socket is closed with 1011, as proxies do.',
    sound: 'It takes it for a lost connection and connects again.',
    ...comesBack(1011, 'internal error'),
  },
  {
    name: '4999-unknown',
    done: 'The socket is closed with a code that does not exist yet.',
    sound: 'It takes it for a lost connection and connects again.',
    ...comesBack(4999, 'something new'),
  },
  {
    name: '4001-in-play',
    done: 'The key is regenerated: the socket is closed with 4001 in the middle of play.',
    sound: 'It stops.',
    ...stays(4001, 'unauthorized'),
  },
  {
    name: '4009-other-scope',
    done: 'The socket is closed with 4009: the agent has a seat in another scope.',
    sound: 'It does not reconnect. It must leave that seat first.',
    ...stays(4009, 'seated in another competition'),
  },
  {
    name: '4003-token-over',
    done: 'The socket is closed with 4003: a bot token expired.',
    sound: 'It gets a new token before it connects again, or stops. It does not retry with the old token.',
    heading: 'Close codes',
    mayEnd: true,
    mayTimeOut: true,
    run: async (exam) => {
      exam.wire.toBot = (text, frame, line) => {
        if (frame?.type !== 'connected') return [text];
        line.close(4003, 'token expired');
        return [];
      };
      exam.start();
      await exam.see('a connection', connecting);
      await exam.pass(3000);
      const { length } = exam.wire.attempts;
      exam.expect(length <= 4, `It connected ${length} times in 3 s with an expired token.`);
    },
  },
  {
    name: '4002-taken-over',
    done: 'A second copy of the bot connects with the same key. The old socket is closed with 4002.',
    sound: 'It stops. If it came back, the two copies would throw each other out for ever.',
    heading: 'Connecting',
    mayEnd: true,
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.plays();
      const second = await takeOver(exam);
      try {
        await exam.never('It connected again after 4002, and took the session from its other copy', connecting, 3000);
      } finally {
        second.terminate();
      }
    },
  },
  {
    name: '4002-in-turn',
    done: 'The same in the middle of its turn, before it could read it.',
    sound: 'It stops, and leaves the turn to the other copy.',
    heading: 'Connecting',
    mayEnd: true,
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      await exam.turn();
      const second = await takeOver(exam);
      try {
        await exam.never('It connected again after 4002, and took the session from its other copy', connecting, 3000);
      } finally {
        second.terminate();
      }
    },
  },
]);
