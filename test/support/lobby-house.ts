import type { Hello, Registry, ResumedSocket, TableRoute, Sockets } from '../../src/gateway/ports.js';
import { Unanswered } from '../../src/gateway/unanswered.js';
import {
  createLobby,
  type Audience,
  SEASON_BUY_IN,
  type Entrance,
  type Identity,
  type Left,
} from '../../src/lobby/index.js';
import type { BuyInRules } from '../../src/lobby/buy-in.js';
import type { CompetitionScopes, PoolRules, SeasonScope } from '../../src/lobby/ports.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import { CloseCode } from '../../src/protocol/codes.js';
import { ABNORMAL } from '../../src/protocol/mishap.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { FromShard, ToShard } from '../../src/shard/messages.js';
import { TableRoutes } from '../../src/shard/table-routes.js';
import type { SocketId } from '../../src/table/api.js';
import { recordClose, recordFrame } from './recorder.js';
import { RULES, ToyShard } from './toy-shard.js';
import { VirtualClock } from './virtual-clock.js';

/** One connection, as the gateway would keep it. */
export class Line {
  agentId: string | null = null;
  route: TableRoute | null = null;
  /** Everything the client was sent. */
  readonly frames: ServerMessage[] = [];
  closeCode: number | null = null;
  gone = false;
  /** What a session keeps of what it waits for. */
  readonly unanswered = new Unanswered();

  constructor(
    readonly id: SocketId,
    readonly hello: Hello,
    private readonly house: LobbyHouse,
  ) {}

  get scope(): string | null {
    return this.hello.competitionId;
  }

  /** Where nobody leads it reaches nobody. */
  send(message: ClientMessage): void {
    if (!this.house.leads && message.type === 'leave_table' && this.house.leave(this)) return;
    this.unanswered.asked(message, this.house.clock.now());
    this.house.registry.message(this.id, this.agentId ?? '', message);
  }

  routed(route: TableRoute | null): void {
    this.unanswered.routed(this.route, route);
    this.route = route;
  }

  heard(message: ServerMessage): void {
    this.unanswered.answered(message);
    this.frames.push(message);
  }

  /** As its node says of it to another lobby. */
  get resumed(): ResumedSocket {
    const { id: socket, agentId, hello, route, unanswered } = this;
    const now = this.house.clock.now();
    const waiting = unanswered.waiting(now, now);
    const { others, seatLost, aware } = unanswered;
    return { socket, agentId: agentId ?? '', hello, route, waiting, unanswered: others, seatLost, aware };
  }

  join(buyIn?: number): void {
    this.send({ type: 'join_lobby', ...(buyIn === undefined ? {} : { buy_in: buyIn }) });
  }

  /** The client goes away. */
  drop(): void {
    this.gone = true;
    this.house.dropped(this);
    this.house.registry.closed(this.id, this.agentId, { code: 1000, reason: '', by: 'client' });
  }

  get types(): string[] {
    return this.frames.map((frame) => (frame.type === 'error' ? frame.code : frame.type));
  }

  get last(): ServerMessage | undefined {
    return this.frames.at(-1);
  }
}

/** The seasons as the lobby sees them: balances by agent, and what they were asked. */
class FakeScope implements SeasonScope {
  readonly calls: unknown[] = [];
  entrance: ((agentId: string) => Entrance | Promise<Entrance>) | null = null;
  poolId = 'season 1';
  readonly premium = new Set<string>();
  displayName: string | null = null;
  /** When a bust has been told of. */
  bustSettles: Promise<void> = Promise.resolve();

  constructor(private readonly balances: Map<string, number>) {}

