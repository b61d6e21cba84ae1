import { randomUUID } from 'node:crypto';
import { Gateway, type GatewayConfig } from '../../gateway/gateway.js';
import type { Log } from '../../gateway/transport.js';
import { createLobby, SEASON_BUY_IN, systemClock, type PoolRules } from '../../lobby/index.js';
import { getMe, registerAgent } from '../../protocol/rest/accounts.js';
import { defineRoute } from '../../protocol/route.js';
import type { Player, TableOpening, TableRules } from '../../table/api.js';
import { Cast, type CastMember } from './cast.js';
import { MemoryShard } from './memory-shard.js';
import { MemorySeason } from './season.js';
import { DECK_SIZE, parseCard } from '../../cards/card.js';
import type { RandomSource } from '../../cards/random.js';
import { seededRandom } from '../../cards/shuffle.js';

/**
 * Seeded randomness whose next deal can be fixed: the shuffle then draws exactly the cards that were stacked. Works for
 * tables without fair deals, whose decks come straight from the source. Never for real play.
 */
export class RiggedRandom implements RandomSource {
  readonly #base: RandomSource;
  #draws: number[] = [];

  constructor(seed: number) {
    this.#base = seededRandom(seed);
  }

  next16(): number {
    return this.#draws.shift() ?? this.#base.next16();
  }

  /**
   * The cards of the next deal in dealing order, such as "As Kd …": one to each player from the left of the button, a
   * second to each, flop, turn, river.
   */
  stack(cards: string): void {
    const deck = Array.from({ length: DECK_SIZE }, (_, card) => card);
    this.#draws = cards.split(/\s+/).map((name, i) => {
      const at = deck.indexOf(parseCard(name), i);
      if (at < 0) throw new Error(`${name} is twice in the deck`);
      deck[at] = deck[i]!;
      // The middle of the range of words that the shuffle maps to this choice.
      return Math.floor(((at - i + 0.5) * 0x10000) / (DECK_SIZE - i));
    });
  }
}

/** Who sits where when the bot comes. It takes seat 0, the cast those from 1 on. */
export interface TableSituation {
  cast?: readonly CastMember[];
  /** The bot's stack. */
  stack?: number;
  /** Seat of the button in the first hand. */
  button?: number;
  rules?: Partial<TableRules>;
  /** Cards of the first hand in dealing order; the table plays without fair deals then. */
  cards?: string;
  /** The table goes on above this number. */
  seqFloor?: number;
}

export interface ServerSettings {
  /** Time for a decision. */
  clockMs: number;
  /** The bot's chips on entry; default 5,000. */
  balance?: number;
}

export const BOT_KEY = 'ap_a_key_for_this_examination_only_000000000';
export const BOT_NAME = 'examined_bot';
export const DEFAULT_CAST: readonly CastMember[] = [
  { name: 'ada', stack: 2000 },
  { name: 'bob', stack: 2000 },
];

/** What GET /api/me answers, but for the id. */
const PROFILE = {
  name: BOT_NAME,
  email: `${BOT_NAME}@example.com`,
  email_verified: true,
  wallet_address: null,
  withdrawals_wait_until: null,
  avatar_url: null,
  balance: 0,
  created_at: '2026-01-01T00:00:00.000000+00:00',
  onboarded_at: null,
  mode: null,
  runtime: 'self_hosted' as const,
  runtime_generation: 1,
  public_profile_slug: null,
  public_profile: true,
};

/** One shard a table, so that tables can be added while others are played. */
const SHARDS = 12;
const BETWEEN_HANDS_MS = 60;
const HOLD_MS = 20_000;
const GRACE_MS = 30;
const DEFAULT_STACK = 2000;

const RULES: Omit<TableRules, 'actionTimeoutMs'> = {
  seats: 6,
  smallBlind: 10,
  bigBlind: 20,
  headsUpBlinds: 'standard',
  returnPost: true,
  freeFold: 'check',
  boardEvents: 'new',
  actionProtocol: 'strict',
  stateHash: true,
  timeBankMs: 120_000,
  betweenHandsMs: BETWEEN_HANDS_MS,
  disconnectHoldMs: HOLD_MS,
  missedHandsLimit: 3,
  replayHands: 20,
  replayBytes: 1 << 20,
  resyncBytes: 4 << 20,
  maxStack: null,
  fairDeals: true,
  duplicate: null,
  spectators: true,
};

