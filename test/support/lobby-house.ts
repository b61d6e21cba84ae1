import type { HandOver, Hello, Registry, TableRoute, Sockets } from '../../src/gateway/ports.js';
import { SeatNews } from '../../src/gateway/seat-news.js';
import {
  createLobby,
  type Audience,
  SEASON_BUY_IN,
  type Entrance,
  type Identity,
  type Left,
} from '../../src/lobby/index.js';
import type { BuyInRules } from '../../src/lobby/buy-in.js';
import type { CompetitionScopes, Credential, OtherNodes, PoolRules, SeasonScope } from '../../src/lobby/ports.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import { CloseCode } from '../../src/protocol/codes.js';
import { ABNORMAL } from '../../src/protocol/mishap.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { FromShard } from '../../src/shard/messages.js';
import type { SocketId } from '../../src/table/api.js';
import { recordClose, recordFrame } from './recorder.js';
import { TOY_RULES, ToyShard } from './toy-shard.js';
import { VirtualClock } from './virtual-clock.js';

/** One connection, as the gateway keeps it. */
export class Line {
  agentId: string | null = null;
  route: TableRoute | null = null;
  /** All frames to the client. */
  readonly frames: ServerMessage[] = [];
  closeCode: number | null = null;
  /** The node of its session, if it is another node. */
  relayed: { node: string; handOver: HandOver | null } | null = null;
  gone = false;
  readonly seatNews = new SeatNews();

  constructor(
    readonly id: SocketId,
    readonly hello: Hello,
    private readonly house: LobbyHouse,
  ) {}

  get scope(): string | null {
    return this.hello.competitionId;
  }

  send(message: ClientMessage): void {
    this.house.registry.message(this.id, this.agentId ?? '', message);
  }

  routed(route: TableRoute | null): void {
    this.seatNews.routed(this.route, route);
    this.route = route;
  }

  heard(message: ServerMessage): void {
    this.seatNews.heard(message);
    this.frames.push(message);
  }

  join(buyIn?: number): void {
    this.send({ type: 'join_lobby', ...(buyIn === undefined ? {} : { buy_in: buyIn }) });
  }

  /** The client disconnects. */
  drop(): void {
    this.gone = true;
    this.house.registry.closed(this.id, this.agentId, { code: 1000, reason: '', by: 'client' });
  }

  get types(): string[] {
    return this.frames.map((frame) => (frame.type === 'error' ? frame.code : frame.type));
  }

  get last(): ServerMessage | undefined {
    return this.frames.at(-1);
  }
}

/** The seasons as the lobby sees them: balances by agent, and all questions. */
class FakeScope implements SeasonScope {
  readonly calls: unknown[] = [];
  entrance: ((agentId: string) => Entrance | Promise<Entrance>) | null = null;
  poolId = 'season 1';
  readonly premium = new Set<string>();
  displayName: string | null = null;
  /** Resolves when the bust has been told. */
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
  shardRecovered(): void {
    this.calls.push('shardRecovered');
  }
}

/** Competitions as the lobby sees them. Each admits its participants, and has chips of its own. */
class Competitions implements CompetitionScopes {
  readonly #pools = new Map<string, { participants: ReadonlySet<string>; play: FakeScope }>();
  recovered = 0;
  duplicate = false;

  constructor(private readonly balances: Map<string, number>) {}

  /** One balance an agent is enough: no agent plays in two pools at once here. */
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

/** The rules of competitions in these tests. */
const COMPETITION_RULES = {
  table: { ...TOY_RULES, seats: 3, smallBlind: 50, bigBlind: 100 },
  buyIn: { minimum: 200, maximum: 800, standard: 400 },
};

interface Options {
  shards?: number;
  capacity?: number;
  separateOwners?: boolean;
  outOfRange?: 'default' | 'reject';
  seatsPerMinute?: number;
  paceGroups?: boolean;
  others?: OtherNodes;
}

/** A lobby between fake sockets, toy shards and a fake season, on a virtual clock. */
export class LobbyHouse {
  readonly clock = new VirtualClock();
  readonly balances = new Map<string, number>();
  /** The shards' view of seats: tables by agent. */
  readonly seated = new Map<string, string>();
  readonly play = new FakeScope(this.balances);
  readonly competitions = new Competitions(this.balances);
  readonly shards: ToyShard[];
  readonly lines = new Map<SocketId, Line>();
  readonly errors: unknown[] = [];
  /** The agent of a key. By default every key is its agent's name. */
  authenticate: (apiKey: string) => Promise<Identity | null> = (apiKey) => Promise.resolve(identity(apiKey));
  /** Pools with a phase that took no player. */
  /** The versions that were noted, and whether noting one fails. */
  readonly versions: [agentId: string, version: string | null][] = [];
  versionFails = false;
  readonly phasesRefused: string[] = [];
  /** The identity of the next watcher. */
  viewer: () => Promise<string | null> = () => Promise.resolve(null);
  readonly lobby: ReturnType<typeof createLobby>;
  readonly registry: Registry;
  #sockets = 0;

