import type { RandomSource } from '../cards/random.js';
import type { Registry, Sockets } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import { createLobby, systemClock, type Clock, type Identity, type PoolRules } from '../lobby/index.js';
import type { FromShard } from '../shard/messages.js';
import type { TableOpening } from '../table/api.js';
import { MemoryEntries } from './entries.js';
import { MemoryShard } from './memory-shard.js';
import { MemorySeason, SEASON_TERMS, type SeasonTerms } from './season.js';

export interface MemoryPlatformOptions {
  /** The system's clock without. */
  clock?: Clock;
  random: RandomSource;
  /** How the season's pool is played. Asked for each table that opens. */
  rules: () => PoolRules;
  terms?: Partial<SeasonTerms>;
  /** Tables are spread over so many shards. */
  shards: number;
  /** ms that joins wait for company. */
  graceMs: number;
  /** The receivers of the lobby's messages. */
  sockets: Sockets;
  /** Finished frames of the tables, as the sockets take them. */
  frames(bytes: ArrayBuffer, index: Uint32Array): void;
  /** A shard's message to the lobby, after the lobby has read it. */
  onMessage?: (message: FromShard) => void;
  /** The agent of a key; null for an unknown one. */
  agentOf(key: string): Identity | null;
  log: Log;
}

/** Agents in the lobby, seats of an agent a minute, and ms for an answer of a shard: bounds that nobody meets. */
const [CAPACITY, SEATS_PER_MINUTE, ANSWER_MS] = [1000, 1000, 2000];

/** The platform in this process: the real lobby, tables and rules, with accounts, season and store in memory. */
export class MemoryPlatform {
  readonly entries = new MemoryEntries();
  readonly season: MemorySeason;
  /** By number, as routes of sockets name them. */
  readonly shards: readonly MemoryShard[];
  /** For the sockets. */
  readonly registry: Registry;
  readonly #lobby: ReturnType<typeof createLobby>;

  constructor(options: MemoryPlatformOptions) {
    const { clock = systemClock, log, sockets, graceMs, rules, terms, agentOf } = options;
    const { entries } = this;
    this.shards = Array.from({ length: options.shards }, (_, shard) => {
      const says = (message: FromShard) => {
        this.#lobby.shards.fromShard(shard, message);
        options.onMessage?.(message);
      };
      const frames = (bytes: ArrayBuffer, index: Uint32Array) => options.frames(bytes, index);
      return new MemoryShard({ clock, random: options.random, entries, frames, says });
    });
    this.#lobby = createLobby({
      clock,
      log,
      sockets,
      shards: this.shards,
      matchmaking: { graceMs, separateOwners: false },
      paceGroups: false,
      seatsPerMinute: SEATS_PER_MINUTE,
      capacity: CAPACITY,
      answerMs: ANSWER_MS,
      rulesOf: rules,
    });
    this.season = new MemorySeason({ ...SEASON_TERMS, ...terms }, entries, clock, () => this.control);
    this.registry = this.#lobby.open({
      scopes: {
        season: this.season,
        competitions: {
          admit: () => Promise.resolve('not_participant' as const),
          of: () => this.season,
          shardRecovered: () => undefined,
        },
      },
      authentication: {
        authenticate: (shown) => Promise.resolve('secret' in shown ? agentOf(shown.secret) : null),
      },
    });
  }

  get control() {
    return this.#lobby.control;
  }

  /** Opens a table with its players, as after a restart: they play once their sockets are attached. */
  open(shard: number, opening: TableOpening): void {
    this.shards[shard]!.open(opening);
    this.#lobby.shards.shardRestored(shard, [opening]);
  }

  /** The table is closed after its hand, for the reason that an operator has. */
  closeTable(tableId: string): void {
    this.#lobby.shards.closeTable(tableId);
  }

  stop(): void {
    for (const shard of this.shards) shard.stop();
  }
}
