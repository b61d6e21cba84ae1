import type { HttpAnswer } from '../../src/gateway/transport.js';
import type { Config } from '../../src/ops/config.js';
import type { Fence } from '../../src/shard/commit/queries.js';
import type { PublicTableState, ServerMessage } from '../../src/protocol/server.js';
import type { TableOpening } from '../../src/table/api.js';
import { createTable } from '../../src/table/table.js';
import { Secrecy } from '../support/secrecy.js';
import { SimBot, type Mood } from './bot.js';
import { Broken, ensure } from './broken.js';
import { Boundary } from './boundary.js';
import { randomAgent, randomConfig, shortSeasons } from './casting.js';
import { Dice } from './dice.js';
import { Fairness } from './fairness.js';
import { keepsAlive } from './machine/globals.js';
import { Kernel, Killed, type Thread } from './machine/kernel.js';
import { turnOff, turnOn } from './machine/machine.js';
import { Network, type Line } from './network.js';
import { Process } from './process.js';
import { brief, Trace } from './trace.js';
import { judgeSeasons } from './seasons.js';
import { planStalls, planTroubles } from './troubles.js';
import { FAIR, Storage } from './vault/storage.js';
import { Vault } from './vault/vault.js';
import { judgeLine } from './waiting-line.js';
import { WatchedTable } from './watched-table.js';
import { Reader, Witness } from './witness.js';

export interface SimResult {
  seed: number;
  hands: number;
  frames: number;
  tables: number;
  seasons: number;
  /** Shard threads that died or hung, and times that the whole process was killed or restarted. */
  lostShards: number;
  crashes: number;
  restarts: number;
  tasks: number;
  /** Turns that ran out, in a world of standstills: as each of its players was told. */
  timeouts: number;
  /** The digest of all frames: the same seed, the same digest. */
  digest: number;
  /** Types of messages, codes and reasons that the bots were told. */
  seen: string[];
}

export { simulateLeases } from './leases.js';

/** How long the bots misbehave, and the bounds of what follows, in virtual ms. */
const UNREST_MS = 36_000;
/** Not so much later than its deadline a turn is timed out, a standstill too short to be credited included. */
const LATE_MS = 200;
/** Turns, holds and seasons of a world of standstills. */
const OF_STALLS = {
  ACTION_TIMEOUT_MS: 3_000,
  DISCONNECT_HOLD_MS: 20_000,
  SEASON_SECONDS: 86_400,
  WIND_DOWN_SECONDS: 60,
  LOBBY_CAPACITY: 1_000,
};
/** No season takes longer, whatever goes wrong. */
const SEASON_MS = 150_000;
const CALM_MS = 5_000;
const LEAVING_MS = 120_000;
/** A seat is held for 20 s at most, and an answer awaited for 15 s. */
const EMPTY_MS = 40_000;
const START_MS = 20_000;
const STOP_MS = 30_000;
/** A thread that has stood still has sent what it was about to send so soon after. */
const WAKING_MS = 500;
/** Every how many seeds each card is held against the stored hands as well. */
const SECRECY_EVERY = 16;

const NOTHING: Omit<SimResult, 'seed' | 'seen'> = {
  hands: 0,
  frames: 0,
  tables: 0,
  timeouts: 0,
  seasons: 0,
  lostShards: 0,
  crashes: 0,
  restarts: 0,
  tasks: 0,
  digest: 0,
};

/**
 * A whole platform, its database and its bots on a virtual clock, everything decided by one seed: same seed, same run.
 * The front, the lobby, the shards and the tables are the real ones. Storage is slow and fails, threads die and hang,
 * the process is killed, seasons end. Every invariant is checked as it goes.
 */
