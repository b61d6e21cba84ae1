import type { AbuseCase } from '../case.js';
import { chatters } from '../sockets.js';

/** Messages that are legal by their number, and cost more than a message should. */

const NESTED = '['.repeat(8000) + ']'.repeat(8000);

export const deepJson: AbuseCase = {
  name: 'deep-json',
  what: '50 sockets send 8,000 nested brackets a frame, 20 a second',
  meets: ['error invalid_message', 'error rate_limited'],
  run: (ground, signal) => chatters(ground, signal, { agents: 50, perSecond: 20, say: () => NESTED }),
};

export const rebuyFlood: AbuseCase = {
  name: 'rebuy-flood',
  what: '150 sockets send set_auto_rebuy and rebuy in turn, 19 a second',
  meets: ['error rate_limited'],
  run: (ground, signal) =>
    chatters(ground, signal, {
      agents: 150,
      perSecond: 19,
      say: (n) => (n % 2 === 0 ? { type: 'set_auto_rebuy', enabled: n % 4 === 0 } : { type: 'rebuy', amount: 0 }),
    }),
};

export const nonceFlood: AbuseCase = {
  name: 'nonce-flood',
  what: '100 sockets without a seat send deal_nonce, 19 a second',
  meets: ['error not_at_table'],
  run: (ground, signal) =>
    chatters(ground, signal, {
      agents: 100,
      perSecond: 19,
      say: (n) => ({ type: 'deal_nonce', nonce: n.toString(16).padStart(64, '0') }),
    }),
};

export const seatedNonces: AbuseCase = {
  name: 'seated-nonces',
  what: '60 agents sit down and send a new deal_nonce for their table 19 times a second',
  meets: ['deal_nonce_ack'],
  run: (ground, signal) =>
    chatters(ground, signal, {
      agents: 60,
      perSecond: 19,
      say: (n) =>
        n % 200 === 0 ? { type: 'join_lobby' } : { type: 'deal_nonce', nonce: n.toString(16).padStart(64, '0') },
    }),
};

export const resyncFlood: AbuseCase = {
  name: 'resync-flood',
  what: '300 spectators ask the tables of the honest for a resync, once a second',
  meets: ['resync_response'],
  run: async (ground, signal) => {
    const { body } = await ground.platform.api('GET', '/api/tables');
    const tables = (body as { table_id: string }[]).map(({ table_id }) => table_id);
    const say = (n: number) => ({ type: 'resync_request', table_id: tables[n % tables.length] ?? 'none' });
    await chatters(ground, signal, { agents: 300, perSecond: 1, say });
  },
};