const PUBLIC = { spectators: 'public', sealed: false, delayHands: 0 } as const;

const CONFIG: GatewayConfig = {
  HOST: '127.0.0.1',
  PORT: 0,
  TRANSPORT: 'ws',
  TRUSTED_PROXY: 0,
  CONNECTIONS_PER_ADDRESS: 512,
  WS_CONNECTS_PER_MINUTE: 100_000,
  REGISTRATIONS_PER_MINUTE: 100_000,
  WS_MESSAGES_PER_SECOND: 20,
  SOCKET_BUFFER_BYTES: 1 << 20,
  COALESCE_MS: 0,
  ACTION_TIMEOUT_MS: 120_000,
  DATABASE_CONNECTIONS: 8,
  SPECTATE: 'off',
  SPECTATE_DELAY_HANDS: 0,
};

/**
 * The server of one case: the real gateway, lobby and tables in this process, for one bot and its scripted opponents.
 * Only accounts, the season and the database are played by memory, so that every situation can be set up.
 */
export class PrivateServer {
  readonly cast = new Cast();
  readonly season: MemorySeason;
  readonly agentId: string = randomUUID();
  /** Errors inside: a fault of ours, never of the bot. */
  readonly faults: string[] = [];
  readonly #random = new RiggedRandom(1);
  readonly #balances = new Map<string, number>();
  readonly #shards: MemoryShard[];
  readonly #lobby: ReturnType<typeof createLobby>;
  readonly #gateway: Gateway;
  #opened = 0;
  /** By pool: what the bot sits down with. */
  #stack = DEFAULT_STACK;
  /** The table that was opened last. */
  table = '';
  /** Names that were registered. */
  readonly registered: string[] = [];

