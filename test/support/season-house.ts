import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { LobbyControl, Left } from '../../src/lobby/index.js';
import { readConfig } from '../../src/ops/config.js';
import { announceToNobody, type Announce } from '../../src/ops/notices.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import { createSeasons } from '../../src/seasons/index.js';
import { buyIn, cashOut, claimShard, openTable, type Fence } from '../../src/shard/commit/queries.js';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { freshDatabase } from './database.js';
import { HOLDER } from './random-table.js';
import { HeldLeadership } from './held-leadership.js';
import { startParts, stopParts } from './parts.js';
import { recordFrame } from './recorder.js';
import { asker } from './rest.js';
import { VirtualClock } from './virtual-clock.js';

/** The calls to the lobby, in order. Tests wait for calls to come. */
export class FloorLog implements LobbyControl {
  readonly calls: Record<string, unknown>[] = [];
  #waiting: { wanted: (call: Record<string, unknown>) => boolean; done: (call: Record<string, unknown>) => void }[] =
    [];
  /** Closing tables takes until this resolves. */
  closing: Promise<void> = Promise.resolve();
  /** The effect of a close on stored tables. */
  closesTables: (poolId: string) => Promise<void> = () => Promise.resolve();

  notify(agentId: string, message: ServerMessage): boolean {
    recordFrame(JSON.stringify(message));
    this.#log({ call: 'notify', agentId, ...message });
    return true;
  }
  broadcast(message: ServerMessage): void {
    recordFrame(JSON.stringify(message));
    this.#log({ call: 'broadcast', ...message });
  }
  disconnect(agentId: string): void {
    this.#log({ call: 'disconnect', agentId });
  }
  updatePlayer(agentId: string, change: object): void {
    this.#log({ call: 'updatePlayer', agentId, ...change });
  }
  rebuyPending(table: string, agentId: string, pending: boolean): void {
    this.#log({ call: 'rebuyPending', table, agentId, pending });
  }
  updateEntry(agentId: string, change: object): void {
    this.#log({ call: 'updateEntry', agentId, ...change });
  }
  windDown(poolId: string): void {
    this.#log({ call: 'windDown', poolId });
  }
  resumePool(poolId: string): void {
    this.#log({ call: 'resumePool', poolId });
  }
  dismiss(agentId: string, competitionId: string): void {
    this.#log({ call: 'dismiss', agentId, competitionId });
  }
  async closePool(poolId: string, reason: string, voidHands?: boolean): Promise<void> {
    this.#log({ call: 'closePool', poolId, reason, ...(voidHands === undefined ? {} : { voidHands }) });
    await this.closing;
    await this.closesTables(poolId);
  }
  seasonOpened(): void {
    this.#log({ call: 'seasonOpened' });
  }

  /** The types of the messages to an agent, in order. */
  sentTo(agentId: string): string[] {
    return this.calls
      .filter((call) => call.call === 'notify' && call.agentId === agentId)
      .map((call) => String(call.type));
  }

  /** The first call, past or to come, that fits. */
  async until(wanted: (call: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const past = this.calls.find(wanted);
    return past ?? new Promise((done) => this.#waiting.push({ wanted, done }));
  }

  #log(call: Record<string, unknown>): void {
    this.calls.push(call);
    const ready = this.#waiting.filter(({ wanted }) => wanted(call));
    this.#waiting = this.#waiting.filter((each) => !ready.includes(each));
    for (const { done } of ready) done(call);
  }
}

/** Seasons on a database of their own: the feature, its lobby, and hands that move chips. */
export class SeasonHouse {
  readonly lobby = new FloorLog();
  readonly clock = new VirtualClock(Date.now());
  readonly seasons: ReturnType<typeof createSeasons>;
  readonly log: string[] = [];
  readonly ask: ReturnType<typeof asker>;
  readonly nodeId = randomUUID();
  readonly leadership: HeldLeadership;
  /** Tells the other nodes, if a test connects some. */
  announce: Announce = announceToNobody;
  #fence: Fence | null = null;
  #table: string | null = null;
  #agents = 0;
  #seats = 0;

