import { randomUUID } from 'node:crypto';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { RandomSource } from '../../src/cards/random.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import * as nodes from '../../src/store/node/queries.js';
import { recoverShard, takeShards } from '../../src/shard/main/boot.js';
import type { ToShard } from '../../src/shard/messages.js';
import {
  createShardPool,
  type ShardPool,
  type ShardPoolOptions,
  type ShardReport,
  type ShardListener,
} from '../../src/shard/main/pool.js';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import type { Player, SocketId, TableOpening, TableRules } from '../../src/table/api.js';
import { freshDatabase, type Scope } from './database.js';
import { addAgents, addPool } from './random-table.js';
import { START } from '../../src/table/outbox.js';
import { recordFrame } from './recorder.js';
import { RULES } from './table-rules.js';

/** Rules for tests: no pauses, and clocks that never run out unless a test changes them. */
export const TEST_RULES: TableRules = {
  ...RULES,
  actionTimeoutMs: 60_000,
  betweenHandsMs: 0,
  disconnectHoldMs: 60_000,
};

export type Report<T extends ShardReport['t']> = Extract<ShardReport, { t: T }>;

/** A bot without a network. It gets its frames by calls, and its actions go straight to the shard. */
export class Bot {
  readonly messages: ServerMessage[] = [];
  /** Hands with a result that the bot was told, in order. */
  readonly results: ServerMessageOf['hand_result'][] = [];
  /** False: it never acts. */
  playing = true;
  /** The chance of an all-in when it is legal. */
  allIn = 0;

  constructor(
    readonly house: ShardHouse,
    readonly player: Player,
    public shard: number,
    readonly table: string,
    public socket: SocketId,
    readonly random: RandomSource,
  ) {}

  receive(message: ServerMessage): void {
    this.messages.push(message);
    if (message.type === 'hand_result') this.results.push(message);
    if (message.type === 'your_turn' && this.playing) this.act(message);
  }

  /** Mostly the cheapest legal action, so that stacks last. */
  act(turn: ServerMessageOf['your_turn']): void {
    const rare: Record<string, number> = { raise: 0.1, all_in: this.allIn, fold: 0.2 };
    const usual = turn.valid_actions.filter(({ action }) => this.#chance(rare[action] ?? 1));
    const offered = usual.length > 0 ? usual : turn.valid_actions.filter(({ action }) => action !== 'raise');
    const choice = offered[uniformBelow(offered.length, this.random)]!;
    this.house.send(this.shard, {
      t: 'act',
      table: this.table,
      agentId: this.player.agentId,
      socket: this.socket,
      message: {
        type: 'action',
        action: choice.action,
        amount: choice.action === 'raise' ? choice.min : null,
        client_action_id: randomUUID(),
        turn_token: turn.turn_token,
        hand_id: turn.hand_id,
      },
    });
  }

  #chance(probability: number): boolean {
    return this.random.next16() < probability * 0x10000;
  }

  last<T extends ServerMessage['type']>(type: T): ServerMessageOf[T] | undefined {
    return this.messages.findLast((message): message is ServerMessageOf[T] => message.type === type);
  }
}

/** Long, because no house renews its lease. */
const LEASE_MS = 3_600_000;

export interface HouseOptions extends Partial<Pick<ShardPoolOptions, 'threads' | 'entry' | 'heartbeat'>> {
  settings?: Partial<ShardPoolOptions['settings']>;
  /** A database that another house uses already. */
  database?: DatabaseAddress;
  /** Runs between the preparation of the tables and the start of the shards. */
  prepared?: (sql: Database, nodeId: string) => Promise<void>;
  rules?: Partial<TableRules>;
  seed?: number;
  /** Makes the shards' own address of the database, such as a gate's. */
  via?: (address: DatabaseAddress) => Promise<DatabaseAddress>;
}

/** Shards as the platform runs them, real threads on a real database, with bots instead of a gateway and a lobby. */
export class ShardHouse {
  /** The node's id of this house. */
  id = '';
  /** Stored numbers of its shards. */
  #numbers: readonly number[] = [];
  readonly bots = new Map<SocketId, Bot>();
  readonly reports: { shard: number; message: ShardReport }[] = [];
  readonly log: { level: string; message: string; detail: Record<string, unknown> }[] = [];
  readonly lost: { shard: number; reason: string }[] = [];
  /** The messages of its shards after another house has taken them. */
  readonly displaced: string[] = [];
  readonly restored: { shard: number; tables: readonly TableOpening[] }[] = [];
  pool!: ShardPool;
  poolId!: string;
  readonly seed: number;
  readonly #threads: number;
  /** The shards' address of the database. */
  database!: DatabaseAddress;
  #sockets = 0;
  #tickets = 0;
  readonly #watchers = new Set<() => void>();

