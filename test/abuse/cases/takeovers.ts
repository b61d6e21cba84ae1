import type { AbuseCase } from '../case.js';
import { enter } from '../sockets.js';

const AGENTS = 50;

export const takeovers: AbuseCase = {
  name: 'takeovers',
  what: `${AGENTS} agents open one socket after the other, each of which takes the last one over`,
  meets: ['close 4002', 'refused 429'],
  env: { WS_CONNECTS_PER_MINUTE: 1000 },
  small: { WS_CONNECTS_PER_MINUTE: 50 },
  run: async (ground, signal) => {
    const accounts = await ground.agents(ground.many(AGENTS));
    await Promise.all(
      accounts.map(async (account) => {
        while (!signal.aborted) await enter(ground, account, signal);
      }),
    );
  },
};
