import { freePort } from '../../../src/ops/port-check.js';
import { retrying } from '../../../src/store/database.js';
import { Dice } from '../../sim/dice.js';
import { DatabaseGate } from '../../support/database-gate.js';
import { freshDatabase, type Scope } from '../../support/database.js';
import { ForkedPlatform, MAIN } from '../../support/forked-platform.js';
import { InternalGate } from '../../support/internal-gate.js';
import { eventually } from '../../support/limits.js';
import { NODE } from '../../support/nodes.js';
import { placeOf, TestPlatform, type Env } from '../../support/platform.js';

const HOST = '127.0.0.1';
const LONGEST_LOG = 20_000;
const ANSWER_MS = 2000;
/** The log line of a node that another node has ended. */
const ENDED = /other nodes have ended this one|it took over from this one|another process has taken over/;

/** A node reads the address of a gate where another node stored the address behind it. */
const THROUGH_GATES = `
  create table internal_gates (internal text primary key, gate text not null);
  create function through_gate() returns trigger language plpgsql as $$ begin
    new.address := coalesce((select gate from internal_gates where internal = new.address), new.address);
    return new;
  end $$;
  create trigger through_gate before insert on nodes for each row execute function through_gate();`;

interface Site {
  database: { url: string };
  env: Env;
  main: string;
  entrance: Entrance;
}

/** A node as a process, over all its lives, with gates of its own to the database and before its internal port. */
export class NodeProcess {
  #serves = false;
  #isAway = true;
  /** Whether the test ends its present life. */
  #ends = false;
  #fallen: string[] = [];

  private constructor(
    readonly name: string,
    readonly platform: ForkedPlatform,
    readonly database: DatabaseGate,
    readonly internal: InternalGate,
    private readonly entrance: Entrance,
  ) {}

  static async prepare(t: Scope, name: string, { database, env, main, entrance }: Site): Promise<NodeProcess> {
    const [gate, internal] = [await DatabaseGate.open(t, database), await InternalGate.open(t)];
    const platform = await ForkedPlatform.prepare(t, { ...NODE, ...env }, database, gate.address);
    platform.main = main;
    return new NodeProcess(name, platform, gate, internal, entrance);
  }

  get pid(): number {
    return this.platform.pid;
  }

  /** Its process runs, and has served. */
  get lives(): boolean {
    return this.#serves;
  }

  /** It has left, and comes back when it is launched. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Unexpected ends since the last call, without those that other nodes caused. */
  fallen(): string[] {
    return this.#fallen.splice(0);
  }

  async launch(): Promise<void> {
    const port = await freePort(HOST);
    this.internal.leadTo(port);
    await this.entrance.sql!`
      insert into internal_gates values (${`${HOST}:${port}`}, ${`${HOST}:${this.internal.port}`})
      on conflict (internal) do update set gate = excluded.gate`;
    const mark = this.platform.output.length;
    this.#ends = false;
    await this.platform.launch({ NODE_ADDRESS: `${HOST}:${port}` });
    this.#serves = true;
    this.#isAway = false;
    const { pid } = this;
    void this.platform.ended.then(({ code, signal }) => {
      if (this.pid !== pid) return;
      this.#serves = false;
      const said = this.platform.output.slice(mark);
      if (this.#ends || ENDED.test(said)) return;
      this.#fallen.push(`${this.name} ended with ${signal ?? code}:\n${said.slice(-LONGEST_LOG)}`);
    });
  }

  /** Resolves when it serves, also where it had ended. */
  async revive(): Promise<void> {
    const ready = async () => {
      // It may end during the wait, as a node does that others have ended.
      if (!this.#serves) await this.launch();
      return (await this.ready()) === 200;
    };
    await eventually(`${this.name} is ready`, ready, 100);
  }

  /** Stops it by SIGTERM; rejects after a bad end. */
  stop(): Promise<void> {
    return this.leaves(() => this.platform.stop());
  }

  /** Runs work that ends the node, which stays away. Rejects after a bad end. */
  async leaves(work: () => Promise<void>): Promise<void> {
    this.#ends = true;
    this.#isAway = true;
    await work();
    const { code, signal } = await this.platform.ended;
    if (code !== 0) throw new Error(`${this.name} left with ${signal ?? code}:\n${this.platform.output.slice(-4000)}`);
  }

  async kill(): Promise<void> {
    this.#ends = true;
    await this.platform.kill();
  }

  freeze(): void {
    this.platform.terminate('SIGSTOP');
  }

  thaw(): void {
    this.platform.terminate('SIGCONT');
  }

  /** The status of /health/ready; null without an answer in time. */
  async ready(): Promise<number | null> {
    const asked = { headers: { 'x-forwarded-for': '198.51.100.251' }, signal: AbortSignal.timeout(ANSWER_MS) };
    try {
      const answer = await fetch(`${this.platform.url}/health/ready`, asked);
      void answer.body?.cancel();
      return answer.status;
    } catch {
      return null;
    }
  }

  /** The id of its present life; null if the database has none. */
  async id(): Promise<string | null> {
    const rows = await retrying(
      () => this.entrance.sql!<{ node_id: string }[]>`
        select node_id from nodes where ended_at is null and name like ${`process ${this.pid} on %`}`,
    );
    return rows[0]?.node_id ?? null;
  }
}

/** All nodes as clients see them: each connection comes to any node that serves. */
export class Entrance extends TestPlatform {
  processes: readonly NodeProcess[] = [];
  /** The one node that clients come to, where a test says so. */
  only: NodeProcess | null = null;
  readonly #dice: Dice;

  static async open(t: Scope, env: Env, database: { url: string }, seed: number): Promise<Entrance> {
    const [place, sql] = await placeOf(t, env, database);
    t.teardown(async () => void (await sql?.end({ timeout: 1 })));
    return new Entrance(place, sql, seed);
  }

  private constructor(env: Env, sql: TestPlatform['sql'], seed: number) {
    super(env, sql);
    this.#dice = new Dice(seed);
  }

  override get url(): string {
    return this.#node().platform.url;
  }

  override get wsUrl(): string {
    return this.#node().platform.wsUrl;
  }

  #node(): NodeProcess {
    if (this.only !== null) return this.only;
    const serving = this.processes.filter(({ lives, isAway }) => lives && !isAway);
    if (serving.length === 0) throw new Error('no node serves');
    return this.#dice.pick(serving);
  }

  override async launch(): Promise<void> {
    for (const node of this.processes) if (!node.isAway) await node.revive();
  }

  override async stop(): Promise<void> {
    for (const node of this.processes) if (node.lives) await node.stop();
  }

  protected override async whyNot(): Promise<string | null> {
    return null;
  }
}

export interface WorldOptions {
  nodes: number;
  spare?: number;
  env: Env;
  seed: number;
  /** Another program than the product's. */
  main?: string;
}

/** Several nodes on one database. */
export class NodesWorld {
  /** How much each node had written at `mark`. */
  #marks: number[] = [];