export class World {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly vault = new Vault(() => this.kernel.now);
  readonly witness = new Witness(this.vault);
  readonly dice: Dice;
  /** For troubles that came later: other seeds would be other worlds else. */
  readonly moreDice: Dice;
  readonly storage: Storage;
  readonly network: Network;
  readonly config: Config;
  readonly bots: SimBot[];
  /** The tables that play, by id. */
  readonly tables = new Map<string, WatchedTable>();
  /** Shard threads, all there ever were. */
  readonly threads: Thread[] = [];
  readonly result: SimResult;
  /** When a thread was last lost, or something else happened that takes a while to get over. */
  lastTrouble = -Infinity;
  readonly process: Process;
  /** By thread of a shard. */
  readonly #fences = new WeakMap<Thread, Fence>();
  readonly #readers = new WeakMap<Line, Reader>();
  #lines = 0;
  readonly #seen = new Set<string>();
  readonly trace = new Trace(() => this.kernel.now);
  readonly #secrecy: Secrecy | null;
  readonly #fairness: Fairness;
  readonly #boundary: Boundary;

  /** The number of standstills that have begun, in a world with them. */
  stalls = 0;

  /**
   * With a number of seasons the unrest lasts until so many have ended. With one of standstills there are so many in
   * place of the unrest, among bots that answer in time.
   */
  constructor(
    readonly seed: number,
    private readonly seasons = 0,
    private readonly stalled = 0,
  ) {
    this.dice = new Dice(seed);
    this.moreDice = new Dice(seed + 5e9);
    this.result = { seed, ...NOTHING, seen: [] };
    this.storage = new Storage(this.kernel, this.vault, new Dice(seed + 1e9));
    this.network = new Network(this.kernel, new Dice(seed + 2e9), {
      sent: (line, text) => this.#sent(line, text),
      closed: (code) => this.#seen.add(`close ${code}`),
      said: (line, text) => this.trace.add(`${nameOf(line)} >`, () => text.slice(0, 250)),
      answered: (path, answer) => this.#answered(path, answer),
    });
    const more = {
      ...(seasons > 0 ? shortSeasons(new Dice(seed + 4e9)) : {}),
      ...(stalled > 0 ? OF_STALLS : {}),
    };
    this.config = randomConfig(this.dice, seed, more);
    const agents = Array.from({ length: this.dice.int(2, 9) }, (_, i) => randomAgent(i + 1, this.dice));
    for (const agent of agents) this.vault.agents.set(agent.agentId, agent);
    this.bots = agents.map((agent) => new SimBot(agent, this.kernel, this.network, this.dice));
    this.#secrecy = seed % SECRECY_EVERY === 0 ? new Secrecy() : null;
    this.#fairness = new Fairness(this);
    this.#boundary = new Boundary(this);
    this.process = new Process(this);
    turnOn({
      kernel: this.kernel,
      network: this.network,
      storage: this.storage,
      dice: new Dice(seed + 3e9),
      createTable: (now, opening, env) => {
        const table = createTable(now, opening, env);
        const watched = new WatchedTable(table, opening, { ...this, fence: this.#fences.get(this.kernel.current)! });
        if (!watched.isFenced) {
          this.#tableOpens(opening, watched);
          this.tables.set(opening.tableId, watched);
        }
        return watched.api;
      },
      inLine: (waiting) => judgeLine(waiting, this.bots),
      threadStarted: (thread, fence) => this.#threadStarted(thread, fence),
      threadFailed: (thread, error) => {
        if (!(error instanceof Killed)) this.kernel.fail(new Broken(`${thread.name} failed: ${error.stack}`));
      },
    });
  }

  /** Runs the whole life of the world; throws Broken when an invariant does. */
  async run(): Promise<SimResult> {
    const { kernel, bots, dice } = this;
    const rejected = (error: unknown) => kernel.current.crashed(error as Error);
    process.on('unhandledRejection', rejected);
    try {
      this.process.start();
      for (const bot of bots) kernel.later(dice.delay(1_500), () => bot.comeBack());
      this.#fairness.begin();
      if (this.seasons > 0) this.#boundary.begin();
      await this.#unrest();
      const bound = kernel.now + SEASON_MS * this.seasons;
      while (this.#ended < this.seasons) {
        ensure(kernel.now < bound, () => `only ${this.#ended} of ${this.seasons} seasons have ended`);
        await this.#unrest();
      }
      await this.#comeToRest();
    } finally {
      process.off('unhandledRejection', rejected);
      turnOff();
    }
    return this.#summary();
  }

  /** Everybody misbehaves, and things go wrong. */
  async #unrest(): Promise<void> {
    const end = this.kernel.now + UNREST_MS;
    if (this.stalled > 0) return this.#standStill(end);
    for (const bot of this.bots) this.#wander(bot, end);
    planTroubles(this, end);
    await this.kernel.runUntil(end);
  }

  /** Everybody answers in time, but for one of them, and the platform stands still now and then. */
  async #standStill(end: number): Promise<void> {
    this.#mood('timely');
    if (this.bots.length > 2) this.bots[0]!.silent = true;
    planStalls(this, end, this.stalled);
    await this.kernel.runUntil(end);
    // Deadlines that began to run out end before bots change elsewhere.
    for (const bot of this.bots) bot.silent = false;
  }

