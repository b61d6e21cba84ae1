/** `npx agent-poker audit` finds sound books sound, and every fault that is planted in them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { postCredits } from '../../src/credits/index.js';
import { updatePremium } from '../../src/seasons/pass-queries.js';
import { cashOut, commitHands } from '../../src/shard/commit/queries.js';
import { connect, type Database } from '../../src/store/database.js';
import { openEmbedded } from '../../src/store/embedded.js';
import { migrate } from '../../src/store/migrate.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { Crowd, LOAD } from '../chaos/crowd.js';
import { startPlatform } from '../chaos/home.js';
import { plantedMain, wrongBooks } from '../chaos/planted.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { GRANT, openRandomTables } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

/** Two tables of three with some hands played, and one player gone again. */
async function playSome(sql: Database) {
  const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 2, players: 3 });
  for (let round = 0; round < 3; round++) {
    const records = randomTables.map((randomTable) => randomTable.play());
    await commitHands(sql, fence, records);
  }
  const { agentId, sitting, stack } = randomTables[0]!.seated[2]!;
  await cashOut(sql, fence, { poolId, agentId, sitting, stack });
  await buyPass(sql, poolId, agentId);
  return { poolId, randomTables };
}

/** Ten dollars come in, three of them go for a pass. */
async function buyPass(sql: Database, poolId: string, agent: string): Promise<void> {
  const move = (type: 'dev_deposit' | 'season_pass', ucents: number, other: 'deposits' | 'passes') =>
    postCredits(sql, {
      type,
      once: null,
      reference: poolId,
      legs: [
        { account: { agent }, ucents },
        { account: other, ucents: -ucents },
      ],
    });
  await move('dev_deposit', 100_000, 'deposits');
  await move('season_pass', -30_000, 'passes');
  await updatePremium(sql, poolId, agent);
}

async function setUp(t: Test) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  return { address, sql, ...(await playSome(sql)) };
}

/** Has the analytics thread's work done. */
const count = (sql: Database) => new Keeper(sql).round(60_000);

void t.test('sound books are found sound, with the sums of each pool', async (t) => {
  const { sql, poolId } = await setUp(t);
  t.equal((await count(sql)).hands, 18);
  const { ok, problems, lines } = await audit(sql);
  t.same(problems, []);
  t.ok(ok);
  const grants = (6 * GRANT).toLocaleString('en-US');
  t.match(lines.join('\n'), new RegExp(`${poolId}  season +6 +6 +[0-9,]+ +[0-9,]+ +${grants} +${grants} +0\n`));
  t.match(lines.at(-1), 'Every chip is accounted for.');
});

void t.test('an empty database is sound', async (t) => {
  const sql = openPool(t, await freshDatabase(t));
  t.ok((await audit(sql)).ok);
});

