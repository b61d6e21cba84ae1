import { randomBytes, randomUUID } from 'node:crypto';
import { Accounts } from '../../src/accounts/index.js';
import { dropUnplayed } from '../../src/competitions/index.js';
import { CompetitionScheduler } from '../../src/competitions/life/scheduler.js';
import { Director } from '../../src/competitions/play/director.js';
import { openHands } from '../../src/competitions/queries.js';
import type { Chain, Mined } from '../../src/credits/chain/chain.js';
import { insertDeposit, insertTreasury } from '../../src/credits/chain/deposit-queries.js';
import { Deposits } from '../../src/credits/chain/deposits.js';
import { Signer } from '../../src/credits/chain/signer.js';
import { confirm, fail } from '../../src/credits/chain/signer-queries.js';
import { Sources } from '../../src/credits/chain/sources.js';
import { WouldRevert, type Treasury } from '../../src/credits/chain/treasury.js';
import { withdrawalColumns, type WithdrawalRow } from '../../src/credits/chain/withdrawal-queries.js';
import { requestWithdrawal } from '../../src/credits/chain/withdrawals.js';
import { postCredits } from '../../src/credits/index.js';
import { enqueueEmail } from '../../src/email/index.js';
import { claimEmails } from '../../src/email/queries.js';
import { Deployments } from '../../src/hosted/deployments.js';
import type { Fleet } from '../../src/hosted/fleet.js';
import { updateLastError, upsertDeployment } from '../../src/hosted/queries.js';
import { BotTokens } from '../../src/hosted/tokens.js';
import { insertSeasonEntry } from '../../src/seasons/entry-queries.js';
import { queueReminders } from '../../src/seasons/reminders.js';
import { announceToNobody } from '../../src/ops/notices.js';
import { beginFirst, rollOver } from '../../src/seasons/transition.js';
import { transaction, type Database } from '../../src/store/database.js';
import type { Leadership } from '../../src/store/node/leadership.js';
import { CompetitionHouse } from './competition-house.js';
import { freshPool, silent, type Scope } from './database.js';
import { FloorLog } from './season-house.js';
import { eventually } from './limits.js';
import { VirtualClock } from './virtual-clock.js';

/** A database with work for the leader. */
export interface Writing {
  sql: Database;
  write(): Promise<unknown>;
}

/** A writer of the leader alone. It is tested with its old right after a takeover. */
export interface LeaderWriter {
  name: string;
  /** `lost`: whether the writer learned of another leader, for writers that end without an error. */
  prepare(t: Scope, leadership: Leadership, lost: () => boolean): Promise<Writing>;
}

const season = () => ({ seasonId: randomUUID(), start: new Date(), end: new Date(Date.now() + 3_600_000) });

async function newAgent(sql: Database, { wallet = null }: { wallet?: string | null } = {}): Promise<string> {
  const agentId = randomUUID();
  const name = `bot_${agentId.slice(0, 8)}`;
  await sql`
    insert into agents (agent_id, email, name, key_hash, wallet_address, email_verified_at, terms_accepted_at, runtime)
    values (${agentId}, ${`${name}@example.org`}, ${name}, sha256(${agentId}::bytea), ${wallet}, now(), now(), 'hosted')`;
  return agentId;
}

/** A playing competition, a day later, when its end has come. */
async function competition(t: Scope, leadership: Leadership, state: 'active' | 'ending') {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  await house.stop();
  const { sql, lobby, clock, pools } = house;
  await house.pass(25);
  if (state === 'ending') await sql`update competitions set state = 'ending'`;
  const director = new Director({ sql, pools, lobby });
  const options = { sql, leadership, director, clock, log: silent, announce: announceToNobody };
  const time = new CompetitionScheduler({ mostHands: 1_000_000, ...options });
  // After the tables are closed, its work repeats until there is a database.
  t.teardown(async () => time.stop());
  return { house, id, time };
}

const [WALLET, TREASURY] = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'];
const TX = `0x${'7'.repeat(64)}`;
const BLOCK = `0x${'8'.repeat(64)}`;
const transfers = [{ from: WALLET!, to: TREASURY!, logIndex: 0, units: 12_345n }];
const paying = [{ from: TREASURY!, to: WALLET!, logIndex: 0, units: 5_000_000n }];
const MINED: Mined = { succeeded: true, blockNumber: 7, blockHash: BLOCK, transfers };