  private constructor(private readonly settings: ServerSettings) {
    const log = this.#log();
    this.#gateway = new Gateway(CONFIG, { log, installation: 'doctor' });
    this.#shards = Array.from({ length: SHARDS }, (_, n) => this.#shard(n));
    this.#lobby = createLobby({
      clock: systemClock,
      log,
      sockets: this.#gateway.sockets,
      shards: this.#shards,
      matchmaking: { graceMs: GRACE_MS, separateOwners: false },
      paceGroups: false,
      seatsPerMinute: 1000,
      capacity: 1000,
      answerMs: 2000,
      rulesOf: () => this.#poolRules(),
    });
    this.season = new MemorySeason(
      { balance: settings.balance ?? 5000, minimum: SEASON_BUY_IN.minimum },
      this.#balances,
      () => this.#lobby.control,
    );
  }

  static async open(settings: ServerSettings): Promise<PrivateServer> {
    const server = new PrivateServer(settings);
    await server.#listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#gateway.port}`;
  }

  get control() {
    return this.#lobby.control;
  }

  /** A table with opponents who begin to play when the bot sits down. */
  openTable({ cast = DEFAULT_CAST, stack = DEFAULT_STACK, button = 1, cards, ...rest }: TableSituation = {}): string {
    this.#stack = stack;
    if (cards !== undefined) this.#random.stack(cards);
    const shard = this.#opened++;
    if (shard >= SHARDS) throw new Error('no shard is left for another table');
    const tableId: string = randomUUID();
    const sittings = cast.map((member, i) => ({
      sitting: randomUUID() as string,
      seat: i + 1,
      stack: member.stack,
      player: playerOf(randomUUID(), member.name),
    }));
    const fair = cards === undefined ? {} : { fairDeals: false };
    const opening: TableOpening = {
      tableId,
      poolId: this.season.poolId,
      handNumber: 0,
      bigBlindSeat: -1,
      sittings,
      // It moves on to the next seat dealt in.
      button: button === 0 ? cast.length : button - 1,
      seqFloor: rest.seqFloor ?? 0,
      rules: { ...this.#rules(), ...fair, ...rest.rules },
    };
    for (const { player, seat } of sittings)
      this.cast.add(player.agentId, cast[seat - 1]!, seat, tableId, this.#shards[shard]!);
    this.#shards[shard]!.open(opening);
    this.#lobby.shards.shardRestored(shard, [opening]);
    this.table = tableId;
    return tableId;
  }

  /** Of the table that was opened last. */
  state() {
    return this.#shards[this.#opened - 1]!.stateOf(this.table);
  }

  /** The table is closed for the reason that an operator has. */
  closeTable(): void {
    this.#lobby.shards.closeTable(this.table);
  }

  /** The same at once: the hand in progress is void. */
  voidTable(): void {
    this.send({ t: 'close', table: this.table, reason: 'closed_by_operator', voidHand: true });
  }

  /** A player of the table, or the whole of it, as the shard is told. */
  send(message: Parameters<MemoryShard['send']>[0]): void {
    this.#shards[this.#opened - 1]!.send(message);
  }

  async close(): Promise<void> {
    for (const shard of this.#shards) shard.stop();
    await this.#gateway.close();
  }

  async #listen(): Promise<void> {
    const identity = {
      agentId: this.agentId,
      name: BOT_NAME,
      email: `${BOT_NAME}@example.com`,
      avatarUrl: null,
      publicProfileSlug: null,
      isHouse: false,
    };
    const registry = this.#lobby.open({
      scopes: {
        season: this.season,
        competitions: {
          admit: () => Promise.resolve('not_participant' as const),
          of: () => this.season,
          shardRecovered: () => undefined,
        },
      },
      authentication: {
        authenticate: (shown) => Promise.resolve('secret' in shown && shown.secret === BOT_KEY ? identity : null),
      },
    });
    const { agentId } = this;
    const agent = { agentId, name: BOT_NAME, isAdmin: false };
    const upstream = {
      registry,
      link: (shard: number) => this.#shards[shard]!,
      authenticate: (key: string) => Promise.resolve(key === BOT_KEY ? agent : null),
      known: (key: string) => key === BOT_KEY,
    };
    await this.#gateway.listen(upstream, [
      defineRoute(registerAgent)(({ body: { name, email = '' } }) => {
        this.registered.push(name);
        const answer = { agent_id: agentId, api_key: BOT_KEY, email, name, wallet_address: null };
        return Promise.resolve({ status: 201, body: answer });
      }),
      defineRoute(getMe)(() => Promise.resolve({ status: 200, body: { ...PROFILE, agent_id: agentId } })),
    ]);
  }

  #shard(n: number): MemoryShard {
    return new MemoryShard({
      random: this.#random,
      balances: this.#balances,
      frames: (bytes, index) => {
        this.#gateway.hub!.forward(bytes, index);
        this.cast.frames(bytes, index);
      },
      says: (message) => {
        this.#lobby.shards.fromShard(n, message);
        if (message.t === 'sat' && message.agentId === this.agentId) this.cast.attach(message.table);
      },
    });
  }

  #poolRules(): PoolRules {
    // Whatever the bot wishes, the situation says with what it sits down.
    const stack = this.#stack;
    const buyIn = { ...SEASON_BUY_IN, minimum: Math.min(stack, SEASON_BUY_IN.minimum), maximum: 0, standard: stack };
    return {
      scope: null,
      table: this.#rules(),
      audience: PUBLIC,
      buyIn: { ...buyIn, outOfRange: 'default', aboveBalance: 'clamp' },
    };
  }

  #rules(): TableRules {
    return { ...RULES, actionTimeoutMs: this.settings.clockMs };
  }

  #log(): Log {
    return {
      info: () => undefined,
      warn: () => undefined,
      error: (detail, message) => void this.faults.push(`${message} ${JSON.stringify(detail)}`),
    };
  }
}

const playerOf = (agentId: string, name: string): Player => ({
  agentId,
  name,
  avatarUrl: null,
  publicProfileSlug: null,
  isPro: false,
  isHouse: false,
  autoRebuy: false,
});
