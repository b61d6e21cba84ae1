import { createHash } from 'node:crypto';
import type { Strategy } from '../../src/bots/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { ClientDispatch } from '../../src/gateway/client-dispatch.js';
import type { Sockets, TableRoute } from '../../src/gateway/ports.js';
import { SEASON_BUY_IN, type Identity } from '../../src/lobby/index.js';
import { MemoryPlatform } from '../../src/memory/platform.js';
import type { SeasonTerms } from '../../src/memory/season.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { SocketId, TableRules } from '../../src/table/api.js';
import { ASKS, LAST, START } from '../../src/table/outbox.js';
import { PlayerMind, type PlayerEnd } from '../../sdk/typescript/src/player.js';
import type { Port, TimerName } from '../../sdk/typescript/src/port.js';
import type { ServerMessage as KitMessage } from '../../sdk/typescript/src/generated/messages.js';
import type { RebuyPolicy } from '../../sdk/typescript/src/rebuys.js';
import { recordFrame } from './recorder.js';
import { RULES } from './table-rules.js';
import { VirtualClock } from './virtual-clock.js';

export interface MemoryPlayerOptions {
  decide: Strategy;
  rebuy?: RebuyPolicy;
}

/** A player of the kit in this process, with calls in place of a socket. */
export class MemoryPlayer {
  /** All frames that it read. */
  readonly read: ServerMessage[] = [];
  readonly warnings: string[] = [];
  closeCode: number | null = null;
  dispatch: ClientDispatch | null = null;
  readonly #timers = new Map<TimerName, () => void>();
  readonly #mind: PlayerMind;

  constructor(
    readonly name: string,
    private readonly clock: VirtualClock,
    private readonly options: MemoryPlayerOptions,
  ) {
    this.#mind = new PlayerMind(this.#port, {
      buyIn: null,
      rebuy: options.rebuy ?? 'auto',
      hands: null,
      inCompetition: false,
      rejoinMs: 0,
      reserveMs: null,
      turnSeconds: null,
    });
  }

  /** Why it has ended; null while it plays. */
  get end(): PlayerEnd | null {
    return this.#mind.reason;
  }

  count(type: ServerMessage['type']): number {
    return this.read.filter((message) => message.type === type).length;
  }

  hear(text: string): void {
    const message = recordFrame(text);
    this.read.push(message);
    this.#mind.read(message as KitMessage);
  }

  say(message: object): boolean {
    const { dispatch } = this;
    if (dispatch === null || this.closeCode !== null) return false;
    this.clock.soon(() => dispatch.read(JSON.stringify(message)));
    return true;
  }

  readonly #port: Port = {
    send: (message) => this.say(message),
    later: (name, ms) => {
      this.#port.cancel(name);
      this.#timers.set(
        name,
        this.clock.after(ms, () => this.#mind.ring(name)),
      );
    },
    cancel: (name) => this.#timers.get(name)?.(),
    think: (token, hand) => this.clock.soon(() => this.#mind.decided(token, this.options.decide(hand), null)),
    askRebuy: () => {
      throw new Error('these players have no rebuy function');
    },
    decision: () => undefined,
    warn: (kind, text) => void this.warnings.push(`${kind}: ${text}`),
    log: () => undefined,
    slowDown: () => undefined,
    now: () => this.clock.now(),
  };
}

/** The platform in memory on a virtual clock, with players of the kit in this process. */
export class MemoryHouse {
  readonly clock = new VirtualClock();
  readonly platform: MemoryPlatform;
  readonly players: MemoryPlayer[] = [];
  readonly errors: string[] = [];
  /** Players by socket. Sockets are numbered from 1. */
  readonly #bySocket = new Map<SocketId, MemoryPlayer>();

  constructor(seed: number, rules: Partial<TableRules> = {}, terms: Partial<SeasonTerms> = {}) {
    this.platform = new MemoryPlatform({
      clock: this.clock,
      random: seededRandom(seed),
      rules: () => ({
        scope: null,
        table: { ...RULES, ...rules },
        buyIn: { ...SEASON_BUY_IN, outOfRange: 'default', aboveBalance: 'clamp' },
        audience: { spectators: 'public', sealed: false, delayHands: 0 },
      }),
      terms,
      shards: 2,
      graceMs: 3000,
      sockets: this.#sockets(),
      frames: (bytes, index) => this.#frames(bytes, index),
      agentOf: identityOf,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (detail, message) => void this.errors.push(`${message} ${JSON.stringify(detail)}`),
      },
    });
  }

  /** Connects a player, which plays from then on. */
  join(name: string, options: MemoryPlayerOptions): MemoryPlayer {
    const player = new MemoryPlayer(name, this.clock, options);
    const socket = this.players.push(player);
    this.#bySocket.set(socket, player);
    this.platform.registry.opened(socket, { apiKey: name, ip: '127.0.0.1', competitionId: null });
    return player;
  }

  #frames(bytes: ArrayBuffer, index: Uint32Array): void {
    for (let i = 0; i < index.length; i += 3) {
      const [socket, marked] = [index[i]!, index[i + 1]!];
      const player = this.#bySocket.get(socket);
      if (player === undefined) throw new Error(`there is no socket ${socket}`);
      if ((marked & ASKS) !== 0) player.dispatch?.seatNews.plays();
      if ((marked & LAST) !== 0) player.dispatch?.seatNews.left();
      player.hear(Buffer.from(bytes).toString('utf8', marked & START, index[i + 2]));
    }
  }

  #sockets(): Sockets {
    const player = (socket: SocketId) => this.#bySocket.get(socket)!;
    const send = (socket: SocketId, message: ServerMessage) => {
      player(socket).dispatch?.seatNews.heard(message);
      player(socket).hear(JSON.stringify(message));
    };
    return {
      welcome: (socket, { agentId, name }, route) => {
        player(socket).dispatch = this.#dispatch(socket, agentId, route, send);
        send(socket, { type: 'connected', agent_id: agentId, name, season_mode: true });
      },
      refuse: (socket, _error, code) => void (player(socket).closeCode = code),
      send,
      route: (socket, route) => void (player(socket).dispatch!.route = route),
      close: (socket, code) => void (player(socket).closeCode = code),
      untold: (socket) => {
        if (!player(socket).dispatch!.seatNews.current) throw new Error(`${player(socket).name} was not told`);
      },
      watch: nobody,
      relay: nobody,
      relayWatch: nobody,
      round: nobody,
    };
  }

  #dispatch(
    socket: SocketId,
    agentId: string,
    route: TableRoute | null,
    send: (socket: SocketId, message: ServerMessage) => void,
  ): ClientDispatch {
    const { platform, clock } = this;
    return new ClientDispatch(
      agentId,
      route,
      { id: socket, send: (message) => send(socket, message) },
      {
        registry: platform.registry,
        link: (shard) => platform.shards[shard]!,
        messagesPerSecond: 20,
        now: () => clock.now(),
        stats: { invalid: 0 },
      },
    );
  }
}

function nobody(): never {
  throw new Error('nobody watches here, and there is one node');
}

/** The same agent in every run. */
const agentIdOf = (name: string) =>
  `${createHash('sha256').update(name).digest('hex').slice(0, 8)}-0000-4000-8000-000000000000`;

const identityOf = (name: string): Identity => ({
  agentId: agentIdOf(name),
  name,
  email: `${name}@example.org`,
  avatarUrl: null,
  publicProfileSlug: null,
  isHouse: false,
});