/** A deposit with the state that the chain shows. */
async function deposit(t: Scope, leadership: Leadership, status: string, seen: Partial<Mined> | null, depth = 1) {
  const sql = await freshPool(t);
  const agentId = await newAgent(sql);
  const place = { units: 12_345, log_index: 0, block_number: 7, block_hash: BLOCK };
  const who = { agent_id: agentId, wallet: WALLET!, treasury: TREASURY!, proof_id: null };
  await insertDeposit(sql, { deposit_id: randomUUID(), tx_hash: TX, ...who, ...place });
  await sql`update deposits set status = ${status}`;
  const chain = {
    treasury: TREASURY,
    check: () => Promise.resolve(),
    mined: () => Promise.resolve(seen && { ...MINED, ...seen }),
    confirmations: () => Promise.resolve(depth),
    replaced: () => Promise.resolve(true),
    // No block is where it was.
    block: () => Promise.resolve({ number: 7, hash: `0x${'cd'.repeat(32)}`, parentHash: BLOCK, transactions: [] }),
  } as unknown as Chain;
  const sources = new Sources(sql, chain, { proof: 'off', funding: [] });
  return {
    sql,
    deposits: new Deposits({ sql, leadership, chain, confirmations: 12, watchHours: 24, sources, log: silent }),
  };
}

/** A signer with a chain that refuses every payment, and one queued payment. */
async function signer(t: Scope, leadership: Leadership) {
  const sql = await freshPool(t);
  const chain = {
    treasury: TREASURY,
    check: () => Promise.resolve(),
    count: () => Promise.resolve(0),
  } as unknown as Chain;
  const treasury = { sign: () => Promise.reject(new WouldRevert('never')) } as unknown as Treasury;
  const queue = async () => {
    const agentId = await newAgent(sql, { wallet: WALLET! });
    const legs = [
      { account: 'deposits' as const, ucents: -1_000_000 },
      { account: { agent: agentId }, ucents: 1_000_000 },
    ];
    await postCredits(sql, { type: 'dev_deposit', once: null, reference: null, legs });
    const limits = { minimum: 100, maximum: 10_000, daily: 50_000 };
    await transaction(sql, (tx) => requestWithdrawal(tx, { agentId, amount: 5, limits, own: {} }));
  };
  const options = { sql, leadership, chain, treasury, confirmations: 12, watchHours: 24, raiseMs: 60_000, log: silent };
  return { sql, queue, chain, signer: new Signer(options) };
}

/** A decided withdrawal. By now the chain shows another result: other transfers of its transaction, or none. */
async function decided(t: Scope, leadership: Leadership, status: 'confirmed' | 'failed', seen: Partial<Mined> | null) {
  const { sql, queue, chain, ...signing } = await signer(t, leadership);
  await queue();
  await signing.signer.round();
  await sql`
    insert into withdrawal_transactions (tx_hash, withdrawal_id, nonce, raw, max_fee, priority_fee, treasury)
    select ${TX}, withdrawal_id, 0, '0x', 1, 1, ${TREASURY!} from withdrawals`;
  await sql`update withdrawals set nonce = 0, treasury = ${TREASURY!}`;
  const [row] = await sql<WithdrawalRow[]>`select ${withdrawalColumns(sql)} from withdrawals`;
  const decision = { txHash: TX, confirmations: 12, blockNumber: 7, blockHash: BLOCK };
  await transaction(sql, async (tx) => {
    if (status === 'confirmed') await confirm(tx, 1, row!, decision);
    else await fail(tx, 1, row!, 'reverted', decision);
  });
  Object.assign(chain, {
    mined: () => Promise.resolve(seen && { ...MINED, ...seen }),
    replaced: () => Promise.resolve(true),
    confirmations: () => Promise.resolve(12),
    block: () => Promise.resolve({ number: 7, hash: TX, parentHash: BLOCK, transactions: [] }),
  });
  return { sql, write: () => signing.signer.round() };
}

/** An agent with a deployed hosted bot, in a season. */
async function hosted(t: Scope, leadership: Leadership) {
  const sql = await freshPool(t);
  const clock = new VirtualClock(Date.now());
  await beginFirst(sql, leadership, season());
  const agentId = await newAgent(sql);
  await upsertDeployment(sql, agentId, new Date());
  const [row] = await sql<{ generation: number }[]>`select runtime_generation as generation from agents`;
  const bot = { agentId, generation: row!.generation };
  return { sql, clock, bot, tokens: new BotTokens({ sql, leadership, clock, minutes: 60, log: silent }) };
}

