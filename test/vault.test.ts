import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import * as entryQueries from '../src/seasons/entry-queries.js';
import type { Standing } from '../src/rebuys/pool.js';
import * as rebuyQueries from '../src/rebuys/queries.js';
import { seasonRebuyPool } from '../src/seasons/rebuy-pool.js';
import * as seasonQueries from '../src/seasons/queries.js';
import { queueReminders } from '../src/seasons/reminders.js';
import type { SeasonRules } from '../src/seasons/rules.js';
import { rollOver } from '../src/seasons/transition.js';
import { prepareTables } from '../src/shard/boot.js';
import * as shardQueries from '../src/shard/queries.js';
import { codeOf, transaction, type Database } from '../src/store/database.js';
import type { HandPlayer, HandRecord } from '../src/table/api.js';
import { Dice } from './sim/dice.js';
import type { Agent } from './sim/vault/rows.js';
import * as seasons from './sim/vault/seasons.js';
import { Vault } from './sim/vault/vault.js';
import { freshPool, stopCluster } from './support/database.js';

/**
 * The simulation is worth no more than the database it plays on. Here the vault and a real PostgreSQL are asked the same,
 * sense and nonsense, thousands of times: they must answer alike, refuse alike, and hold the same rows in the end.
 */

t.setTimeout(300_000);
t.teardown(stopCluster);

const STEPS = 3_000;
/** It goes on until every kind of answer was given, so long at most. */
const MOST_STEPS = 20_000;
const SEED = Number(process.env['SEED'] ?? randomInt(1_000_000_000));

const RULES: SeasonRules = {
  lengthSeconds: 3600,
  windDownSeconds: 60,
  startingChips: 5_000,
  minimumBuyIn: 1_000,
  rebuyChips: 1_500,
  rebuyPenalty: 1_500,
  rebuyCooldowns: [0, 500, 1_000],
  rebuyCooldownsPro: [0, 100],
  rebuyWhen: 'below_buy_in',
  prizePoolCents: 0,
  endingSoonSeconds: 0,
};
/** What `later` lets pass, in seconds. */
const LATER = 600;

const rebuyPool = (seasonId: string) => seasonRebuyPool(seasonId, RULES);

/** Dates are by two clocks. */
const timeless = (standing: Standing | undefined) =>
  standing && { ...standing, available_at: null, wait_ms: standing.wait_ms > 0 };
const undated = (state: rebuyQueries.RebuyState | undefined) =>
  state && { ...timeless(state), rebuy_due_at: state.rebuy_due_at !== null };

/** One statement, as both are asked it. */
interface Step {
  what: string;
  real: () => Promise<unknown>;
  vault: () => unknown;
}

/** The answer in words that do not depend on the clock: a value, or why there is none. */
async function outcome(answer: () => unknown): Promise<unknown> {
  try {
    return (await answer()) ?? null;
  } catch (error) {
    const { name, message } = error as Error;
    const { reason } = error as { reason?: string };
    if (codeOf(error) === '23505' || message.includes('unique')) return 'unique violation';
    if (codeOf(error) === 'AP001') return 'refused';
    if (name === 'Fenced') return 'fenced';
    return reason === 'hand' ? 'no such hand' : (reason ?? String(error));
  }
}

/** Both databases, and chance, which asks them. */
class Twins {
  readonly vault = new Vault(() => Date.now());
  readonly #dice = new Dice(SEED);
  readonly #agents: string[] = [];
  readonly #tables = Array.from({ length: 4 }, () => this.#id());
  readonly #sittings: string[] = [];
  readonly #records: HandRecord[] = [];
  #pool = this.#id();

  constructor(private readonly sql: Database) {}