  private constructor(
    readonly entrance: Entrance,
    readonly nodes: readonly NodeProcess[],
  ) {}

  /** Nodes are not started yet. `spare`: so many more, that join later. */
  static async prepare(
    t: Scope,
    { nodes: count, spare = 0, env, seed, main = MAIN }: WorldOptions,
  ): Promise<NodesWorld> {
    const database = await freshDatabase(t);
    const entrance = await Entrance.open(t, env, database, seed);
    await entrance.sql!.unsafe(THROUGH_GATES);
    const nodes: NodeProcess[] = [];
    for (let n = 1; n <= count + spare; n++) {
      nodes.push(await NodeProcess.prepare(t, `node ${n}`, { database, env, main, entrance }));
    }
    entrance.processes = nodes;
    return new NodesWorld(entrance, nodes);
  }

  /** The first node leads. */
  static async open(t: Scope, options: WorldOptions): Promise<NodesWorld> {
    const world = await NodesWorld.prepare(t, options);
    for (const node of world.nodes.slice(0, options.nodes)) await node.revive();
    return world;
  }

  /** The node that leads, by what is stored; waits where none does. */
  async leader(): Promise<NodeProcess> {
    return eventually('a node leads', async () => {
      const [row] = await retrying(
        () => this.entrance.sql!<{ name: string }[]>`
          select name from leadership join nodes on node_id = holder where ended_at is null`,
      );
      return this.nodes.find(({ pid, lives }) => lives && row?.name.startsWith(`process ${pid} on `));
    });
  }

  /** Nodes that others have ended so far. */
  async endedByOthers(): Promise<number> {
    const [row] = await retrying(
      () => this.entrance.sql!<{ count: number }[]>`
        select count(*)::int as count from nodes where ended_by <> node_id`,
    );
    return row!.count;
  }

  /** By table: the process that has it. */
  async tables(): Promise<Map<string, number>> {
    const rows = await retrying(
      () => this.entrance.sql!<{ table_id: string; name: string }[]>`
        select table_id, name from tables join shards using (shard_no) join nodes on node_id = holder
        where status = 'open'`,
    );
    return new Map(rows.map(({ table_id, name }) => [table_id, Number(/^process (\d+) /.exec(name)?.[1])]));
  }

  /** Each node is ready that is not away on purpose. */
  async whole(): Promise<void> {
    await Promise.all(this.nodes.filter(({ isAway }) => !isAway).map((node) => node.revive()));
  }

  /** Lines that nodes wrote so far are not reported any more. */
  mark(): void {
    this.#marks = this.nodes.map(({ platform }) => platform.output.length);
  }

  /** The lines of each node since the mark. */
  said(): string[] {
    return this.nodes.map(({ platform }, n) => platform.output.slice(this.#marks[n] ?? 0));
  }

  /** For people who look for what went wrong. */
  describe(): string {
    const said = this.said();
    return this.nodes
      .map(({ name, pid }, n) => `  ${name} (process ${pid}):\n${said[n]!.slice(-LONGEST_LOG)}`)
      .join('\n');
  }
}