  private constructor(
    readonly sql: Database,
    readonly address: DatabaseAddress,
    readonly env: Record<string, string>,
    leads: boolean,
  ) {
    this.leadership = new HeldLeadership(leads);
    // Standings are read before every answer, so that tests need not wait for them.
    const config = readConfig({ LEADERBOARD_REFRESH_MS: '0', ...env });
    const say = (_detail: object, message: string) => void this.log.push(message);
    const log = { info: say, warn: say, error: say };
    this.seasons = createSeasons({
      sql,
      background: sql,
      leadership: this.leadership,
      nodeId: this.nodeId,
      announce: (notice) => this.announce(notice),
      config,
      lobby: this.lobby,
      clock: this.clock,
      log,
    });
    this.ask = asker(this.seasons.routes);
    this.lobby.closesTables = async () => {
      if (this.#table !== null)
        await sql`update tables set status = 'closed', closed_at = now() where table_id = ${this.#table}`;
    };
  }

  /** A started house; with an `address`, another process on the same database, which leads or follows. */
  static async open(
    t: Test,
    env: Record<string, string> = {},
    address?: DatabaseAddress,
    leads = true,
  ): Promise<SeasonHouse> {
    const house = await SeasonHouse.build(t, env, address, leads);
    await startParts(house.seasons, leads);
    return house;
  }

  /** The same house, not started. */
  static async build(
    t: Test,
    env: Record<string, string> = {},
    address?: DatabaseAddress,
    leads = true,
  ): Promise<SeasonHouse> {
    const at = address ?? (await freshDatabase(t));
    const sql = connect(at, { max: 8, name: 'test' });
    const house = new SeasonHouse(sql, at, env, leads);
    t.teardown(async () => {
      await house.stop();
      await sql.end({ timeout: 1 });
    });
    return house;
  }

  /** Stops everything, as the end of a process does. */
  stop(): Promise<void> {
    return stopParts(this.seasons);
  }

  get poolId(): string {
    const season = this.seasons.season.current;
    if (season === null) throw new Error('no season');
    return season.seasonId;
  }

  async agent({ verified = true, house = false } = {}): Promise<string> {
    const agentId = randomUUID();
    const name = `bot_${++this.#agents}`;
    await this.sql`
      insert into agents (agent_id, email, name, key_hash, is_house, email_verified_at, terms_accepted_at)
      values (${agentId}, ${`${name}@example.org`}, ${name}, sha256(${agentId}::bytea), ${house},
        case when ${verified}::boolean then now() end, now())`;
    return agentId;
  }

  /** An agent in the season that has lost all but `left` of its chips. */
  async broke({ left = 0, verified = true, autoRebuy = false } = {}): Promise<string> {
    const agentId = await this.agent({ verified });
    await this.seasons.play.enter(agentId);
    await this.loseAllBut(agentId, left);
    if (autoRebuy) {
      await this.sql`update entries set auto_rebuy = true where pool_id = ${this.poolId} and agent_id = ${agentId}`;
    }
    return agentId;
  }

  /** Moves chips away as play does: a buy-in, a loss at the table (without a winner here), a cash-out of the rest. */
  async loseAllBut(agentId: string, left: number): Promise<Left> {
    const { tableId, fence } = await this.#openTable();
    const { poolId } = this;
    const [entry] = await this.sql<{ chip_balance: number }[]>`
      select chip_balance from entries where pool_id = ${poolId} and agent_id = ${agentId}`;
    const sitting = randomUUID();
    const seat = this.#seats++ % 6;
    await buyIn(this.sql, fence, { poolId, agentId, tableId, seat, sitting, amount: entry?.chip_balance ?? 0 });
    await this.sql`update entries set chips_at_table = ${left} where pool_id = ${poolId} and agent_id = ${agentId}`;
    const balance = await cashOut(this.sql, fence, { poolId, agentId, sitting, stack: left });
    return { t: 'left', table: tableId, poolId, agentId, seat, reason: 'busted', absent: false, stack: left, balance };
  }

  /** Seats an agent and leaves it there. */
  async seat(agentId: string, amount: number): Promise<void> {
    const { tableId, fence } = await this.#openTable();
    const what = { poolId: this.poolId, agentId, tableId, seat: this.#seats++ % 6, sitting: randomUUID(), amount };
    await buyIn(this.sql, fence, what);
  }

  /** Cashes the agent's seat out, with its whole buy-in. */
  async unseat(agentId: string): Promise<void> {
    const { fence } = await this.#openTable();
    const [stay] = await this.sql<{ pool_id: string; sitting: string; chips_at_table: number }[]>`
      select pool_id, sitting, chips_at_table from entries where agent_id = ${agentId} and sitting is not null`;
    if (stay === undefined) throw new Error('the agent has no seat');
    const { pool_id: poolId, sitting, chips_at_table: stack } = stay;
    await cashOut(this.sql, fence, { poolId, agentId, sitting, stack });
  }

  /** A bust as the registry reports it. */
  busts(agentId: string, table = 'T1', balance = 0): void {
    const left = { table, poolId: this.poolId, agentId, seat: 0, reason: 'busted', stack: 0, balance } as const;
    void this.seasons.play.busted({ t: 'left', absent: false, ...left });
  }

  /**
   * Lets time pass, a second at a time, until `done` holds. Time waits for the database's answers, so that no season
   * ends before its first answer.
   */
  async passUntil(done: () => boolean): Promise<void> {
    while (!done()) {
      await this.clock.advance(1000);
      await this.sql`select`;
    }
  }

  /** Waits until this was logged, without passing time. */
  async logged(message: string): Promise<void> {
    while (!this.log.includes(message)) await this.clock.advance(0);
  }

  /** Lets time pass until the agent gets a message of this type. */
  async passUntilSent(agentId: string, type: string): Promise<void> {
    await this.passUntil(() => this.lobby.sentTo(agentId).includes(type));
  }

  /** Makes the agent's last rebuy (or registration) older by these seconds. */
  async age(agentId: string, seconds: number): Promise<void> {
    await this.sql`
      update entries set last_rebuy_at = last_rebuy_at - ${seconds} * interval '1 second',
        registered_at = registered_at - ${seconds} * interval '1 second',
        rebuy_due_at = rebuy_due_at - ${seconds} * interval '1 second'
      where agent_id = ${agentId}`;
  }

  /** Entry, ledger and whether both agree. */
  async books(agentId: string, poolId = this.poolId) {
    const [entry] = await this.sql<
      { chip_balance: number; chips_at_table: number; rebuys: number; rebuy_due_at: Date | null; auto_rebuy: boolean }[]
    >`select chip_balance, chips_at_table, rebuys, rebuy_due_at, auto_rebuy from entries
      where pool_id = ${poolId} and agent_id = ${agentId}`;
    const ledger = await this.sql<{ type: string; amount: number; balance_after: number }[]>`
      select type, amount, balance_after from chip_ledger
      where pool_id = ${poolId} and agent_id = ${agentId} order by entry_id`;
    const sum = ledger.reduce((total, { amount }) => total + amount, 0);
    return { entry, ledger, agrees: sum === (entry?.chip_balance ?? 0) };
  }

  async #openTable(): Promise<{ tableId: string; fence: Fence }> {
    this.#fence ??= { shard: 0, epoch: await claimShard(this.sql, 0, HOLDER) };
    if (this.#table === null) {
      this.#table = randomUUID();
      await openTable(this.sql, this.#fence, { tableId: this.#table, poolId: this.poolId, seqReserved: 1 });
    }
    return { tableId: this.#table, fence: this.#fence };
  }
}