  #id(): string {
    return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => this.#dice.int(0, 15).toString(16));
  }

  async begin(): Promise<void> {
    for (let n = 0; n < 5; n++) {
      const agentId = this.#id();
      this.#agents.push(agentId);
      const emailVerified = n !== 1;
      await this.sql`
        insert into agents (agent_id, email, name, key_hash, terms_accepted_at, email_verified_at)
        values (${agentId}, ${`${agentId}@example.org`}, ${`bot_${n}`}, sha256(${agentId}::text::bytea), now(),
          ${emailVerified ? new Date() : null})`;
      const agent: Agent = { agentId, name: `bot_${n}`, emailVerified, ...NOBODY };
      this.vault.agents.set(agentId, agent);
    }
  }

  next(): Step {
    return this.#dice.pick(this.#statements)();
  }

  #some<T>(list: readonly T[]): T {
    return this.#dice.pick(list);
  }

  /** Mostly the present epoch, and with a table mostly that of its shard. */
  #fence(tableId = ''): shardQueries.Fence {
    const own = this.#dice.chance(0.9) ? this.vault.tables.get(tableId)?.shardNo : undefined;
    const shard = own ?? this.#dice.int(0, 1);
    const epoch = (this.vault.epochs.get(shard) ?? 0) - (this.#dice.chance(0.08) ? 1 : 0);
    return { shard, epoch };
  }

  #agent(): string {
    return this.#some(this.#agents);
  }

  #statement(what: string, real: () => Promise<unknown>, vault: () => unknown): Step {
    return { what, real, vault };
  }

  /** Those that stand twice are asked more often. */
  readonly #statements: readonly (() => Step)[] = [
    () => this.#claim(),
    () => this.#open(),
    () => this.#buyIn(),
    () => this.#buyIn(),
    () => this.#buyIn(),
    () => this.#cashOut(),
    () => this.#cashOut(),
    () => this.#skim(),
    () => this.#commit(),
    () => this.#commit(),
    () => this.#commit(),
    () => this.#adopt(),
    () => this.#reserve(),
    () => this.#close(),
    () => this.#closeAbandoned(),
    () => this.#stored(),
    () => this.#prepare(),
    () => this.#register(),
    () => this.#register(),
    () => this.#autoRebuy(),
    () => this.#autoRebuy(),
    () => this.#grant(),
    () => this.#grant(),
    () => this.#grant(),
    () => this.#rebuyState(),
    () => this.#schedule(),
    () => this.#due(),
    () => this.#settleDue(),
    () => this.#lose(),
    () => this.#lose(),
    () => this.#later(),
    () => this.#openSeason(),
    () => this.#endSeason(),
    () => this.#remind(),
  ];

  #claim(): Step {
    if (this.#dice.chance(0.6)) return this.#open();
    const shard = this.#dice.int(0, 1);
    const { sql, vault } = this;
    return this.#statement(`claim ${shard}`, () => shardQueries.claimShard(sql, shard), () => vault.claimShard(shard)); // prettier-ignore
  }

  #open(): Step {
    const { sql, vault } = this;
    const fence = this.#fence();
    const table = { tableId: this.#some(this.#tables), poolId: this.#pool, seqReserved: this.#dice.int(1, 1e6) };
    if (!vault.entries.has(table.poolId)) return this.#openSeason();
    return this.#statement('open', () => shardQueries.openTable(sql, fence, table), () => vault.openTable(fence, table)); // prettier-ignore
  }

  #buyIn(): Step {
    const { sql, vault } = this;
    const tableId = this.#some(this.#tables);
    const fence = this.#fence(tableId);
    const fresh = this.#id();
    const again = this.#sittings.length > 0 && this.#dice.chance(0.1);
    const stay = {
      poolId: this.#pool,
      agentId: this.#agent(),
      tableId,
      seat: this.#dice.int(0, 1),
      sitting: again ? this.#some(this.#sittings) : fresh,
      amount: this.#some([1_000, 1_000, 1_000, 500, 500, 2_000, 5_000, 0, -5, 6_000]),
    };
    if (!again) this.#sittings.push(fresh);
    return this.#statement(
      `buy in ${JSON.stringify(stay)}`,
      () => shardQueries.buyIn(sql, fence, stay),
      () => vault.buyIn(fence, stay),
    );
  }

  #cashOut(): Step {
    const { sql, vault } = this;
    const entry = this.#dice.chance(0.9) ? this.#seated() : undefined;
    const fence = this.#fence(entry?.tableId ?? '');
    const stay = {
      poolId: this.#pool,
      agentId: entry?.agentId ?? this.#agent(),
      sitting: entry?.sitting ?? (this.#sittings.length > 0 ? this.#some(this.#sittings) : this.#id()),
      stack: (entry?.chipsAtTable ?? 1_000) + (this.#dice.chance(0.2) ? 1 : 0),
    };
    return this.#statement(
      `cash out ${JSON.stringify(stay)}`,
      () => shardQueries.cashOut(sql, fence, stay),
      () => vault.cashOut(fence, stay),
    );
  }

  #skim(): Step {
    const { sql, vault } = this;
    const entry = this.#dice.chance(0.95) ? this.#seated() : undefined;
    const fence = this.#fence(entry?.tableId ?? '');
    const excess = this.#some([1, 200, 400]);
    const what = {
      poolId: this.#pool,
      agentId: entry?.agentId ?? this.#agent(),
      sitting: entry?.sitting ?? this.#id(),
      // Now and then as it was before, as if the first answer had been lost.
      stack: Math.max(excess, entry?.chipsAtTable ?? 1_000) + (this.#dice.chance(0.3) ? excess : 0),
      excess,
      handId: this.#dice.chance(0.5) ? this.#id() : null,
    };
    return this.#statement(
      `skim ${JSON.stringify(what)}`,
      () => shardQueries.skim(sql, fence, what),
      () => vault.skim(fence, what),
    );
  }

  #seated() {
    const seated = [...this.vault.allEntries()].filter(
      ({ tableId, poolId }) => tableId !== null && poolId === this.#pool,
    );
    return seated.length === 0 ? undefined : this.#some(seated);
  }

  #commit(): Step {
    const { sql, vault } = this;
    const row = vault.tables.get(this.#some(this.#tables));
    if (row === undefined) return this.#open();
    const fence = this.#fence(row.tableId);
    const repeat = this.#records.length > 0 && this.#dice.chance(0.1);
    const record = repeat ? this.#some(this.#records) : this.#hand(row.tableId, row.handNumber);
    if (!repeat) this.#records.push(record);
    return this.#statement(
      `commit ${JSON.stringify(record)}`,
      () => shardQueries.commitHands(sql, fence, [record]),
      () => vault.commitHands(fence, [record]),
    );
  }

  /** A hand of whoever sits there, now and then with a fault. */
  #hand(tableId: string, handNumber: number): HandRecord {
    const { dice, vault } = { dice: this.#dice, vault: this.vault };
    const faulty = dice.chance(0.15);
    const fault = faulty ? dice.pick(['number', 'stack', 'sum', 'sitting', 'seat']) : 'none';
    const seated = vault.seated(tableId);
    let carried = 0;
    const players = seated.map((entry, i): HandPlayer => {
      const last = i === seated.length - 1;
      const loss = last ? -carried : Math.min(entry.chipsAtTable, dice.pick([0, 10, 400, 5_000]));
      carried += loss;
      const stackStart = entry.chipsAtTable + (fault === 'stack' && i === 0 ? 1 : 0);
      return {
        seat: (entry.seatNo! + (fault === 'seat' && i === 0 ? 1 : 0)) % 6,
        agentId: entry.agentId,
        sitting: fault === 'sitting' && i === 0 ? this.#id() : entry.sitting!,
        name: 'bot',
        stackStart,
        stackEnd: stackStart - loss + (fault === 'sum' && i === 0 ? 7 : 0),
        contributed: 0,
        payout: 0,
        hole: [0, 1],
        shown: false,
        isHouse: false,
      };
    });
    return {
      ...{ handId: this.#id(), tableId, poolId: this.#pool, handNumber: handNumber + (fault === 'number' ? 2 : 1) },
      ...{ button: dice.int(0, 5), bigBlindSeat: dice.int(0, 5), smallBlind: 10, bigBlind: 20 },
      ...{ headsUpBlinds: 'standard', startedAt: 1_000, endedAt: 2_000, players, board: [], boardCount: 0 },
      ...{ actions: [], totalPot: 0, seqReserved: dice.int(1, 3e6) },
    };
  }

  #adopt(): Step {
    const { sql, vault } = this;
    const fence = this.#fence();
    const tables = this.#tables.filter(() => this.#dice.chance(0.4)).map((tableId) => ({ tableId, seqReserved: 5e5 }));
    return this.#statement(
      'adopt',
      async () => [...(await shardQueries.adoptTables(sql, fence, tables))].sort(),
      () => [...vault.adoptTables(fence, tables)].sort(),
    );
  }

  #reserve(): Step {
    const { sql, vault } = this;
    const fence = this.#fence();
    const tableId = this.#some(this.#tables);
    const upTo = this.#dice.int(1, 4e6);
    return this.#statement(
      'reserve',
      () => shardQueries.reserveSeq(sql, fence, tableId, upTo),
      () => vault.reserveSeq(fence, tableId, upTo),
    );
  }

  #close(): Step {
    if (this.#dice.chance(0.3)) return this.#buyIn();
    const { sql, vault } = this;
    const at = this.#dice.int(0, this.#tables.length - 1);
    const tableId = this.#tables[at]!;
    const fence = this.#fence(tableId);
    // A closed table never opens again: another one stands in its place.
    if (vault.seated(tableId).length === 0) this.#tables[at] = this.#id();
    return this.#statement(
      'close',
      () => shardQueries.closeTable(sql, fence, tableId),
      () => vault.closeTable(fence, tableId),
    );
  }

  #closeAbandoned(): Step {
    if (this.#dice.chance(0.9)) return this.#buyIn();
    const { sql, vault } = this;
    return this.#statement(
      'close abandoned',
      () => shardQueries.closeAbandonedTables(sql),
      () => vault.closeAbandonedTables(),
    );
  }

  #stored(): Step {
    const { sql, vault } = this;
    const shard = this.#some([0, 1, undefined]);
    const sorted = (tables: shardQueries.StoredTable[]) => tables.sort((a, b) => (a.tableId < b.tableId ? -1 : 1));
    return this.#statement(
      'stored tables',
      async () => sorted(await shardQueries.storedTables(sql, shard)),
      () => sorted(vault.storedTables(shard)),
    );
  }

  #prepare(): Step {
    if (this.#dice.chance(0.9)) return this.#buyIn();
    const { sql, vault } = this;
    return this.#statement('prepare', () => prepareTables(sql, 2), () => vault.prepareTables(2)); // prettier-ignore
  }

  #register(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    const row = (entry: { chip_balance: number } | undefined) => entry?.chip_balance;
    return this.#statement(
      'register',
      async () => row(await entryQueries.insertEntry(sql, pool, agentId, 5_000)),
      () => seasons.insertEntry(vault, pool, agentId, 5_000)?.chipBalance,
    );
  }

  #autoRebuy(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    const enabled = this.#dice.chance(0.8);
    return this.#statement(
      `auto rebuy ${enabled}`,
      async () => (await rebuyQueries.updateAutoRebuy(sql, pool, agentId, enabled))?.cancelled,
      () => seasons.updateAutoRebuy(vault, pool, agentId, enabled)?.cancelled,
    );
  }

  #grant(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    const scheduled = this.#dice.chance(0.5);
    return this.#statement(
      `grant ${scheduled}`,
      async () => timeless(await rebuyQueries.grantRebuy(sql, rebuyPool(pool), agentId, { scheduled })),
      () => timeless(seasons.grantRebuy(vault, rebuyPool(pool), agentId, scheduled)),
    );
  }

  #rebuyState(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    return this.#statement(
      'rebuy state',
      async () => undated(await rebuyQueries.selectRebuyState(sql, rebuyPool(pool), agentId)),
      () => undated(seasons.rebuyState(vault, rebuyPool(pool), agentId)),
    );
  }

  #schedule(): Step {
    const { sql, vault } = this;
    const agentId = this.#some([null, this.#agent()]);
    const pool = this.#pool;
    const who = (rows: { agent_id: string }[]) => rows.map(({ agent_id }) => agent_id).sort();
    return this.#statement(
      'schedule',
      async () => who(await rebuyQueries.scheduleRebuys(sql, rebuyPool(pool), agentId)),
      () => who(seasons.scheduleRebuys(vault, rebuyPool(pool), agentId)),
    );
  }

  #due(): Step {
    const { sql, vault } = this;
    const pool = this.#pool;
    const who = (rows: { agent_id: string }[], next: number | null) => ({
      due: rows.map(({ agent_id }) => agent_id).sort(),
      next: next === null ? null : next > 0,
    });
    return this.#statement(
      'due',
      async () => who(await rebuyQueries.selectDue(sql, [pool]), await rebuyQueries.selectNextDue(sql, [pool])),
      () => who(seasons.selectDue(vault, pool), seasons.nextDue(vault, pool)),
    );
  }

  #settleDue(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    return this.#statement(
      'settle due',
      () => rebuyQueries.settleDue(sql, rebuyPool(pool), agentId),
      () => seasons.settleDue(vault, rebuyPool(pool), agentId),
    );
  }

  /** An agent without a seat loses its chips, some in so many hands that it is ranked; some get a season pass. */
  #lose(): Step {
    const { sql, vault } = this;
    const agentId = this.#agent();
    const pool = this.#pool;
    const entry = vault.entry(pool, agentId);
    const left = this.#some([0, 700, 1_500]);
    const premium = this.#dice.chance(0.3);
    const played = this.#some([entry?.handsPlayed ?? 0, 10, 12]);
    return this.#statement(
      'lose',
      async () => {
        if (entry?.tableId !== null) return;
        await sql`
          update entries set chip_balance = ${left}, premium = ${premium}, hands_played = ${played}
          where pool_id = ${pool} and agent_id = ${agentId}`;
      },
      () => {
        if (entry?.tableId === null) Object.assign(entry, { chipBalance: left, premium, handsPlayed: played });
      },
    );
  }

  /** Time passes: for rows that is the same as if all had happened earlier. */
  #later(): Step {
    const { sql, vault } = this;
    return this.#statement(
      'later',
      async () => {
        await sql`
          update entries set registered_at = registered_at - ${LATER} * interval '1 second',
            last_rebuy_at = last_rebuy_at - ${LATER} * interval '1 second',
            rebuy_due_at = rebuy_due_at - ${LATER} * interval '1 second'`;
      },
      () => {
        for (const entry of vault.allEntries()) {
          entry.registeredAt -= LATER * 1000;
          if (entry.lastRebuyAt !== null) entry.lastRebuyAt -= LATER * 1000;
          if (entry.rebuyDueAt !== null) entry.rebuyDueAt -= LATER * 1000;
        }
      },
    );
  }

  #openSeason(): Step {
    const { sql, vault } = this;
    const id = this.#id();
    const [start, end] = [new Date(), new Date(Date.now() + 3_600_000)];
    return this.#statement(
      'open a season',
      async () => {
        await transaction(sql, (tx) => seasonQueries.insertSeason(tx, id, start, end));
        this.#pool = id;
      },
      () => {
        const season = seasons.insertSeason(vault, id, start.getTime(), end.getTime());
        if (season === undefined) throw new Error('unique');
      },
    );
  }

  #endSeason(): Step {
    const { sql, vault } = this;
    const pool = this.#pool;
    // While somebody sits it is refused; when nobody does, it ends all there is, so not too often.
    const seldom = this.#seated() === undefined && this.#dice.chance(0.93);
    if (seldom || seasons.activeSeason(vault)?.seasonId !== pool) return this.#register();
    const ending = { seasonId: pool, prizePoolCents: this.#some([0, 1, 999, 100_001]), rebuyPenalty: 1_500 };
    const next = { seasonId: this.#id(), start: new Date(), end: new Date(Date.now() + 3_600_000) };
    return this.#statement(
      'end the season',
      async () => {
        this.#pool = (await rollOver(sql, ending, next)).season_id;
        return { active: this.#pool };
      },
      () => {
        const season = seasons.rollOver(vault, ending, next);
        if (season === undefined) throw Object.assign(new Error('seated'), { code: 'AP001' });
        // Its tables are closed: others stand in their place.
        for (const at of this.#tables.keys()) this.#tables[at] = this.#id();
        return { active: season.seasonId };
      },
    );
  }

  #remind(): Step {
    const { sql, vault } = this;
    const pool = this.#pool;
    return this.#statement('remind', () => queueReminders(sql, pool), () => seasons.queueReminders(vault, pool)); // prettier-ignore
  }

  /** All rows of both, in the same words. */
  async rows(): Promise<[real: unknown, vault: unknown]> {
    const entries = await this.sql`
      select agent_id as "agentId", chip_balance as "chipBalance", chips_at_table as "chipsAtTable",
        table_id as "tableId", seat_no as "seatNo", sitting, rebuys, auto_rebuy as "autoRebuy", premium,
        hands_played as "handsPlayed", hands_won as "handsWon", rebuy_due_at is not null as due
      from entries order by pool_id, agent_id`;
    const tables = await this.sql`
      select table_id as "tableId", shard_no as "shardNo", status, hand_number as "handNumber", button_seat as button,
        big_blind_seat as "bigBlindSeat", seq_reserved as "seqReserved" from tables order by table_id`;
    const [sums] = await this.sql`
      select (select count(*) from chip_ledger) as ledger, (select count(*) from hands) as hands,
        (select count(*) from seasons) as seasons`;
    const standings = await this.sql`
      select season_id as "seasonId", rank, agent_id as "agentId", bot_name as "botName", score,
        chip_balance as "chipBalance", rebuys, hands_played as "handsPlayed", hands_won as "handsWon", badge,
        prize_cents as "prizeCents" from season_standings join seasons using (season_id) order by season_number, rank`;
    const credits = await this.sql`
      select once, coalesce(agent_id::text, kind) as account, amount as ucents
      from credit_postings join credit_transactions using (transaction_id) join credit_accounts using (account_id)
      where kind <> 'deposits' order by once, account`;
    const mails = await this.sql<{ dedupe_key: string }[]>`select dedupe_key from mail_outbox order by dedupe_key`;
    const sorted = [...this.vault.allEntries()].sort((a, b) =>
      `${a.poolId} ${a.agentId}` < `${b.poolId} ${b.agentId}` ? -1 : 1,
    );
    const vault = {
      entries: sorted.map(({ poolId: _, lastRebuyAt: _1, rebuyDueAt, registeredAt: _2, ...entry }) => ({
        ...entry,
        due: rebuyDueAt !== null,
      })),
      tables: [...this.vault.tables.values()]
        .sort((a, b) => (a.tableId < b.tableId ? -1 : 1))
        .map(({ poolId: _, ...table }) => table),
      sums: { ledger: this.vault.ledger.length, hands: this.vault.hands.size, seasons: this.vault.seasons.length },
      standings: this.vault.standings,
      credits: this.vault.credits.toSorted((a, b) => (`${a.once} ${a.account}` < `${b.once} ${b.account}` ? -1 : 1)),
      mails: [...this.vault.mails].sort(),
    };
    const real = {
      ...{ entries: [...entries], tables: [...tables], sums, standings: [...standings] },
      credits: credits.toSorted((a, b) => (`${a.once} ${a.account}` < `${b.once} ${b.account}` ? -1 : 1)),
      mails: mails.map(({ dedupe_key }) => dedupe_key).sort(),
    };
    return [real, vault];
  }
}

