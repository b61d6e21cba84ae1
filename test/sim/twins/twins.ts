import type { Fence } from '../../../src/shard/commit/queries.js';
import type { Database } from '../../../src/store/database.js';
import type { HandRecord } from '../../../src/table/effects.js';
import { Leadership } from '../../../src/store/node/leadership.js';
import { Dice } from '../dice.js';
import type { Agent } from '../vault/rows.js';
import { Vault } from '../vault/vault.js';

/** One statement, as both are asked it. */
export interface Step {
  what: string;
  real: () => Promise<unknown>;
  vault: () => unknown;
}

const NOBODY = {
  email: '',
  avatarUrl: null,
  slug: null,
  keyHash: '',
  isHouse: false,
  isPlatform: false,
  banned: false,
} as const;

/** A leadership by the epoch of its claim. */
class ClaimedLeadership extends Leadership {
  constructor(readonly claimed: number) {
    super(
      () => claimed,
      () => undefined,
    );
  }
}

/** Both databases, and chance, which asks them. */
export class Twins {
  readonly vault = new Vault(() => Date.now());
  readonly dice: Dice;
  readonly agents: string[] = [];
  readonly tables: string[];
  /** Three that live or have lived; new ones come. */
  readonly nodes: string[] = [];
  /** All there ever were. */
  readonly sittings: string[] = [];
  readonly records: HandRecord[] = [];
  pool: string;
  #hands = 0;

  constructor(
    readonly sql: Database,
    seed: number,
  ) {
    this.dice = new Dice(seed);
    this.tables = Array.from({ length: 4 }, () => this.id());
    this.pool = this.id();
  }

  id(): string {
    return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => this.dice.int(0, 15).toString(16));
  }

  /** Ids of hands rise, as those of a process do. */
  handId(): string {
    return `${(++this.#hands).toString(16).padStart(8, '0')}${this.id().slice(8)}`;
  }

  async begin(): Promise<void> {
    for (let n = 0; n < 5; n++) {
      const agentId = this.id();
      this.agents.push(agentId);
      const emailVerified = n !== 1;
      await this.sql`
        insert into agents (agent_id, email, name, key_hash, terms_accepted_at, email_verified_at)
        values (${agentId}, ${`${agentId}@example.org`}, ${`bot_${n}`}, sha256(${agentId}::text::bytea), now(),
          ${emailVerified ? new Date() : null})`;
      const agent: Agent = { agentId, name: `bot_${n}`, emailVerified, ...NOBODY };
      this.vault.agents.set(agentId, agent);
    }
  }

  some<T>(list: readonly T[]): T {
    return this.dice.pick(list);
  }

  /** Mostly the present epoch, and with a table mostly that of its shard. */
  fence(tableId = ''): Fence {
    const own = this.dice.chance(0.9) ? this.vault.tables.get(tableId)?.shardNo : undefined;
    const shard = own ?? this.dice.int(0, 1);
    const present = this.vault.epochs.get(shard) ?? 0;
    const another = present > 0 ? present - 1 : present + 1;
    return { shard, epoch: this.dice.chance(0.08) ? another : present };
  }

  /** The present leader's. */
  get leadership(): ClaimedLeadership {
    return new ClaimedLeadership(this.vault.leases.leader.epoch);
  }

  /** Or, now and then, of one before it. */
  sometimesLate(): ClaimedLeadership {
    const late = this.dice.chance(0.2) ? 1 : 0;
    return new ClaimedLeadership(this.vault.leases.leader.epoch - late);
  }

  /** The vault's write for a leader. */
  led<T>(leadership: ClaimedLeadership, effect: () => T): () => Promise<T> {
    const guarded = async () => {
      this.vault.leases.requireLeader(leadership.claimed);
      return effect();
    };
    return () => leadership.guarded(guarded());
  }

  node(): string {
    if (this.nodes.length < 3 || this.dice.chance(0.1)) this.nodes.push(this.id());
    return this.some(this.nodes.slice(-3));
  }

  agent(): string {
    return this.some(this.agents);
  }

  seated() {
    const seated = [...this.vault.allEntries()].filter(
      ({ tableId, poolId }) => tableId !== null && poolId === this.pool,
    );
    return seated.length === 0 ? undefined : this.some(seated);
  }

  statement(what: string, real: () => Promise<unknown>, vault: () => unknown): Step {
    return { what, real, vault };
  }
}