  enter(agentId: string): Promise<Entrance> {
    this.calls.push({ enter: agentId });
    if (this.entrance !== null) return Promise.resolve(this.entrance(agentId));
    const chipBalance = this.balances.get(agentId) ?? 5000;
    this.balances.set(agentId, chipBalance);
    const { poolId, displayName } = this;
    const premium = this.premium.has(agentId);
    const entry = { poolId, chipBalance, autoRebuy: false, premium, ...(displayName !== null && { displayName }) };
    return Promise.resolve({ kind: 'entered', entry });
  }
  rebuy(agentId: string, requestId: string | null): Promise<ServerMessage> {
    this.calls.push({ rebuy: agentId, ...(requestId !== null && { requestId }) });
    return Promise.resolve({ type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
  }
  setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    this.calls.push({ setAutoRebuy: agentId });
    return Promise.resolve([{ type: 'auto_rebuy_set', enabled }]);
  }
  busted(left: Left): Promise<void> {
    this.calls.push({ busted: left.agentId });
    return this.bustSettles;
  }
  seatLost(agentId: string): Promise<void> {
    this.calls.push({ seatLost: agentId });
    return this.bustSettles;
  }
  awaitsRebuy(agentId: string, tableId: string): void {
    this.calls.push({ awaitsRebuy: agentId, tableId });
  }
  shardRecovered(): void {
    this.calls.push('shardRecovered');
  }
}

/** Competitions as the lobby sees them: each lets its participants in, and has chips of its own. */
class Competitions implements CompetitionScopes {
  readonly #pools = new Map<string, { participants: ReadonlySet<string>; play: FakeScope }>();
  recovered = 0;
  duplicate = false;

  constructor(private readonly balances: Map<string, number>) {}

  /** One balance an agent will do: nobody plays in two pools at once here. */
  add(poolId: string, participants: readonly string[]): FakeScope {
    const play = new FakeScope(this.balances);
    play.poolId = poolId;
    this.#pools.set(poolId, { participants: new Set(participants), play });
    return play;
  }

  has(poolId: string): boolean {
    return this.#pools.has(poolId);
  }

  admit(agentId: string, competitionId: string): Promise<'ok' | 'not_participant'> {
    const admitted = this.#pools.get(competitionId)?.participants.has(agentId) === true;
    return Promise.resolve(admitted ? 'ok' : 'not_participant');
  }

  of(competitionId: string): FakeScope {
    const pool = this.#pools.get(competitionId);
    if (pool === undefined) throw new Error(`there is no competition ${competitionId}`);
    return pool.play;
  }

  shardRecovered(): void {
    this.recovered++;
  }
}

/** What competitions of these tests play by. */
const COMPETITION_RULES = {
  table: { ...RULES, seats: 3, smallBlind: 50, bigBlind: 100 },
  buyIn: { minimum: 200, maximum: 800, standard: 400 },
};

interface Options {
  shards?: number;
  capacity?: number;
  separateOwners?: boolean;
  outOfRange?: 'default' | 'reject';
  seatsPerMinute?: number;
  paceGroups?: boolean;
  /** Tables may move from shard to shard; the test speaks for the shards (toy ones know nothing of it). */
  moving?: boolean;
  openFrom?: number;
}

/** A lobby between fake sockets, toy shards and a fake season, on a virtual clock. */
export class LobbyHouse {
  readonly clock = new VirtualClock();
  readonly balances = new Map<string, number>();
  /** Who sits where, as the shards have it. */
  readonly seated = new Map<string, string>();
  readonly play = new FakeScope(this.balances);
  readonly competitions = new Competitions(this.balances);
  readonly shards: ToyShard[];
  readonly lines = new Map<SocketId, Line>();
  readonly errors: unknown[] = [];
  /** Keys that open: agent by key. By default every key is its agent's name. */
  authenticate: (apiKey: string) => Promise<Identity | null> = (apiKey) => Promise.resolve(identity(apiKey));
  /** Pools with a phase that took no player. */
  readonly phasesRefused: string[] = [];
  /** Who watches. */
  viewer: () => Promise<string | null> = () => Promise.resolve(null);
  lobby!: ReturnType<typeof createLobby>;
  registry!: Registry;
  moves: ReturnType<LobbyHouse['lobby']['movable']> | null = null;
  /** The life of the process with the lobby. */
  #life = { over: false };
  #sockets = 0;

