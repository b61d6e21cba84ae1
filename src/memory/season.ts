import { randomUUID } from 'node:crypto';
import type { Clock, Entrance, Left, LobbyControl, SeasonScope } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import type { ServerMessage, ServerMessageOf } from '../protocol/server.js';
import { rebuyAnswer, rebuyRefusalOf, secondsOf, type RebuyRefused, type RefusableEntry } from '../rebuys/index.js';
import type { MemoryEntries, MemoryEntry } from './entries.js';

/** Chips whole, times in ms. */
export interface SeasonTerms {
  /** On entry. */
  chips: number;
  /** The chips of a rebuy. */
  rebuyChips: number;
  /** An agent with less off the tables is out of chips. */
  leastBuyIn: number;
  /** Rebuys of an agent; null: any number. */
  mostRebuys: number | null;
}

/** The defaults of the platform's settings. */
export const SEASON_TERMS: SeasonTerms = { chips: 5000, rebuyChips: 1500, leastBuyIn: 1000, mostRebuys: null };

/**
 * One season after another in memory: entries, busts, rebuys and the end. A case sets its fields to make a situation.
 */
export class MemorySeason implements SeasonScope {
  poolId: string = randomUUID();
  number = 1;
  /** `enter` answers this in place of the entry; null: everybody is entered. */
  entrance: Exclude<Entrance, { kind: 'entered' }> | null = null;
  /** No rebuy is granted before so many ms have passed since the bust. */
  cooldownMs = 0;
  /** `rebuy` answers this in place of a grant; null: it goes by the rules. */
  refusal: RebuyRefused | null = null;
  /** New entries have the automatic rebuy on. */
  autoRebuy = false;
  /** Granted in this season. */
  rebuys = 0;
  /** Rebuys that are scheduled, by agent: cancels each. */
  readonly #scheduled = new Map<string, () => void>();

  constructor(
    private readonly terms: SeasonTerms,
    private readonly entries: MemoryEntries,
    private readonly clock: Clock,
    private readonly control: () => LobbyControl,
  ) {}

  enter(agentId: string): Promise<Entrance> {
    if (this.entrance !== null) return Promise.resolve(this.entrance);
    const { balance: chipBalance, autoRebuy } = this.#entryOf(agentId);
    return Promise.resolve({
      kind: 'entered',
      entry: { poolId: this.poolId, chipBalance, autoRebuy, premium: false },
    });
  }

