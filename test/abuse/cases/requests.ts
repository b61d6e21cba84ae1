import { Agent, request } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { Account } from '../../support/platform.js';
import type { AbuseCase, Ground } from '../case.js';

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/** So many connections ask one request after the other; statuses are counted. */
async function askers(ground: Ground, signal: AbortSignal, count: number, next: () => Asked): Promise<void> {
  const { target, met } = ground;
  const agent = new Agent({ keepAlive: true });
  const ask = ({ method = 'GET', path, headers = {}, body }: Asked): Promise<void> =>
    new Promise((resolve) => {
      const { host, port, from } = target;
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const options = { host, port, localAddress: from, agent, method, path, headers: { ...headers, ...json }, signal };
      const asked = request(options, (answer) => {
        met.count(String(answer.statusCode));
        answer.resume().on('close', resolve);
      });
      asked.on('error', () => resolve()).end(body === undefined ? undefined : JSON.stringify(body));
    });
  const asker = async () => {
    while (!signal.aborted) await ask(next());
  };
  await Promise.all(Array.from({ length: ground.many(count) }, asker));
  agent.destroy();
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const inTurn = <T>(all: readonly T[]) => {
  let n = 0;
  return () => all[n++ % all.length]!;
};

export const randomKeys: AbuseCase = {
  name: 'random-keys',
  what: '150 connections ask with well-formed keys and sessions that nobody holds',
  meets: ['401', '429'],
  run: (ground, signal) => {
    const secret = () => randomBytes(32).toString('base64url');
    const next = inTurn<() => Asked>([
      () => ({ path: '/api/me', headers: bearer(`ap_${secret()}`) }),
      () => ({ path: '/api/competitions', headers: { cookie: `agent_poker_session=${secret()}` } }),
    ]);
    return askers(ground, signal, 150, () => next()());
  },
};

export const healthFlood: AbuseCase = {
  name: 'health-flood',
  what: '50 connections ask /health/ready without a pause',
  meets: ['200', '429'],
  run: (ground, signal) => askers(ground, signal, 50, () => ({ path: '/health/ready' })),
};

export const pageFlood: AbuseCase = {
  name: 'page-flood',
  what: '50 connections ask for pages and for what is not there',
  meets: ['200', '429'],
  run: (ground, signal) => {
    const path = inTurn(['/docs', '/nothing', '/api/openapi.json']);
    return askers(ground, signal, 50, () => ({ path: path() }));
  },
};

export const profileChanges: AbuseCase = {
  name: 'profile-changes',
  what: '100 agents change their profile without a pause',
  meets: ['429'],
  run: async (ground, signal) => {
    const account = inTurn(await ground.agents(ground.many(100)));
    let n = 0;
    await askers(ground, signal, 50, () => ({
      method: 'PATCH',
      path: '/api/me',
      headers: bearer(account().key),
      body: { avatar_url: `https://example.com/${n++}.png` },
    }));
  },
};

export const signInLinks: AbuseCase = {
  name: 'sign-in-links',
  what: '50 connections ask for sign-in links to addresses at random',
  meets: ['429'],
  run: (ground, signal) =>
    askers(ground, signal, 50, () => ({
      method: 'POST',
      path: '/api/auth/request-link',
      body: { email: `${randomBytes(8).toString('hex')}@example.com` },
    })),
};

/** Networks of the attacker, and links that each asks for: together the quota of a mail domain. */
const NETWORKS = 60;
const LINKS = 5;
const AT_ONCE = 6;

/** Asks for a link from an address of the loopback; its status. */
function linkFrom({ target: { host, port }, met }: Ground, from: string, email: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const options = {
      host,
      port,
      localAddress: from,
      agent: false,
      method: 'POST',
      path: '/api/auth/request-link',
      headers,
    };
    const asked = request(options, (answer) => {
      met.count(String(answer.statusCode));
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject).end(JSON.stringify({ email }));
  });
}

export const mailQuota: AbuseCase = {
  name: 'mail-quota',
  what: `${NETWORKS} networks ask for ${LINKS} links each into one mail domain, and to one mailbox of it, again and again`,
  meets: ['202', '429', 'a newcomer is written to', 'an owner is written to'],
  run: async (ground, signal) => {
    const { platform, met } = ground;
    const { key } = await ground.prepares(platform.register('honest'));
    const { body } = await platform.api('GET', '/api/me', { key });
    const { email } = body as { email: string };
    const domain = email.slice(email.indexOf('@') + 1);
    const box = () => `${randomBytes(6).toString('hex')}@${domain}`;
    for (let round = 0; !signal.aborted; round++) {
      const networks = Array.from({ length: NETWORKS }, (_, n) => `127.0.1.${2 + n}`);
      for (let n = 0; n < LINKS && !signal.aborted; n++) {
        for (let at = 0; at < NETWORKS; at += AT_ONCE) {
          const asking = networks.slice(at, at + AT_ONCE);
          await Promise.all(asking.map((from) => linkFrom(ground, from, n === 0 ? email : box())));
        }
      }
      // From a network that has asked for nothing yet: what the attacker has used up is not its own.
      const newcomer = box();
      await linkFrom(ground, `127.0.2.${2 + (round % 200)}`, newcomer);
      const mails = await platform.sql!`select 1 from mail_outbox where recipient = ${newcomer}`;
      if (mails.length > 0) met.count('a newcomer is written to');
      const { status } = await platform.api('POST', '/api/auth/request-link', { key, body: { email } });
      if (status === 202) met.count('an owner is written to');
    }
  },
};

