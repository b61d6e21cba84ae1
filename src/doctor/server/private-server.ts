import { randomUUID } from 'node:crypto';
import type { Log } from '../../gateway/transport.js';
import { SEASON_BUY_IN, type LobbyControl, type PoolRules } from '../../lobby/index.js';
import type { MemorySeason } from '../../memory/season.js';
import { MemoryServer } from '../../memory/server.js';
import { RiggedRandom } from '../../memory/rigged-random.js';
import { getMe, registerAgent } from '../../protocol/rest/accounts.js';
import { defineRoute } from '../../protocol/route.js';
import type { ToShard } from '../../shard/messages.js';
import type { Player, TableOpening, TableRules } from '../../table/api.js';
import { Cast, type CastMember } from './cast.js';

/** The players at the table when the bot comes. It takes seat 0, the cast those from 1 on. */
export interface TableSituation {
  cast?: readonly CastMember[];
  /** The bot's stack. */
  stack?: number;
  /** Seat of the button in the first hand. */
  button?: number;
  rules?: Partial<TableRules>;
  /** Cards of the first hand in dealing order; the table plays without fair deals then. */
  cards?: string;
  /** The table continues above this table_seq. */
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

/** The answer of GET /api/me, without the id. */
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

/** The server of one case: the platform in memory, for one bot and its scripted opponents. */
export class PrivateServer {
  readonly cast = new Cast();
  readonly agentId: string = randomUUID();
  /** Errors inside: a fault of ours, never of the bot. */
  readonly faults: string[] = [];
  /** The table that was opened last. */
  table = '';
  /** Names that were registered. */
  readonly registered: string[] = [];
  readonly #random = new RiggedRandom(1);
  #server!: MemoryServer;
  #opened = 0;
  /** The bot sits down with these chips. */
  #stack = DEFAULT_STACK;

  private constructor(private readonly settings: ServerSettings) {}

  static async open(settings: ServerSettings): Promise<PrivateServer> {
    const server = new PrivateServer(settings);
    await server.#listen();
    return server;
  }

  get url(): string {
    return this.#server.url;
  }

  get season(): MemorySeason {
    return this.#server.platform.season;
  }

  get control(): LobbyControl {
    return this.#server.platform.control;
  }

  /** A table with opponents that begin to play when the bot sits down. */
  openTable({ cast = DEFAULT_CAST, stack = DEFAULT_STACK, button = 1, cards, ...rest }: TableSituation = {}): string {
    this.#stack = stack;
    if (cards !== undefined) this.#random.stack(cards);
    const shard = this.#opened++;
    if (shard >= SHARDS) throw new Error('no shard is left for another table');
    const { platform } = this.#server;
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
      poolId: platform.season.poolId,
      handNumber: 0,
      bigBlindSeat: -1,
      sittings,
      // It moves on to the next seat dealt in.
      button: button === 0 ? cast.length : button - 1,
      seqFloor: rest.seqFloor ?? 0,
      rules: { ...this.#rules(), ...fair, ...rest.rules },
    };
    for (const { player, seat } of sittings)
      this.cast.add(player.agentId, cast[seat - 1]!, seat, tableId, platform.shards[shard]!);
    platform.open(shard, opening);
    this.table = tableId;
    return tableId;
  }

  /** The state of the table that was opened last. */
  state() {
    return this.#server.platform.shards[this.#opened - 1]!.stateOf(this.table);
  }

  /** Closes the table as an operator does. */
  closeTable(): void {
    this.#server.platform.closeTable(this.table);
  }

  /** Closes the table at once: the hand in progress is void. */
  voidTable(): void {
    this.send({ t: 'close', table: this.table, reason: 'closed_by_operator', voidHand: true });
  }

  /** A player of the table, or the whole of it, as the shard is told. */
  send(message: ToShard): void {
    this.#server.platform.shards[this.#opened - 1]!.send(message);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #listen(): Promise<void> {
    const { agentId } = this;
    const identity = {
      agentId,
      name: BOT_NAME,
      email: `${BOT_NAME}@example.com`,
      avatarUrl: null,
      publicProfileSlug: null,
      isHouse: false,
    };
    this.#server = await MemoryServer.listen({
      random: this.#random,
      rules: () => this.#poolRules(),
      terms: this.settings.balance === undefined ? {} : { chips: this.settings.balance },
      shards: SHARDS,
      graceMs: GRACE_MS,
      heard: (bytes, index) => this.cast.frames(bytes, index),
      onMessage: (message) => {
        if (message.t === 'sat' && message.agentId === agentId) this.cast.attach(message.table);
      },
      agentOf: (key) => (key === BOT_KEY ? identity : null),
      log: this.#log(),
      routes: [
        defineRoute(registerAgent)(({ body: { name, email = '' } }) => {
          this.registered.push(name);
          const answer = { agent_id: agentId, api_key: BOT_KEY, email, name, wallet_address: null };
          return Promise.resolve({ status: 201, body: answer });
        }),
        defineRoute(getMe)(() => Promise.resolve({ status: 200, body: { ...PROFILE, agent_id: agentId } })),
      ],
    });
  }

  #poolRules(): PoolRules {
    // The situation sets the bot's buy-in, whatever it asks for.
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