  private constructor(
    readonly sql: Database,
    readonly options: HouseOptions,
  ) {
    this.#threads = options.threads ?? 1;
    this.seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  }

  static async open(t: Scope & { comment(text: string): void }, options: HouseOptions = {}): Promise<ShardHouse> {
    const address = options.database ?? (await freshDatabase(t));
    const sql = connect(address, { max: 4, name: 'test' });
    const house = new ShardHouse(sql, options);
    t.comment(`seed ${house.seed}`);
    house.poolId = await addPool(sql);
    house.database = (await options.via?.(address)) ?? address;
    await house.#takeShards();
    await options.prepared?.(sql, house.id);
    house.pool = house.#createPool(house.#threads, house.database);
    t.teardown(async () => {
      await house.pool.stop();
      await sql.end({ timeout: 1 });
    });
    await house.pool.start(house.#listener());
    return house;
  }

  /** Begins a node, in place of all earlier ones. */
  async #takeShards(): Promise<void> {
    this.id = randomUUID();
    await nodes.register(this.sql, { nodeId: this.id, name: 'a house of tests', internal: null, leaseMs: LEASE_MS });
    for (const { nodeId } of await nodes.otherNodes(this.sql, this.id))
      await nodes.endOther(this.sql, nodeId, this.id, 'alone');
    this.#numbers = await takeShards(this.sql, { nodeId: this.id, threads: this.#threads, homes: false });
  }

  #createPool(threads: number, database: DatabaseAddress): ShardPool {
    const { entry, heartbeat, settings } = this.options;
    return createShardPool({
      threads,
      settings: { database, deepChecks: true, ...settings },
      recover: (shard) => recoverShard(this.sql, this.id, this.#numbers[shard]!, () => ({ table: this.rules })),
      onDisplaced: (error) => {
        this.displaced.push(error.message);
        this.#changed();
      },
      log: (level, message, detail) => {
        this.log.push({ level, message, detail });
        this.#changed();
      },
      ...(entry ? { entry } : {}),
      ...(heartbeat ? { heartbeat } : {}),
    });
  }

