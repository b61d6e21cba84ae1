import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage, ServerMessageOf } from '../../../src/protocol/server.js';
import { encodeFrame, Opcode } from '../../fuzz/wire.js';
import type { RawSocket } from '../../fuzz/raw-socket.js';
import type { Account } from '../../support/platform.js';
import type { AbuseCase, Ground } from '../case.js';
import { aborted, open } from '../sockets.js';

/** Agents that take seats and play nothing there. */

/** As ghosts come back: before their seats are given up. */
const RETURN_MS = 115_000;
/** A second less than a turn has. */
const SLOW_MS = 119_000;
/** The half of them that are not fast. */
const LONG_MS = 25_000;
const HOPPERS = 150;
/** A little below the limit of messages a second. */
const HOP_MS = 53;

export const say = (socket: RawSocket, message: object) =>
  socket.send(encodeFrame({ opcode: Opcode.text, payload: Buffer.from(JSON.stringify(message)) }));

/** Waits, or until the end. */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined);

/** Connects, joins, and hears; the socket is gone with the signal. */
export function joins(
  ground: Ground,
  account: Account,
  signal: AbortSignal,
  hear: (message: ServerMessage, socket: RawSocket) => void,
): RawSocket {
  const socket: RawSocket = open(ground, account, signal, {
    text: (text) => {
      const message = JSON.parse(text) as ServerMessage;
      if (message.type === 'connected') say(socket, { type: 'join_lobby' });
      hear(message, socket);
    },
  });
  return socket;
}

/** Sits down and cuts its socket, and does so again when its seat is about to be given up. */
async function haunt(ground: Ground, account: Account, signal: AbortSignal, seated: () => void): Promise<void> {
  while (!signal.aborted) {
    const ghost = joins(ground, account, signal, ({ type }) => {
      if (type !== 'table_joined' && type !== 'table_state') return;
      ground.met.count('a held seat');
      ghost.destroy();
      seated();
    });
    await Promise.race([ghost.ended, aborted(signal)]);
    await pause(RETURN_MS, signal);
  }
}

/** Resolves when so many ghosts have their seats. */
async function ghosts(ground: Ground, count: number, signal: AbortSignal): Promise<void> {
  const accounts = await ground.agents(count);
  const seats = accounts.map((account) => new Promise<void>((resolve) => void haunt(ground, account, signal, resolve)));
  await Promise.race([Promise.all(seats), aborted(signal)]);
}

export const act = ({ valid_actions, turn_token, hand_id }: ServerMessageOf['your_turn']) => ({
  type: 'action',
  action: valid_actions[0]!.action,
  client_action_id: turn_token,
  turn_token,
  hand_id,
});

/** Two agents as good as any, who come when the seats are taken: both are to play. */
async function newcomers(ground: Ground, signal: AbortSignal): Promise<void> {
  for (const account of await ground.agents(2)) {
    joins(ground, account, signal, (message, socket) => {
      if (message.type === 'hand_result') ground.met.count('a hand for a newcomer');
      if (message.type === 'table_closed') say(socket, { type: 'join_lobby' });
      if (message.type === 'your_turn') say(socket, act(message));
    });
  }
}

export const ghostSeats: AbuseCase = {
  name: 'ghost-seats',
  what: 'five keys sit down and cut their sockets, and come back every two minutes; two newcomers want to play',
  meets: ['a held seat', 'a hand for a newcomer'],
  run: async (ground, signal) => {
    await ghosts(ground, 5, signal);
    await newcomers(ground, signal);
    await aborted(signal);
  },
};

export const silentSitter: AbuseCase = {
  name: 'silent-sitter',
  what: 'one sits and says nothing, four cut their sockets beside it; two newcomers want to play',
  meets: ['a held seat', 'a silent one', 'a hand for a newcomer'],
  run: async (ground, signal) => {
    const [silent] = await ground.agents(1);
    joins(ground, silent!, signal, ({ type }) => {
      if (type === 'table_joined') ground.met.count('a silent one');
    });
    await ghosts(ground, 4, signal);
    await newcomers(ground, signal);
    await aborted(signal);
  },
};

export const slowPlay: AbuseCase = {
  name: 'slow-play',
  what: 'six agents take 119 s for each turn',
  meets: ['a slow turn'],
  run: async (ground, signal) => {
    for (const account of await ground.agents(6)) {
      joins(ground, account, signal, (message, socket) => {
        if (message.type !== 'your_turn') return;
        ground.met.count('a slow turn');
        void pause(SLOW_MS, signal).then(() => say(socket, act(message)));
      });
    }
    await aborted(signal);
  },
};

export const slowMedian: AbuseCase = {
  name: 'slow-median',
  what: 'three keys beside three fast bots answer every second turn at once and take 25 s for the others; felt a minute later',
  honest: 3,
  afterMs: 60_000,
  meets: ['a slow turn', 'a fast turn', 'others of its pace'],
  run: async (ground, signal) => {
    for (const account of await ground.agents(3)) {
      let turns = 0;
      joins(ground, account, signal, (message, socket) => {
        if (message.type === 'table_closed') {
          if (message.reason === 'pace') ground.met.count('others of its pace');
          return say(socket, { type: 'join_lobby' });
        }
        if (message.type !== 'your_turn') return;
        const isSlow = ++turns % 2 === 0;
        ground.met.count(isSlow ? 'a slow turn' : 'a fast turn');
        void pause(isSlow ? LONG_MS : 0, signal).then(() => say(socket, act(message)));
      });
    }
    await aborted(signal);
  },
};

/** Joins and leaves without a pause. */
async function hop(ground: Ground, account: Account, signal: AbortSignal): Promise<void> {
  const socket = joins(ground, account, signal, (message) => {
    if (message.type === 'table_joined') ground.met.count('a seat');
    if (message.type === 'lobby_joined' && message.estimated_wait !== '~5s') ground.met.count('a wait');
  });
  for (let n = 0; !signal.aborted && !socket.over; n++) {
    say(socket, n % 2 === 0 ? { type: 'leave_table' } : { type: 'join_lobby' });
    await pause(HOP_MS, signal);
  }
}

export const joinLeave: AbuseCase = {
  name: 'join-leave',
  what: `${HOPPERS} sockets join and leave 19 times a second`,
  // A wait is met by who had six seats, which takes longer than most runs.
  meets: ['a seat'],
  run: async (ground, signal) => {
    const accounts = await ground.agents(ground.many(HOPPERS));
    await Promise.all(accounts.map((account) => hop(ground, account, signal)));
  },
};