  /** Nobody who answers in time loses a turn or a seat; whoever does not loses it in time. */
  #judgeClocks(message: ServerMessage): void {
    const isSilent = (name: string) => this.bots[0]!.agent.name === name && this.bots.length > 2;
    if (message.type === 'player_left' && message.reason === 'disconnected')
      ensure(isSilent(message.name), () => `${message.name} lost its seat: the platform stood still`);
    if (message.type !== 'player_action' || message.reason !== 'timeout') return;
    const { name, ts, sent_at: sentAt, deadline_at: deadlineAt, server_lag_ms: lag, used_ms: used } = message;
    ensure(isSilent(name), () => `${name} lost a turn after ${used} ms: the platform stood still for ${lag} ms`);
    const [late, clock] = [
      Date.parse(ts) - Date.parse(deadlineAt!),
      Date.parse(deadlineAt!) - Date.parse(sentAt!) - lag!,
    ];
    this.result.timeouts++;
    ensure(late >= 0 && late <= LATE_MS, () => `${name} is timed out ${late} ms after its deadline`);
    ensure(Math.abs(clock - this.config.ACTION_TIMEOUT_MS) <= 2, () => `${name} had ${clock} ms, and ${lag} of ours`);
  }

  get #ended(): number {
    return this.vault.seasons.filter(({ status }) => status === 'ended').length;
  }

  /** Something takes so long to get over. */
  troubled(ms: number): void {
    this.lastTrouble = Math.max(this.lastTrouble, this.kernel.now + ms);
  }

  /** The process is gone, with all its threads. */
  processEnded(): void {
    this.tables.clear();
  }

  /** The wall clock is set by so many ms: threads that the process starts from now on begin with that. */
  setClock(ms: number): void {
    this.process.front.clockStep = ms;
  }

  /** See WatchedTable: the shard must not take what we find for a fault of the table. */
  #tableOpens({ tableId, seqFloor }: TableOpening, table: WatchedTable): void {
    this.#told(() => {
      const before = this.tables.get(tableId);
      const another = before?.lives === true && before.thread !== table.thread;
      ensure(!another, () => `two shards have the table ${tableId}`);
      this.witness.tableOpens(tableId, seqFloor);
    });
  }

  /** Judges a finding from the middle of the product's work. */
  #told(judge: () => void): void {
    try {
      judge();
    } catch (error) {
      this.kernel.fail(error as Error);
    }
  }

  #wander(bot: SimBot, end: number): void {
    this.kernel.later(800 + this.dice.delay(6_000), () => {
      if (this.kernel.now >= end) return;
      bot.wander();
      this.#wander(bot, end);
    });
  }

  /** Nothing was wrong for so long. */
  healthyFor(ms: number): boolean {
    return this.kernel.now - Math.max(this.lastTrouble, this.storage.lastTrouble) > ms;
  }

  #threadStarted(thread: Thread, fence: Fence): void {
    this.threads.push(thread);
    this.#fences.set(thread, fence);
    if (!this.process.isUp) return;
    this.result.lostShards++;
    this.troubled(0);
    for (const bot of this.bots) bot.questions.shardLost();
    for (const [id, table] of this.tables) if (!table.thread.alive) this.tables.delete(id);
  }

  // How it ends.

  /** The storm is over: everybody plays on well-behaved, then leaves; all chips come back, and the platform stops. */
  async #comeToRest(): Promise<void> {
    const { kernel, storage } = this;
    storage.weather = FAIR;
    this.#mood('calm');
    await kernel.runUntil(kernel.now + CALM_MS);
    await this.#until('the platform is up', START_MS, () => this.process.isUp);
    this.#mood('leaving');
    const seated = () => [...this.vault.allEntries()].filter(({ tableId }) => tableId !== null);
    const haveLeft = () => {
      for (const bot of this.bots) {
        bot.comeBack();
        if (bot.table !== null) bot.leave();
      }
      return seated().length === 0 && this.#openTables().length === 0;
    };
    await this.#until('everybody has left', LEAVING_MS, haveLeft, () => this.#leftOpen().join());
    this.#fairness.end();
    this.#mood('gone');
    await this.#emptyHouse();
    ensure(seated().length === 0 && this.#openTables().length === 0, () => 'seats are taken in an empty house');
    await this.#stop();
    this.vault.auditInFull();
    judgeSeasons(this.vault);
    this.witness.judge();
    const leaks = this.#secrecy?.judge([...this.vault.hands.values()]) ?? [];
    ensure(leaks.length === 0, () => `a card was told that must not be: ${leaks[0]}`);
  }

  /**
   * The platform comes to know that nobody is there any more, without anybody's doing. Some were on their way from the
   * lobby to a seat when they went. A statement may have been done without an answer, and that takes time to find.
   */
  async #emptyHouse(): Promise<void> {
    let game: Record<string, number> = {};
    const then = ({ body }: HttpAnswer) => ({ game } = JSON.parse(String(body)) as { game: typeof game });
    const isEmpty = () => {
      const counts = Object.values(game);
      this.network.call({ method: 'GET', path: '/health', then });
      return counts.length > 0 && counts.every((count) => count === 0);
    };
    await this.#until('the house is empty', EMPTY_MS, isEmpty, () => `there are ${JSON.stringify(game)}`);
  }

  #openTables() {
    return [...this.vault.tables.values()].filter(({ status }) => status === 'open');
  }

  /** Open tables in few words. */
  #leftOpen(): string[] {
    return this.#openTables().map(({ tableId, shardNo }) => {
      const where = this.tables.get(tableId)?.lives === true ? 'plays' : 'is nobody’s';
      const players = this.vault.seated(tableId).map(({ agentId }) => `bot_${parseInt(agentId.slice(-4), 16)}`);
      return `${tableId} of shard ${shardNo} ${where}, with ${players.join(' and ')}`;
    });
  }

  #mood(mood: Mood): void {
    for (const bot of this.bots) bot.become(mood);
  }

  async #until(what: string, ms: number, holds: () => boolean, instead = () => ''): Promise<void> {
    const { kernel } = this;
    for (const end = kernel.now + ms; !holds(); await kernel.runUntil(kernel.now + 1_000)) {
      ensure(kernel.now < end, () => `after ${ms} ms it is still not so that ${what} ${instead()}`.trimEnd());
    }
  }

  /** A stopped platform leaves nothing behind that would keep its process alive. */
  async #stop(): Promise<void> {
    const { kernel } = this;
    ensure(this.process.isUp, () => 'the platform is not up');
    let stopped = false;
    this.process.stop(() => (stopped = true));
    await this.#until('the platform has stopped', STOP_MS, () => stopped);
    await kernel.runUntil(kernel.now + 10_000);
    const left = kernel.pending.filter(keepsAlive);
    ensure(left.length === 0, () => `${left.length} timers keep a stopped platform alive: ${left[0]?.owner.name}`);
  }

  #summary(): SimResult {
    const { result, vault, witness, kernel } = this;
    result.hands = vault.hands.size;
    result.frames = witness.frames;
    result.tables = vault.tables.size;
    result.seasons = vault.seasons.length;
    result.tasks = kernel.tasks;
    for (const state of this.#boundary.seen) this.#seen.add(`season ends ${state}`);
    result.seen = [...this.#seen].sort();
    return result;
  }

  // Checks a sent frame.

  #sent(line: Line, text: string): ServerMessage {
    const reader = this.#readers.get(line) ?? new Reader(++this.#lines, line.agentId);
    this.#readers.set(line, reader);
    this.result.digest = digest(this.result.digest, text);
    const message = JSON.parse(text) as ServerMessage;
    this.trace.add(`${nameOf(line)} ${reader.id} <`, () => brief(message));
    this.#seen.add(kindOf(message));
    this.witness.read(reader, message, text, this.#lateBy(line.front));
    if (this.stalled > 0) this.#told(() => this.#judgeClocks(message));
    this.#secrecy?.frame(line.agentId, message, text);
    return message;
  }

  /** A thread that has just woken up may send frames that are as old as that. */
  #lateBy({ hungUntil, hungFor }: Thread): number {
    return this.kernel.now - hungUntil < WAKING_MS ? hungFor : 0;
  }

  #answered(path: string, { status, body }: HttpAnswer): void {
    const trouble = status === 503 || !this.healthyFor(20_000);
    ensure(status < 500 || trouble, () => `${path} is answered ${status}: ${String(body)}`);
    if (status !== 200 || !path.startsWith('GET /api/tables/')) return;
    this.witness.view(JSON.parse(String(body)) as PublicTableState);
  }

  note(line: string): void {
    this.trace.add('*', () => line);
  }
}

