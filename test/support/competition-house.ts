import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { EmailQuota } from '../../src/email/index.js';
import { createCompetitions, LivePools } from '../../src/competitions/index.js';
import { createHistory } from '../../src/history/index.js';
import { readConfig } from '../../src/ops/config.js';
import { announceToNobody, type Announce } from '../../src/ops/notices.js';
import type { Competition } from '../../src/protocol/rest/competition-record.js';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { HOUR } from './competition-life.js';
import { freshDatabase, type Scope } from './database.js';
import { HeldLeadership } from './held-leadership.js';
import { startParts, stopParts } from './parts.js';
import { asker, type RestAnswer } from './rest.js';
import { FloorLog } from './season-house.js';
import { VirtualClock } from './virtual-clock.js';

export type CompetitionBody = Static<typeof Competition>;

/** Competitions on a database of their own: the feature, its lobby, and its time. */
export class CompetitionHouse {
  readonly lobby = new FloorLog();
  readonly log: string[] = [];
  readonly pools: LivePools;
  readonly competitions: ReturnType<typeof createCompetitions>;
  readonly past: ReturnType<typeof createHistory>;
  readonly ask: ReturnType<typeof asker>;
  readonly nodeId = randomUUID();
  /** Tells the other nodes, if a test connects some. */
  announce: Announce = announceToNobody;

  private constructor(
    readonly sql: Database,
    readonly address: DatabaseAddress,
    readonly clock: VirtualClock,
    env: Record<string, string>,
    leads: boolean,
  ) {
    const { lobby } = this;
    const say = (_detail: object, message: string) => void this.log.push(message);
    const log = { info: say, warn: say, error: say };
    this.pools = new LivePools(sql);
    this.past = createHistory({ sql, address, season: () => null, now: () => clock.now() });
    this.competitions = createCompetitions({
      sql,
      background: sql,
      leadership: new HeldLeadership(leads),
      nodeId: this.nodeId,
      config: readConfig(env),
      pools: this.pools,
      lobby,
      clock,
      log,
      views: {
        listTables: () => Promise.resolve([]),
        activeGame: () => Promise.resolve(null),
        tableState: () => Promise.resolve(null),
      },
      announce: (notice) => this.announce(notice),
      poolFile: this.past.poolFile,
      publicUrl: () => 'https://poker.example',
      emailQueued: () => undefined,
      quota: new EmailQuota(),
    });
    this.ask = asker(this.competitions.routes);
  }

  /** A started house; with an `address`, another process on the same database, at the time of `clock`. */
  static async open(
    t: Scope,
    {
      env = {},
      address,
      clock,
      leads = true,
    }: { env?: Record<string, string>; address?: DatabaseAddress; clock?: VirtualClock; leads?: boolean } = {},
  ): Promise<CompetitionHouse> {
    const at = address ?? (await freshDatabase(t));
    const sql = connect(at, { max: 8, name: 'test' });
    const house = new CompetitionHouse(sql, at, clock ?? new VirtualClock(Date.now()), env, leads);
    t.teardown(async () => {
      await house.stop();
      await stopParts(house.past);
      await sql.end({ timeout: 1 });
    });
    await house.pools.load();
    house.competitions.prepare();
    await startParts(house.competitions, leads);
    return house;
  }

  /** Stops everything, as the end of a process does. */
  stop(): Promise<void> {
    return stopParts(this.competitions);
  }

  async agent(name = `agent_${randomUUID().slice(0, 8)}`): Promise<string> {
    const agentId = randomUUID();
    await this.sql`
      insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
      values (${agentId}, ${`${name}@example.org`}, ${name}, sha256(${agentId}::bytea), now(), now())`;
    return agentId;
  }

  /** So many hours from the house's now, as text. */
  in(hours: number): string {
    return new Date(this.clock.now() + hours * HOUR).toISOString();
  }

  async pass(hours: number): Promise<void> {
    await this.clock.advance(hours * HOUR);
  }

  create(organizer: string, body: object = {}, headers: Record<string, string> = {}): Promise<RestAnswer> {
    const whole = { name: 'Autumn cup', ends_at: this.in(24), ...body };
    return this.ask('createCompetition', { agentId: organizer, body: whole, headers });
  }

  async created(organizer: string, body: object = {}): Promise<CompetitionBody> {
    const { status, body: answer } = await this.create(organizer, body);
    if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(answer)}`);
    return answer as CompetitionBody;
  }

  async update(id: string, agentId: string, body: object, headers: Record<string, string> = {}): Promise<RestAnswer> {
    return this.ask('updateCompetition', { agentId, params: { competition_id: id }, body, headers });
  }

  /** Takes a step by its endpoint's name. */
  step(id: string, agentId: string, operation: string, headers: Record<string, string> = {}): Promise<RestAnswer> {
    return this.ask(operation, { agentId, params: { competition_id: id }, headers });
  }

  async steps(id: string, agentId: string, ...operations: string[]): Promise<CompetitionBody> {
    let told: RestAnswer | null = null;
    for (const operation of operations) {
      told = await this.step(id, agentId, operation);
      if (told.status !== 200) throw new Error(`${operation} answered ${told.status}: ${JSON.stringify(told.body)}`);
    }
    return told!.body as CompetitionBody;
  }

  async stateOf(id: string): Promise<string> {
    const [row] = await this.sql<{ state: string }[]>`select state from competitions where competition_id = ${id}`;
    return row!.state;
  }

  /** The actions in the audit log, first to last. */
  async history(id: string): Promise<{ action: string; actor: string }[]> {
    return this.sql`select action, actor from audit_log where subject = ${id} order by entry_id`;
  }

  /** Resolves once the state is this one; time stands still meanwhile. */
  async untilState(id: string, state: string): Promise<void> {
    while ((await this.stateOf(id)) !== state) await this.clock.advance(0);
  }

  /** See takePart. */
  async join(id: string, agentId: string): Promise<void> {
    await takePart(this.sql, id, agentId, this.pools.of(id)!.starting_chips);
  }
}

/** Makes an agent a participant, as if it had accepted: its entry with its chips in the ledger. */
export async function takePart(sql: Database, id: string, agentId: string, chips: number): Promise<void> {
  await sql`insert into entries (pool_id, agent_id, chip_balance) values (${id}, ${agentId}, ${chips})`;
  await sql`
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    values (${id}, ${agentId}, 'grant', ${chips}, ${chips})`;
  await sql`insert into competition_participants (competition_id, agent_id) values (${id}, ${agentId})`;
}