export const competitions: AbuseCase = {
  name: 'competitions',
  what: '50 agents create competitions without a pause, each with an Idempotency-Key of its own',
  meets: ['201', '409'],
  run: async (ground, signal) => {
    const account = inTurn(await ground.agents(ground.many(50)));
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await askers(ground, signal, 50, () => ({
      method: 'POST',
      path: '/api/competitions',
      headers: { ...bearer(account().key), 'idempotency-key': randomBytes(16).toString('hex') },
      body: { name: 'Flood', enrollment_deadline: day(1), starts_at: day(2), ends_at: day(3) },
    }));
  },
};

/** How a link into a new competition of the agent is created. */
async function organized({ platform }: Ground, { key }: Account): Promise<Asked> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const body = { name: 'Links', enrollment_deadline: day(1), starts_at: day(2), ends_at: day(3) };
  const made = await platform.api('POST', '/api/competitions', { key, body });
  const path = `/api/competitions/${(made.body as { competition_id: string }).competition_id}`;
  const { status } = await platform.api('POST', `${path}/open-enrollment`, { key });
  if (status !== 200) throw new Error(`enrollment opened with ${status}`);
  return { method: 'POST', path: `${path}/invite-links`, headers: bearer(key), body: { max_uses: 1 } };
}

export const inviteLinks: AbuseCase = {
  name: 'invite-links',
  what: '20 organizers create and list links into their competitions without a pause',
  meets: ['201', '429'],
  run: async (ground, signal) => {
    const link = inTurn(
      await ground.prepares(
        (async () =>
          Promise.all((await ground.agents(ground.many(20))).map((account) => organized(ground, account))))(),
      ),
    );
    let n = 0;
    await askers(ground, signal, 50, () => {
      const { path, headers, ...creation } = link();
      return { path, headers, ...(n++ % 4 === 0 ? {} : creation) } as Asked;
    });
  },
};

/** A link into a new competition of the agent, good for so many. */
async function linkOf(ground: Ground, account: Account, uses: number): Promise<{ path: string; token: string }> {
  const { path } = await organized(ground, account);
  const made = await ground.platform.api('POST', path, { key: account.key, body: { max_uses: uses } });
  if (made.status !== 201) throw new Error(`the link was answered ${made.status}`);
  return { path: path.replace('/invite-links', ''), token: (made.body as { token: string }).token };
}

export const slowWrites: AbuseCase = {
  name: 'slow-writes',
  what: '50 agents on 200 connections come into one competition and leave it without a pause: each write waits for its row',
  meets: ['200'],
  run: async (ground, signal) => {
    const [organizer, ...others] = await ground.prepares(ground.agents(1 + ground.many(50)));
    const { path, token } = await ground.prepares(linkOf(ground, organizer!, Math.max(1, others.length)));
    const account = inTurn(others);
    let n = 0;
    await askers(ground, signal, 200, () => {
      const { key } = account();
      const enters = Math.floor(n++ / others.length) % 2 === 0;
      return {
        method: 'POST',
        path: enters ? '/api/competition-invites/accept' : `${path}/withdraw`,
        headers: { ...bearer(key), ...(enters ? { 'x-competition-invite-token': token } : {}) },
        ...(enters ? { body: {} } : {}),
      };
    });
  },
};

export const idempotencyKeys: AbuseCase = {
  name: 'idempotency-keys',
  what: '50 agents post deposits without a pause, each with an Idempotency-Key of its own of 2,000 bytes',
  meets: ['200'],
  run: async (ground, signal) => {
    const account = inTurn(await ground.agents(ground.many(50)));
    await askers(ground, signal, 50, () => ({
      method: 'POST',
      path: '/api/deposit/dev',
      headers: { ...bearer(account().key), 'idempotency-key': randomBytes(1000).toString('hex') },
      body: { amount: 1 },
    }));
  },
};

export const reading: AbuseCase = {
  name: 'reading',
  what: '100 agents read what costs most to answer without a pause: history, analytics, leaderboards, ledgers',
  meets: ['200', '429'],
  run: async (ground, signal) => {
    const account = inTurn(await ground.agents(ground.many(100)));
    const path = inTurn([
      '/api/me/hand-history?limit=200',
      '/api/analytics',
      '/api/season/leaderboard?limit=200',
      '/api/season-chip-ledger?limit=200',
      '/api/transactions?limit=200',
    ]);
    await askers(ground, signal, 50, () => ({ path: path(), headers: bearer(account().key) }));
  },
};