export const leaderWriters: readonly LeaderWriter[] = [
  {
    name: 'the first season',
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      return { sql, write: () => beginFirst(sql, leadership, season()) };
    },
  },
  {
    name: 'from one season to the next',
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      const { season_id: seasonId } = await beginFirst(sql, leadership, season());
      const ending = { seasonId, prizePoolCents: 1000, rebuyPenalty: 1500 };
      return { sql, write: () => rollOver(sql, leadership, ending, season()) };
    },
  },
  {
    name: 'reminders that a season ends soon',
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      const { season_id: seasonId } = await beginFirst(sql, leadership, season());
      await insertSeasonEntry(sql, seasonId, await newAgent(sql), 5000);
      return { sql, write: () => queueReminders(sql, leadership, seasonId) };
    },
  },
  {
    name: 'a date of a competition',
    async prepare(t, leadership) {
      const { house, time } = await competition(t, leadership, 'active');
      return { sql: house.sql, write: () => time.start() };
    },
  },
  {
    name: 'the results of a competition',
    async prepare(t, leadership, lost) {
      const { house, id, time } = await competition(t, leadership, 'ending');
      const over = async () => lost() || (await house.stateOf(id)) !== 'ending';
      const write = () => time.start().then(() => eventually('its tables to close', over));
      return { sql: house.sql, write };
    },
  },
  {
    name: 'room for hands that is dropped',
    async prepare(t, leadership) {
      const house = await CompetitionHouse.open(t);
      const { competition_id: id } = await house.created(await house.agent());
      const { sql } = house;
      await transaction(sql, (tx) => openHands(tx, id));
      return { sql, write: () => dropUnplayed({ sql, leadership, log: silent }) };
    },
  },
  ...(['to be sent', 'that are too late'] as const).map((which): LeaderWriter => ({
    name: `mails ${which}`,
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      const expiresAt = which === 'to be sent' ? {} : { expiresAt: new Date(0) };
      await enqueueEmail(sql, [{ dedupeKey: 'a', to: 'a@example.org', subject: 's', text: 't', ...expiresAt }]);
      const write = () => claimEmails(sql, leadership, { limit: 4, leaseMs: 60_000, holding: [] });
      return { sql, write };
    },
  })),
  {
    name: 'the treasury',
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      return { sql, write: () => insertTreasury(sql, leadership, TREASURY!) };
    },
  },
  ...(
    [
      ['that is not deep enough', 'pending', {}, 1],
      ['that is credited', 'pending', {}, 12],
      ['that the chain has dropped', 'pending', null, 0],
    ] as const
  ).map(([which, status, seen, depth]): LeaderWriter => ({
    name: `a deposit ${which}`,
    async prepare(t, leadership) {
      const { sql, deposits } = await deposit(t, leadership, status, seen, depth);
      return { sql, write: () => deposits.followAll() };
    },
  })),
  ...(
    [
      ['that lies in another block', { blockHash: TX }],
      ['that is lost', null],
    ] as const
  ).map(([which, seen]): LeaderWriter => ({
    name: `a credited deposit ${which}`,
    async prepare(t, leadership) {
      const { sql, deposits } = await deposit(t, leadership, 'confirmed', seen);
      return { sql, write: () => deposits.watchCredited() };
    },
  })),
  {
    name: 'taking the signing over',
    async prepare(t, leadership) {
      const { sql, signer: own } = await signer(t, leadership);
      return { sql, write: () => own.round() };
    },
  },
  {
    name: 'a withdrawal, by a signer that nobody has followed yet',
    async prepare(t, leadership) {
      const { sql, queue, signer: own } = await signer(t, leadership);
      await own.round();
      await queue();
      return { sql, write: () => own.round() };
    },
  },
  ...(
    [
      ['a paid withdrawal that is dropped', 'confirmed', null],
      ['a paid withdrawal that has moved', 'confirmed', { transfers: paying, blockHash: TX }],
      ['a failed withdrawal that is dropped', 'failed', null],
      ['a failed withdrawal that is paid after all', 'failed', { transfers: paying, blockHash: TX }],
    ] as const
  ).map(([name, status, seen]): LeaderWriter => ({
    name,
    prepare: (t, leadership) => decided(t, leadership, status, seen),
  })),
  {
    name: 'tokens of hosted bots',
    async prepare(t, leadership) {
      const { sql, tokens, bot } = await hosted(t, leadership);
      return { sql, write: () => tokens.issueOwn([bot]) };
    },
  },
  {
    name: 'tokens of hosted bots that live on',
    async prepare(t, leadership) {
      const { sql, tokens, bot, clock } = await hosted(t, leadership);
      await tokens.issueOwn([bot]);
      await clock.advance(60_000);
      return { sql, write: () => tokens.extend([bot.agentId]) };
    },
  },
  {
    name: 'the trouble of a hosted bot',
    async prepare(t, leadership) {
      const { sql, bot } = await hosted(t, leadership);
      return { sql, write: () => updateLastError(sql, leadership, { ...bot, error: randomBytes(4).toString('hex') }) };
    },
  },
  {
    name: 'a hosted bot whose owner plays again',
    async prepare(t, leadership) {
      const { sql, tokens, clock, bot } = await hosted(t, leadership);
      const fleet = { drop: () => undefined } as unknown as Fleet;
      const options = {
        sql,
        leadership,
        tokens,
        fleet,
        clock,
        log: silent,
        season: () => null,
        most: { ofOwner: 3, inAll: 500 },
      };
      const plan = { style: null } as never;
      return { sql, write: () => new Deployments(options).takenOver({ ...bot, plan }) };
    },
  },
  {
    name: 'the key of a house bot',
    async prepare(t, leadership) {
      const sql = await freshPool(t);
      const accounts = new Accounts({ sql, lobby: new FloorLog(), emailVerified: true });
      return { sql, write: () => accounts.houseBot(leadership, 1) };
    },
  },
];
