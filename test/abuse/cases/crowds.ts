import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage } from '../../../src/protocol/server.js';
import { Cup } from '../../support/cup.js';
import type { Account } from '../../support/platform.js';
import type { AbuseCase, Ground } from '../case.js';
import { aborted, open } from '../sockets.js';
import { act, joins, say } from './seats.js';

/** One person with many connections, keys, tables or bots. */

const CONNECTIONS = 2000;
const POOL_BOTS = 120;
const HOSTED = 120;
const CHURNERS = 20;
/** Honest bots keep this part of their hands beside a crowd. */
const HANDS_SHARE = 0.5;

/** Keeps one connection open that says nothing, and opens another one when it is closed. */
async function hold({ target, met }: Ground, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { host, port, from } = target;
    const began = performance.now();
    const socket: Socket = connect({ host, port, localAddress: from });
    socket.on('error', () => socket.destroy());
    const leave = () => socket.destroy();
    signal.addEventListener('abort', leave, { once: true });
    await once(socket, 'close').catch(() => undefined);
    signal.removeEventListener('abort', leave);
    if (signal.aborted) return;
    // A head that is never sent is waited for some seconds.
    met.count(performance.now() - began < 1000 ? 'closed at once' : 'closed for its silence');
    await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
}

export const connections: AbuseCase = {
  name: 'connections',
  what: `one address opens ${CONNECTIONS} connections that say nothing, and opens each again`,
  handsShare: HANDS_SHARE,
  meets: ['closed at once', 'closed for its silence'],
  small: { CONNECTIONS_PER_ADDRESS: 20 },
  run: async (ground, signal) => {
    await Promise.all(Array.from({ length: ground.many(CONNECTIONS) }, () => hold(ground, signal)));
  },
};

/** Plays what it may, as fast as it can. */
function plays(ground: Ground, account: Account, signal: AbortSignal, path: string): void {
  const socket = open(ground, account, signal, { text: (text) => hear(JSON.parse(text) as ServerMessage) }, path);
  function hear(message: ServerMessage): void {
    switch (message.type) {
      case 'connected':
      case 'table_closed':
      case 'player_left':
        return say(socket, { type: 'join_lobby' });
      case 'your_turn':
        return say(socket, act(message));
      case 'hand_result':
        return ground.met.count('a hand');
      default:
        return;
    }
  }
}

export const organizersPool: AbuseCase = {
  name: 'organizers-pool',
  what: `an organizer's competition with the least pause, in which ${POOL_BOTS} bots answer at once`,
  handsShare: HANDS_SHARE,
  // As in production. The honest have no pause, so that there is something to share.
  env: { COMPETITION_MIN_BETWEEN_HANDS_MS: 1000, BETWEEN_HANDS_MS: 0 },
  meets: ['a hand'],
  run: async (ground, signal) => {
    const accounts = await ground.agents(Math.max(2, ground.many(POOL_BOTS)));
    const chips = { starting_chips: 1_000_000, minimum_buy_in: 1000, default_buy_in: 2000, maximum_buy_in: 5000 };
    const cup = await ground.prepares(
      Cup.open(ground.platform, { between_hands_ms: 1000, participant_cap: 200, ...chips }),
    );
    await ground.prepares(Promise.all(accounts.map((account) => cup.enroll(account))));
    await ground.prepares(cup.step('start'));
    for (const account of accounts) plays(ground, account, signal, `/ws?competition_id=${cup.id}`);
    await aborted(signal);
  },
};

export const hostedQuota: AbuseCase = {
  name: 'hosted-quota',
  what: `one mailbox registers ${HOSTED} agents and has each hosted`,
  handsShare: HANDS_SHARE,
  meets: ['hosted', 'refused 429'],
  run: async (ground, signal) => {
    const accounts = await ground.agents(Math.max(4, ground.many(HOSTED)));
    const { sql } = ground.platform;
    for (const { agentId } of accounts) {
      await sql!`update agents set email = ${`mallory+${agentId}@example.org`} where agent_id = ${agentId}`;
    }
    while (!signal.aborted) {
      for (const { key } of accounts) {
        const { status } = await ground.platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } });
        ground.met.count(status === 200 ? 'hosted' : `refused ${status}`);
      }
    }
  },
};

/** Sits down and cuts its socket as soon as it has a seat, again and again. */
async function churn(ground: Ground, account: Account, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = joins(ground, account, signal, ({ type }) => {
      if (type !== 'table_joined' && type !== 'table_state') return;
      ground.met.count('a seat');
      say(socket, { type: 'leave_table' });
      socket.destroy();
    });
    const ending = await socket.ended;
    if (ending.how === 'refused') await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
}

export const churners: AbuseCase = {
  name: 'churn',
  what: `${CHURNERS} keys from ${CHURNERS} addresses connect, join, sit down, leave and cut their sockets, again at once`,
  handsShare: HANDS_SHARE,
  meets: ['a seat'],
  run: async (ground, signal) => {
    const accounts = await ground.agents(Math.max(2, ground.many(CHURNERS)));
    await Promise.all(
      accounts.map((account, n) => {
        const target = { ...ground.target, from: `127.0.1.${n + 1}` };
        return churn({ ...ground, target }, account, signal);
      }),
    );
  },
};