  constructor(private readonly options: Options = {}) {
    this.shards = Array.from(
      { length: options.shards ?? 1 },
      (_, n) => new ToyShard(this.balances, this.seated, (message) => this.#post(n, message)),
    );
    for (const shard of this.shards) shard.tells = (socket) => this.lines.get(socket)?.unanswered.left();
    this.#begin(false);
  }

  #begin(inherits: boolean): void {
    const { capacity = 100, separateOwners = false, outOfRange = 'default', seatsPerMinute = 6 } = this.options;
    const { paceGroups = true, moving = false, openFrom = 0 } = this.options;
    const life = { over: false };
    this.#life = life;
    // Whoever is dead says nothing.
    const send = (shard: ToyShard, message: ToShard) => void (life.over || shard.send(message));
    const links = this.shards.map((shard) => ({ send: (message: ToShard) => send(shard, message) }));
    const routes = moving ? new TableRoutes(links, () => undefined) : null;
    this.lobby = createLobby({
      inherits,
      clock: this.clock,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (detail) => void this.errors.push(detail),
      },
      sockets: this.#socketsPort(life),
      shards: routes?.links ?? links,
      matchmaking: { graceMs: 3000, separateOwners },
      paceGroups,
      seatsPerMinute,
      rulesOf: (poolId) => this.#rulesOf(poolId, outOfRange),
      capacity,
      openFrom,
      answerMs: 2000,
    });
    this.moves =
      routes &&
      this.lobby.movable({
        hold: (table) => routes.hold(table),
        release: (table, shard) => {
          routes.release(table, shard);
          for (const line of this.lines.values())
            if (line.route?.table === table) line.routed({ ...line.route, shard });
        },
        send: (shard, message) => send(this.shards[shard]!, message),
      });
    this.registry = this.lobby.open({
      scopes: { season: this.play, competitions: this.competitions },
      authentication: { authenticate: (key) => this.authenticate(key) },
      viewers: { agentOf: () => this.viewer(), takesPart: async () => false },
      phaseRefused: (poolId) => void this.phasesRefused.push(poolId),
    });
  }

  /** The lobby's process dies: what it was told and has not read is lost, and so is all that is said to it. */
  die(): void {
    this.#life.over = true;
    const deaf = () => undefined;
    this.registry = { opened: deaf, watching: deaf, message: deaf, mishap: deaf, closed: deaf, resumed: deaf };
  }

  /** Another lobby begins, and has heard of nobody yet. */
  begin(): void {
    if (!this.#life.over) this.die();
    this.#begin(true);
  }

  /** All shards report what they play. */
  async report(shards: readonly ToyShard[] = this.shards): Promise<void> {
    for (const shard of shards) this.#post(this.shards.indexOf(shard), shard.report());
    await this.clock.settle();
  }

  get leads(): boolean {
    return !this.#life.over;
  }

  /** Where nobody leads a table hears only from the node that its player is gone. */
  dropped({ id, agentId, route }: Line): void {
    if (this.leads || agentId === null || route === null || route.seat === null) return;
    this.shards[route.shard]!.send({ t: 'detach', table: route.table, agentId, socket: id });
  }

  /** As its node says it to the table of a session that has a seat; false without one. */
  leave({ id: socket, agentId, route }: Line): boolean {
    if (agentId === null || route === null || route.seat === null) return false;
    this.shards[route.shard]!.send({ t: 'leave', table: route.table, agentId, sitting: null, socket });
    return true;
  }

  /** Open sockets that were welcomed are there still; others are announced again. */
  resume(lines: Iterable<Line> = this.lines.values()): void {
    const open = [...lines].filter(({ closeCode, gone }) => closeCode === null && !gone);
    this.registry.resumed(open.filter(({ agentId }) => agentId !== null).map((line) => line.resumed));
    for (const { id, agentId, hello } of open) if (agentId === null) this.registry.opened(id, hello);
  }

  /** The link to their node breaks: to the lobby they are gone, and they are open all the while. */
  lose(lines: Iterable<Line>): void {
    for (const { id } of lines) this.registry.closed(id, null, ABNORMAL);
  }

  async settle(): Promise<void> {
    this.lobby.shards.settle();
    await this.clock.settle();
  }

  /** Another lobby takes everything over. */
  async succeed(begin = () => this.begin()): Promise<void> {
    begin();
    await this.report();
    this.resume();
    await this.settle();
  }

  #rulesOf(poolId: string, outOfRange: BuyInRules['outOfRange']): PoolRules {
    const sealed = this.competitions.has(poolId) && this.competitions.duplicate;
    const audience: Audience = { spectators: 'public', sealed, delayHands: 0 };
    if (!this.competitions.has(poolId))
      return { scope: null, table: RULES, buyIn: { ...SEASON_BUY_IN, outOfRange, aboveBalance: 'clamp' }, audience };
    const { table: rules, buyIn } = COMPETITION_RULES;
    const table = { ...rules, duplicate: this.competitions.duplicate ? { secret: 'ab' } : null };
    return { scope: poolId, table, buyIn: { ...buyIn, outOfRange, aboveBalance: 'clamp' }, audience };
  }