  #listener(): ShardListener {
    return {
      onFrames: (_shard, bytes, index) => this.#frames(bytes, index),
      onMessage: (shard, message) => {
        this.reports.push({ shard, message });
        this.#changed();
      },
      onLost: (shard, reason) => {
        this.lost.push({ shard, reason });
        this.#changed();
      },
      onReady: (shard, tables) => {
        this.restored.push({ shard, tables });
        this.#changed();
      },
    };
  }

  get rules(): TableRules {
    return { ...TEST_RULES, ...this.options.rules };
  }

  send(shard: number, message: ToShard): void {
    this.pool.links[shard]!.send(message);
  }

  /** Resolves as soon as the condition holds. It is checked after every message of a shard. */
  until(condition: () => boolean): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve) => {
      const watcher = () => {
        if (!condition()) return;
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
    });
  }

  /** The first report of this kind that fits, present or later. */
  async report<T extends ShardReport['t']>(
    t: T,
    fits: (report: Report<T>) => boolean = () => true,
  ): Promise<Report<T>> {
    const find = () =>
      this.reports.map(({ message }) => message).find((m): m is Report<T> => m.t === t && fits(m as Report<T>));
    await this.until(() => find() !== undefined);
    return find()!;
  }

  async openTable(shard = 0): Promise<string> {
    const { table, opened } = this.askTable(shard);
    await opened;
    return table;
  }

  /** Asks for a table; `opened` resolves when it is there. */
  askTable(shard: number, tableId: string = randomUUID()): { table: string; opened: Promise<unknown> } {
    const opening: TableOpening = {
      tableId,
      poolId: this.poolId,
      rules: this.rules,
      handNumber: 0,
      button: -1,
      bigBlindSeat: -1,
      seqFloor: 0,
      sittings: [],
    };
    this.send(shard, { t: 'open', opening, restored: false });
    return { table: tableId, opened: this.report('opened', ({ table }) => table === tableId) };
  }

  async players(count: number): Promise<Player[]> {
    const ids = await addAgents(this.sql, this.poolId, count);
    return ids.map((agentId) => ({
      agentId,
      name: `bot_${agentId.slice(0, 8)}`,
      avatarUrl: null,
      publicProfileSlug: null,
      isPro: false,
      isHouse: false,
      autoRebuy: false,
    }));
  }

  /** Asks for a seat; the answer comes as a report with the ticket. */
  askSeat(
    shard: number,
    table: string,
    player: Player,
    buyIn = 2000,
  ): { bot: Bot; ticket: number; sit: Extract<ToShard, { t: 'sit' }> } {
    const bot = new Bot(this, player, shard, table, ++this.#sockets, seededRandom(this.seed + this.#sockets));
    this.bots.set(bot.socket, bot);
    const ticket = ++this.#tickets;
    const sit = { t: 'sit', table, ticket, sitting: randomUUID(), player, buyIn, socket: bot.socket } as const;
    this.send(shard, sit);
    return { bot, ticket, sit };
  }

  /** Rejects if the seat is refused. */
  async seat(shard: number, table: string, player: Player, buyIn = 2000): Promise<Bot> {
    const { bot, ticket } = this.askSeat(shard, table, player, buyIn);
    const answer = () =>
      this.reports
        .map(({ message }) => message)
        .find((message) => (message.t === 'sat' || message.t === 'sitFailed') && message.ticket === ticket);
    await this.until(() => answer() !== undefined);
    const answered = answer()!;
    if (answered.t === 'sitFailed') throw new Error(`${player.name} was refused a seat: ${answered.code}`);
    return bot;
  }

  /** A table with that many bots, playing. */
  async game(shard: number, count: number, buyIn = 2000): Promise<{ table: string; bots: Bot[] }> {
    const table = await this.openTable(shard);
    const players = await this.players(count);
    const bots = await Promise.all(players.map((player) => this.seat(shard, table, player, buyIn)));
    return { table, bots };
  }

  /** Gives a bot a fresh socket and attaches it, as after a reconnect. */
  attach(bot: Bot): void {
    this.bots.delete(bot.socket);
    bot.socket = ++this.#sockets;
    this.bots.set(bot.socket, bot);
    this.send(bot.shard, { t: 'attach', table: bot.table, agentId: bot.player.agentId, socket: bot.socket });
  }

  detach(bot: Bot): void {
    this.bots.delete(bot.socket);
    this.send(bot.shard, { t: 'detach', table: bot.table, agentId: bot.player.agentId, socket: bot.socket });
  }

  /** The public state of a table, or null. The answer also means that the shard has handled all earlier messages. */
  async state(shard: number, table: string): Promise<Record<string, unknown> | null> {
    const ticket = ++this.#tickets;
    this.send(shard, { t: 'state', table, ticket });
    const { json } = await this.report('state', (state) => state.ticket === ticket);
    return json === null ? null : (JSON.parse(json) as Record<string, unknown>);
  }

  /** Resolves when `count` finished hands of a shard wait for the database. */
  async handsWait(shard: number, table: string, count: number): Promise<void> {
    for (let waiting = -1; waiting !== count;) {
      await this.state(shard, table);
      const stats = this.pool.stats(shard);
      if (stats !== null) waiting = stats.hands - stats.committedHands;
    }
  }

  /** Causes a fault at a bot's table: see faulty-shard.ts. */
  inflict(bot: Bot, fault: string): void {
    const { shard, table, player } = bot;
    this.send(shard, { t: 'update', table, agentId: player.agentId, change: { name: fault } });
  }

  /** A new pool on the same database, as after a restart of the whole process. */
  async restart(): Promise<void> {
    await this.pool.stop();
    await this.#takeShards();
    this.pool = this.#createPool(this.#threads, this.database);
    await this.pool.start(this.#listener());
  }

  /** A table as the database has it. */
  async stored(table: string): Promise<{ hands: string[]; handNumber: number; stacks: Map<string, number> }> {
    const hands = await this.sql<{ handId: string }[]>`
      select hand_id as "handId" from hands where table_id = ${table} order by hand_number`;
    const [row] = await this.sql<{ handNumber: number }[]>`
      select hand_number as "handNumber" from tables where table_id = ${table}`;
    const seats = await this.sql<{ agentId: string; stack: number }[]>`
      select agent_id as "agentId", chips_at_table as stack from entries where table_id = ${table}`;
    return {
      hands: hands.map(({ handId }) => handId),
      handNumber: row!.handNumber,
      stacks: new Map(seats.map(({ agentId, stack }) => [agentId, stack])),
    };
  }

  /** The chips above the granted ones. Always 0. */
  async surplus(): Promise<number> {
    const [row] = await this.sql<{ surplus: number }[]>`
      select (select coalesce(sum(chip_balance + chips_at_table), 0) from entries)::bigint
        - (select coalesce(sum(amount), 0) from chip_ledger where type = 'grant')::bigint as surplus`;
    return row!.surplus;
  }

  #frames(bytes: ArrayBuffer, index: Uint32Array): void {
    for (let i = 0; i < index.length; i += 3) {
      const text = Buffer.from(bytes).toString('utf8', index[i + 1]! & START, index[i + 2]);
      this.bots.get(index[i]!)?.receive(recordFrame(text));
    }
    this.#changed();
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