  constructor(options: Options = {}) {
    const { shards = 1, capacity = 100, separateOwners = false, outOfRange = 'default', seatsPerMinute = 6 } = options;
    this.shards = Array.from(
      { length: shards },
      (_, n) => new ToyShard(this.balances, this.seated, (message) => this.#post(n, message)),
    );
    for (const shard of this.shards) shard.tells = (socket) => this.lines.get(socket)?.seatNews.left();
    this.lobby = createLobby({
      clock: this.clock,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (detail) => void this.errors.push(detail),
      },
      sockets: this.#socketsPort(),
      shards: this.shards,
      matchmaking: { graceMs: 3000, separateOwners },
      paceGroups: options.paceGroups ?? true,
      seatsPerMinute,
      rulesOf: (poolId) => this.#rulesOf(poolId, outOfRange),
      capacity,
      answerMs: 2000,
      ...(options.others && { others: options.others }),
    });
    this.registry = this.lobby.open({
      scopes: { season: this.play, competitions: this.competitions },
      authentication: { authenticate: (credential) => this.authenticate(secretOf(credential)) },
      viewers: { agentOf: () => this.viewer(), takesPart: async () => false },
      versions: {
        joined: async (agentId, version) => {
          this.versions.push([agentId, version]);
          if (this.versionFails) throw new Error('no database');
        },
      },
      phaseRefused: (poolId) => void this.phasesRefused.push(poolId),
    });
  }

  #rulesOf(poolId: string, outOfRange: BuyInRules['outOfRange']): PoolRules {
    const sealed = this.competitions.has(poolId) && this.competitions.duplicate;
    const audience: Audience = { spectators: 'public', sealed, delayHands: 0 };
    if (!this.competitions.has(poolId))
      return {
        scope: null,
        table: TOY_RULES,
        buyIn: { ...SEASON_BUY_IN, outOfRange, aboveBalance: 'clamp' },
        audience,
      };
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
  dial(apiKey: string | null, ip = '127.0.0.1', competitionId: string | null = null, relayedFrom?: string): Line {
    const relayed = relayedFrom === undefined ? {} : { relayedFrom };
    const line = new Line(++this.#sockets, { apiKey, ip, competitionId, ...relayed }, this);
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

  /** Agents connect and join one after the other, at the same time. */
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
    this.clock.soon(() => this.lobby.shards.fromShard(shard, message));
  }

  #socketsPort(): Sockets {
    const line = (socket: SocketId) => {
      const found = this.lines.get(socket);
      if (found === undefined) throw new Error(`there is no socket ${socket}`);
      return found;
    };
    const close = (socket: SocketId, code: number) => {
      recordClose(code);
      line(socket).closeCode ??= code;
      this.clock.soon(() => this.registry.closed(socket, null, ABNORMAL));
    };
    return {
      welcome: (socket, { agentId }, route) => {
        const welcomed = line(socket);
        welcomed.agentId = agentId;
        welcomed.routed(route);
      },
      refuse: (socket, error, code) => {
        line(socket).frames.push(frame({ type: 'error', ...error } as ServerMessage));
        close(socket, code);
      },
      watch: () => undefined,
      send: (socket, message) => line(socket).heard(frame(message)),
      route: (socket, route) => line(socket).routed(route),
      close,
      relay: (socket, node, handOver) => void (line(socket).relayed = { node, handOver }),
      relayWatch: alone,
      untold: (socket) => {
        if (!line(socket).seatNews.current) close(socket, CloseCode.tooSlow);
      },
      round: (_socket, shard, table, round) =>
        this.clock.soon(() => this.shards[shard]?.send({ t: 'heard', table, round })),
    };
  }
}

function alone(): never {
  throw new Error('there is no other node');
}

function secretOf(credential: Credential): string {
  if (!('secret' in credential)) throw new Error('no other node was shown the key');
  return credential.secret;
}

/** Checks a frame of the lobby against its schema. */
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