/** Each fault, what plants it in sound books, and what the audit must say of it. */
const faults: Record<string, { plant: (sql: Database) => PromiseLike<unknown>; says: RegExp[] }> = {
  'a balance that grew by itself': {
    plant: (sql) => sql`update entries set chip_balance = chip_balance + 1 where hands_played = 3 and table_id is null`,
    says: [/pool .*: 1 chips more than were brought in/, /agent .*: balance -?\d+, ledger -?\d+/],
  },
  'a stack that shrank by itself': {
    plant: (sql) => sql`update entries set chips_at_table = chips_at_table - 7 where seat_no = 0`,
    says: [/pool .*: -14 chips/, /agent .*: \d+ at the table, ledger and hands say \d+/],
  },
  'two stacks that were exchanged': {
    plant: (sql) => sql`update entries set chips_at_table = chips_at_table + case seat_no when 0 then 5 else -5 end
      where seat_no < 2 and chips_at_table >= 5`,
    says: [/agent .*: \d+ at the table, ledger and hands say \d+/],
  },
  'a hand that made chips': {
    plant: (sql) => sql`
      update hand_players set stack_end = stack_end + 3
      where (hand_id, seat) = (select hand_id, seat from hand_players order by hand_id, seat limit 1)`,
    says: [/hand .*: the stacks change by 3 in all/, /hand .*: the record has another stack or player/],
  },
  'a result that is not what the cards and actions lead to': {
    plant: async (sql) => {
      const [row] = await sql<{ hand_id: string; record: Buffer }[]>`select hand_id, record from hands limit 1`;
      const hand = decodeRecord(row!.record);
      const [winner] = hand.players.filter(({ payout }) => payout > 0);
      const record = encodeRecord({
        ...hand,
        players: hand.players.map((player) => (player === winner ? { ...player, payout: player.payout - 1 } : player)),
      });
      await sql`update hands set record = ${record} where hand_id = ${row!.hand_id}`;
    },
    says: [/hand .*: the record has another result than the rules/],
  },
  'a hand from another deck than it was committed to': {
    plant: async (sql) => {
      const [row] = await sql<{ hand_id: string; record: Buffer }[]>`select hand_id, record from hands limit 1`;
      const deal = { secret: '00'.repeat(32), nonces: [], undealt: null };
      const record = encodeRecord({ ...decodeRecord(row!.record), deal });
      await sql`update hands set record = ${record} where hand_id = ${row!.hand_id}`;
    },
    says: [/hand .*: the record has another deck than was committed to/],
  },
  'a record that is another hand': {
    plant: (sql) => sql`
      update hands set record = (select record from hands order by hand_id desc limit 1)
      where hand_id = (select hand_id from hands order by hand_id limit 1)`,
    says: [/hand .*: the record has another id/],
  },
  'a record that broke off': {
    plant: (sql) => sql`update hands set record = substring(record for 100) where hand_number = 1`,
    says: [/hand .*: the record is broken: the record breaks off/],
  },
  'a hand that is gone': {
    plant: (sql) => sql`delete from hands where hand_number = 2`,
    says: [/table .*: at hand 3, stored are 2 \(1 to 3\)/, /hand .* has players but is not stored/],
  },
  'a hand whose players are gone': {
    plant: (sql) => sql`delete from hand_players where hand_id = (select hand_id from hands limit 1)`,
    says: [/agent .*: 3 played/, /hand .*: the record has another stack or player/],
  },
  'a ledger entry that was changed': {
    plant: async (sql) => {
      await sql`alter table chip_ledger disable trigger all`;
      await sql`update chip_ledger set balance_after = balance_after + 1 where type = 'cash_out'`;
    },
    says: [/ledger entry \d+ of agent .*: balance_after \d+, running sum \d+/],
  },
  'a player at a closed table': {
    plant: (sql) => sql`update tables set status = 'closed'`,
    says: [/table .* seat \d: 1 players, table closed/],
  },
  'a stay that began without a buy-in': {
    plant: (sql) => sql`update entries set sitting = gen_random_uuid() where seat_no = 1`,
    says: [/stay .*: 0 buy-ins, 0 cash-outs, seated/, /stay .*: 1 buy-ins, 0 cash-outs, not seated/],
  },
  'hands counted wrong': {
    plant: (sql) => sql`update entries set hands_won = 0`,
    says: [/agent .*: 3 played, 0 won; the hands say 3 and \d/],
  },
  'winnings counted wrong': {
    plant: (sql) => sql`update entries set chips_won = chips_won + 1`,
    says: [/agent .*: \d+ chips won, \d+ lost; the hands say \d+ and \d+/],
  },
  'analytics that counted a hand twice': {
    plant: async (sql) => {
      await count(sql);
      await sql`
        update analytics set hands = hands + 1, unmatched = unmatched - 1
        where agent_id = (select agent_id from analytics limit 1)`;
    },
    says: [/agent .*: analytics has 4 hands, .* the hands say 3/, /agent .*: \(.*\) \(4,.* in all, \(3,.*; 3 hands by/],
  },
  'analytics with a profit that the hands do not have': {
    plant: async (sql) => {
      await count(sql);
      await sql`update analytics set profit = profit + 1`;
    },
    says: [/agent .*: analytics has 3 hands, \d won, profit -?\d+; the hands say 3, \d and -?\d+/],
  },
  'a starting hand that is gone from analytics': {
    plant: async (sql) => {
      await count(sql);
      await sql`delete from analytics_starting_hands`;
    },
    says: [/agent .* by position; 0 hands by starting hand/],
  },
  'credits that came from nowhere': {
    plant: (sql) => sql`update credit_accounts set balance = balance + 1 where agent_id is not null`,
    says: [/credit account \d+ \(.*\): balance 70001, postings 70000$/],
  },
  'a posting that was changed': {
    plant: async (sql) => {
      await sql`alter table credit_postings disable trigger all`;
      await sql`update credit_postings set amount = amount + 1 where amount > 0 and balance_after = 100000`;
    },
    says: [
      /credit account \d+ \(.*\): balance 70000, postings 70001, a running balance is wrong/,
      /credit transaction .* \(dev_deposit\): its legs sum to 1/,
    ],
  },
  'a transaction that moved nothing': {
    plant: async (sql) => {
      await sql`alter table credit_transactions disable trigger all`;
      await sql`insert into credit_transactions (type) values ('prize')`;
    },
    says: [/credit transaction .* \(prize\): its legs sum to $/],
  },
  'a pass that was paid for and taken away': {
    plant: (sql) => sql`update entries set premium = false`,
    says: [/credit transaction .* paid for a pass that its agent does not have/],
  },
};

for (const [fault, { plant, says }] of Object.entries(faults)) {
  void t.test(`${fault} is found`, async (t) => {
    const { sql } = await setUp(t);
    await plant(sql);
    const { ok, problems, lines } = await audit(sql);
    t.notOk(ok);
    for (const pattern of says)
      t.ok(
        problems.some((problem) => pattern.test(problem)),
        String(pattern),
      );
    t.match(lines.at(-1 - problems.length), `${problems.length} problems:`);
  });
}

void t.test('planted together: each fault of the books is found', async (t) => {
  const platform = await startPlatform(t, LOAD, await plantedMain(t, ...wrongBooks));
  const crowd = new Crowd(platform, 1);
  await crowd.gather(6);
  await crowd.moreHands(60);
  const [guest] = crowd.guests;
  guest?.player.send({ type: 'leave_table' });
  await crowd.moreHands(10);
  await platform.stop();
  await crowd.closed();
  const { problems } = await audit(platform.sql!);
  for (const { what, says } of wrongBooks) t.match(problems.join('\n'), says, what);
});

void t.test('the ledger cannot be rewritten without trickery', async (t) => {
  const { sql } = await setUp(t);
  await t.rejects(sql`update chip_ledger set amount = 0`, /append-only/);
  await t.rejects(sql`delete from chip_ledger`, /append-only/);
});

void t.test('`npx agent-poker audit`', async (t) => {
  const run = async (env: Record<string, string>) => {
    const cli = join(import.meta.dirname, '..', '..', 'src', 'admin', 'audit', 'cli.js');
    const child = spawn(process.execPath, [cli], { env: { PATH: process.env['PATH'], ...env }, cwd: tmpdir() });
    const [out, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: code as number, out, problems };
  };

  await t.test('audits DATABASE_URL, and tells by its exit code', async (t) => {
    const { address, sql } = await setUp(t);
    t.match(await run({ DATABASE_URL: address.url }), { code: 0, out: 'Every chip is accounted for.' });
    await sql`update entries set chip_balance = chip_balance + 1`;
    t.match(await run({ DATABASE_URL: address.url }), { code: 1, out: /WRONG {2}a balance is the sum of its ledger/ });
  });

  await t.test('finds the database of DATA_DIR, beside a running server and without one', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'agent-poker-audit-'));
    t.teardown(async () => rmSync(dataDir, { recursive: true, force: true }));
    const database = await openEmbedded({ dataDir, log: silent });
    const sql = connect(database.address, { max: 2, name: 'test' });
    await migrate(sql);
    await playSome(sql);
    t.match(await run({ DATA_DIR: dataDir }), { code: 0, out: 'Every chip is accounted for.' });
    t.same(await sql`select 1 as one`, [{ one: 1 }], 'the server was not disturbed');
    await sql.end();
    await database.stop();
    t.match(await run({ DATA_DIR: dataDir }), { code: 0, out: 'Every chip is accounted for.' });
  });

  await t.test('says so when there is nothing to audit', async (t) => {
    const dataDir = join(tmpdir(), 'agent-poker-none');
    t.match(await run({ DATA_DIR: dataDir }), { code: 2, problems: 'there is no database' });
    t.match(await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }), { code: 2, problems: 'ECONNREFUSED' });
  });
});
