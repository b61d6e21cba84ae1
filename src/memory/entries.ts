import { assert, assertWhole } from '../ops/assert.js';
import type { BlindDebt } from '../table/seats/blinds.js';

/** An agent's part in the season. Chips whole, times epoch ms. */
export interface MemoryEntry {
  /** Chips off the tables. */
  balance: number;
  isSeated: boolean;
  autoRebuy: boolean;
  rebuys: number;
  /** The time of the last bust; 0: none. */
  bustedAt: number;
  /** The debt of a seat that it left, until then. */
  debt: { owes: BlindDebt; until: number } | null;
}

/** The entries of one season, by agent. Assertions guard here as the database's conditions do. */
export class MemoryEntries {
  readonly #entries = new Map<string, MemoryEntry>();
  #granted = 0;

  /** Chips that came into the season, whatever for. */
  get granted(): number {
    return this.#granted;
  }

  of(agentId: string): MemoryEntry | undefined {
    return this.#entries.get(agentId);
  }

  /** The agent's entry; a new one begins with these chips. */
  enter(agentId: string, chips: number): MemoryEntry {
    const known = this.#entries.get(agentId);
    if (known !== undefined) return known;
    const entry: MemoryEntry = {
      balance: 0,
      isSeated: false,
      autoRebuy: false,
      rebuys: 0,
      bustedAt: 0,
      debt: null,
    };
    this.#entries.set(agentId, entry);
    this.grant(entry, chips);
    return entry;
  }

  grant(entry: MemoryEntry, chips: number): void {
    assertWhole(chips, 'granted chips');
    entry.balance += chips;
    this.#granted += chips;
  }

  /** Takes a seat with these chips. Returns the balance that is left; null: there are not as many. */
  buyIn(agentId: string, chips: number): number | null {
    const entry = this.#entries.get(agentId);
    if (entry === undefined || entry.isSeated || entry.balance < chips) return null;
    entry.isSeated = true;
    return (entry.balance -= chips);
  }

  /** A table begins with the agent on a seat: these chips come into the season there. */
  seat(agentId: string, stack: number): void {
    const entry = this.enter(agentId, 0);
    assert(!entry.isSeated, 'an agent has one seat', agentId);
    assertWhole(stack, 'the stack of a seat');
    entry.isSeated = true;
    this.#granted += stack;
  }

  /** A seat is given up. Returns the new balance. */
  cashOut(agentId: string, stack: number): number {
    const entry = this.#seated(agentId);
    entry.isSeated = false;
    return this.#add(entry, stack);
  }

  /** A seat keeps what it may have. Returns the new balance. */
  skim(agentId: string, excess: number): number {
    return this.#add(this.#seated(agentId), excess);
  }

  /** Balances by agent. */
  balances(): Map<string, number> {
    return new Map([...this.#entries].map(([agentId, { balance }]) => [agentId, balance]));
  }

  /** The season is over, and everybody has stood up. */
  clear(): void {
    for (const [agentId, { isSeated }] of this.#entries) assert(!isSeated, 'a season ends without players', agentId);
    this.#entries.clear();
    this.#granted = 0;
  }

  #seated(agentId: string): MemoryEntry {
    const entry = this.#entries.get(agentId);
    assert(entry?.isSeated === true, 'chips come back from a seat', agentId);
    return entry;
  }

  #add(entry: MemoryEntry, chips: number): number {
    assertWhole(chips, 'chips of a seat');
    return (entry.balance += chips);
  }
}