/** The kind of a message, as far as it has several. */
function kindOf(message: ServerMessage): string {
  switch (message.type) {
    case 'error':
    case 'action_rejected':
      return `${message.type} ${message.code}`;
    case 'player_left':
    case 'table_closed':
      return `${message.type} ${message.reason}`;
    case 'player_action':
      return `${message.type} ${message.reason ?? message.action}`;
    case 'table_state':
      return `${message.type} ${message.waiting_reason ?? message.street}`;
    case 'hand_result':
      return `${message.type} ${message.outcome_kind}`;
    case 'auto_rebuy_scheduled':
      return `${message.type} ${message.cooldown_seconds === 0 ? 'at once' : 'later'}`;
    default:
      return message.type;
  }
}

const nameOf = ({ agentId }: Line) => `bot_${parseInt(agentId?.slice(-4) ?? '0', 16)}`;

/** Rolls a text into a number, by its length and its end, which holds hash or time of most frames. */
function digest(before: number, text: string): number {
  let mixed = Math.imul(before ^ text.length, 0x01000193);
  for (let i = Math.max(0, text.length - 48); i < text.length; i++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193);
  }
  return mixed >>> 0;
}

/**
 * Runs one seed, until so many seasons have ended if there is a number. A broken invariant is reported with the seed
 * and the last frames.
 */
export async function simulate(seed: number, seasons = 0): Promise<SimResult> {
  return told(new World(seed, seasons), seed);
}

async function told(world: World, seed: number): Promise<SimResult> {
  try {
    return await world.run();
  } catch (error) {
    const what = error instanceof Broken ? error.message : String((error as Error).stack);
    throw new Error(`seed ${seed} at ${new Date(world.kernel.now).toISOString()}: ${what}\n${world.trace}`);
  }
}

/** …of so many standstills of 0.1 to 5 s, among bots that answer in time. */
export async function simulateStalls(
  seed: number,
  stalls: number,
): Promise<{ stalls: number; timeouts: number; hands: number }> {
  const world = new World(seed, 0, stalls);
  const { hands, timeouts } = await told(world, seed);
  return { stalls: world.stalls, timeouts, hands };
}