const NOBODY = {
  email: '',
  avatarUrl: null,
  slug: null,
  keyHash: '',
  isHouse: false,
  isPlatform: false,
  banned: false,
} as const;

/** What chance must have led to, or the test has tested little. */
const EXPECTED = [
  ...['done', 'balance', 'seated', 'seat_taken', 'table', 'fenced', 'no_entry'].map((end) => `buy in: ${end}`),
  ...['done', 'stack', 'sitting', 'fenced'].map((end) => `cash out: ${end}`),
  ...['nothing', 'no such hand', 'fenced'].map((end) => `commit: ${end}`),
  ...['nothing', 'occupied', 'fenced'].map((end) => `close: ${end}`),
  ...['grant true: done', 'grant true: nothing', 'grant false: done', 'grant false: nothing'],
  ...['open a season: nothing', 'open a season: unique violation', 'end the season: done', 'end the season: refused'],
];

await t.test(`the vault answers ${STEPS} statements as PostgreSQL does (SEED=${SEED})`, async (t) => {
  const twins = new Twins(await freshPool(t));
  await twins.begin();
  const seen = new Map<string, number>();
  const missing = () => [
    ...EXPECTED.filter((kind) => !seen.has(kind)),
    ...(twins.vault.standings.length === 0 ? ['a season that somebody is ranked in'] : []),
  ];
  for (let step = 1; step <= STEPS || (step <= MOST_STEPS && missing().length > 0); step++) {
    const { what, real, vault } = twins.next();
    const [said, ought] = [await outcome(vault), await outcome(real)];
    const kind = `${what.split(' {')[0]}: ${typeof ought === 'string' ? ought : ought === null ? 'nothing' : 'done'}`;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    if (!isDeepStrictEqual(said, ought)) return void t.same(said, ought, `step ${step}: ${what}`);
    if (step % 500 !== 0) continue;
    const [rows, kept] = await twins.rows();
    if (!t.same(kept, rows, `the rows after step ${step}`)) return;
  }
  t.comment([...seen].map(([kind, count]) => `${kind} ${count}`).join(', '));
  t.same(missing(), [], 'chance led to every kind of answer');
});