  /** The first shard. */
  get shard(): ToyShard {
    const [first] = this.shards;
    if (first === undefined) throw new Error('no shard');
    return first;
  }

  /** A connection that is not yet welcomed. */
  dial(apiKey: string | null, ip = '127.0.0.1', competitionId: string | null = null): Line {
    const line = new Line(++this.#sockets, { apiKey, ip, competitionId }, this);
    this.lines.set(line.id, line);
    this.registry.opened(line.id, line.hello);
    return line;
  }

  /** A connection that watches a table. */
  dialToWatch(tableId: string): Line {
    const line = new Line(++this.#sockets, { apiKey: null, ip: '127.0.0.1', competitionId: null }, this);
    this.lines.set(line.id, line);
    this.registry.watching(line.id, { tableId, ip: '127.0.0.1', headers: { authorization: 'Bearer key' } });
    return line;
  }

  async connect(name: string, ip?: string, competitionId?: string): Promise<Line> {
    const line = this.dial(name, ip, competitionId);
    await this.clock.settle();
    return line;
  }

  /** Agents that connect and join one after the other, in the same moment. */
  async join(...names: string[]): Promise<Line[]> {
    const lines = await Promise.all(names.map((name) => this.connect(name)));
    for (const line of lines) line.join();
    await this.clock.settle();
    return lines;
  }

  /** The table an agent sits at, as the shards have it. */
  tableOf(name: string): string {
    const table = this.seated.get(name);
    if (table === undefined) throw new Error(`${name} is not seated`);
    return table;
  }

  /** A message of a shard arrives at the end of the turn, as real ones do. */
  #post(shard: number, message: FromShard): void {
    const life = this.#life;
    this.clock.soon(() => {
      if (life.over) return;
      if (message.t === 'report') this.lobby.shards.inherited(shard, message.tables);
      else this.lobby.shards.fromShard(shard, message);
    });
  }

  /** Nobody hears of them while nobody leads; whoever comes next is not told of those who went. */
  #gone(socket: SocketId): void {
    this.clock.soon(() => this.registry.closed(socket, null, ABNORMAL));
  }

  #socketsPort(life: { over: boolean }): Sockets {
    const line = (socket: SocketId) => {
      const found = this.lines.get(socket);
      if (found === undefined) throw new Error(`there is no socket ${socket}`);
      return found;
    };
    const close = (socket: SocketId, code: number) => {
      if (life.over) return;
      recordClose(code);
      line(socket).closeCode ??= code;
      this.#gone(socket);
    };
    return {
      welcome: (socket, { agentId }, route) => {
        if (life.over) return;
        const welcomed = line(socket);
        welcomed.agentId = agentId;
        welcomed.routed(route);
      },
      refuse: (socket, error, code) => {
        if (life.over) return;
        line(socket).frames.push(frame({ type: 'error', ...error } as ServerMessage));
        close(socket, code);
      },
      watch: () => undefined,
      send: (socket, message) => {
        if (!life.over) line(socket).heard(frame(message));
      },
      route: (socket, route) => {
        if (!life.over) line(socket).routed(route);
      },
      close,
      untold: (socket) => {
        if (!life.over && !line(socket).unanswered.aware) close(socket, CloseCode.tooSlow);
      },
      round: (_socket, shard, table, round) => {
        if (!life.over) this.clock.soon(() => this.shards[shard]?.send({ t: 'heard', table, round }));
      },
      handled: (socket) => {
        if (!life.over) line(socket).unanswered.handled();
      },
    };
  }
}

/** What the lobby sends fits its schema. */
function frame(message: ServerMessage): ServerMessage {
  return recordFrame(JSON.stringify(message));
}

export function identity(name: string): Identity {
  return {
    agentId: name,
    name,
    email: `${name.split('.', 1)[0] ?? name}@example.org`,
    avatarUrl: null,
    publicProfileSlug: null,
    isHouse: name.startsWith('house'),
  };
}