  rebuy(agentId: string): Promise<ServerMessage> {
    const refusal = this.refusal ?? this.#refusalOf(this.entries.of(agentId));
    return Promise.resolve(refusal === null ? this.#grant(agentId) : rebuyAnswer(refusal));
  }

  setAutoRebuy(agentId: string, enabled: boolean): Promise<ServerMessage[]> {
    const entry = this.#entryOf(agentId);
    const isNew = entry.autoRebuy !== enabled;
    entry.autoRebuy = enabled;
    const answer: ServerMessage[] = [{ type: 'auto_rebuy_set', enabled }];
    if (isNew) this.control().updateEntry(agentId, { autoRebuy: enabled && this.#mayRebuy(entry) });
    if (enabled) {
      if (!this.#scheduled.has(agentId)) answer.push(...this.#schedule(agentId, entry));
    } else if (this.#cancel(agentId)) answer.push(this.#bustedWith(entry));
    return Promise.resolve(answer);
  }

  busted({ agentId }: Left): Promise<void> {
    const entry = this.#entryOf(agentId);
    entry.bustedAt = this.clock.now();
    this.#settle(agentId, entry);
    return Promise.resolve();
  }

  seatLost(agentId: string): Promise<void> {
    const entry = this.entries.of(agentId);
    if (entry !== undefined && this.#isOut(entry) && !entry.isSeated) this.#settle(agentId, entry);
    return Promise.resolve();
  }

  /**
   * The season ends and the next one begins: tables close, and everybody reads season_ended. Resolves to the balances
   * at the end, by agent.
   */
  async end(): Promise<ReadonlyMap<string, number>> {
    const control = this.control();
    const over = this.poolId;
    this.entrance = { kind: 'not_open' };
    await control.closePool(over, 'season_ended', true);
    const balances = this.entries.balances();
    this.poolId = randomUUID();
    this.rebuys = 0;
    for (const agentId of [...this.#scheduled.keys()]) this.#cancel(agentId);
    this.entries.clear();
    control.broadcast({ type: 'season_ended', season_number: this.number, next_season_number: ++this.number });
    this.entrance = null;
    control.seasonOpened();
    return balances;
  }

  /** Nothing is lost in memory. */
  shardRecovered(): void {
    return;
  }

  #entryOf(agentId: string): MemoryEntry {
    const known = this.entries.of(agentId);
    if (known !== undefined) return known;
    const entry = this.entries.enter(agentId, this.terms.chips);
    entry.autoRebuy = this.autoRebuy;
    return entry;
  }

  #isOut({ balance }: MemoryEntry): boolean {
    return balance < this.terms.leastBuyIn;
  }

  /** Tells an agent without a stack its automatic rebuy, or its choices. */
  #settle(agentId: string, entry: MemoryEntry): void {
    const news = this.#schedule(agentId, entry);
    for (const message of news.length > 0 ? news : [this.#bustedWith(entry)]) this.control().notify(agentId, message);
  }

  #waitMs({ bustedAt }: MemoryEntry): number {
    return Math.max(0, bustedAt + this.cooldownMs - this.clock.now());
  }

  /** Why a rebuy is not granted now, by the rules of the platform. */
  #refusalOf(entry: MemoryEntry | undefined): RebuyRefused | null {
    const state: RefusableEntry | undefined = entry && {
      chip_balance: entry.balance,
      rebuys: entry.rebuys,
      out_of_chips: this.#isOut(entry),
      available_at: new Date(entry.bustedAt + this.cooldownMs),
      wait_ms: this.#waitMs(entry),
      seated: entry.isSeated,
      email_verified: true,
    };
    return rebuyRefusalOf(state, { terms: { most: this.terms.mostRebuys } });
  }

  #mayRebuy({ rebuys }: MemoryEntry): boolean {
    const { mostRebuys } = this.terms;
    return mostRebuys === null || rebuys < mostRebuys;
  }

  /** Offers a rebuy where it would be granted, now or after its cooldown. */
  #bustedWith(entry: MemoryEntry): ServerMessageOf['busted'] {
    const refusal = this.#refusalOf(entry);
    const isOffered = refusal === null || refusal.kind === 'cooldown';
    return { type: 'busted', options: isOffered ? ['rebuy', 'leave'] : ['leave'] };
  }

  /** The automatic rebuy of an agent that is due one: what it is told. Empty: it is due none. */
  #schedule(agentId: string, entry: MemoryEntry): ServerMessage[] {
    const refusal = this.#refusalOf(entry);
    if (!entry.autoRebuy || (refusal !== null && refusal.kind !== 'cooldown')) return [];
    const wait = this.#waitMs(entry);
    const scheduled: ServerMessage = {
      type: 'auto_rebuy_scheduled',
      rebuy_at: utc(new Date(this.clock.now() + wait)),
      cooldown_seconds: secondsOf(wait),
    };
    if (refusal === null) return [scheduled, this.#grant(agentId)];
    const cancel = this.clock.after(wait, () => {
      this.#scheduled.delete(agentId);
      this.control().notify(agentId, this.#grant(agentId));
    });
    this.#scheduled.set(agentId, cancel);
    return [scheduled];
  }

  /** Whether a rebuy was scheduled. */
  #cancel(agentId: string): boolean {
    this.#scheduled.get(agentId)?.();
    return this.#scheduled.delete(agentId);
  }

  #grant(agentId: string): ServerMessageOf['rebuy_confirmed'] {
    this.#cancel(agentId);
    const entry = this.#entryOf(agentId);
    this.entries.grant(entry, this.terms.rebuyChips);
    entry.rebuys++;
    this.rebuys++;
    return { type: 'rebuy_confirmed', new_stack: 0, chip_balance: entry.balance };
  }
}
