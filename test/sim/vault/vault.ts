import { CommitRefused, Fenced, WriteRefused, type Fence } from '../../../src/shard/commit/fence.js';
import type { BuyIn, CashOut, Reservation, Skim, StoredTable } from '../../../src/shard/commit/queries.js';
import type { TableClaim, ClaimedTable } from '../../../src/shard/main/boot.js';
import { Displaced } from '../../../src/store/node/leadership.js';
import { ensure } from '../broken.js';
import { Leases } from './leases.js';
import type { Agent, CreditRow, Entry, LedgerRow, Season, Standing, TableRow } from './rows.js';
import type { HandRecord } from '../../../src/table/effects.js';
import type { BlindDebt } from '../../../src/table/seats/blinds.js';

/** The shard of a table that waits to be claimed. */
const NO_SHARD = -1;

/**
 * The database of the simulation: the rows, and a shard's statements on them, each with the guards of its SQL
 * (src/shard/commit/) and all or nothing. `test/sim/vault.test.ts` holds it to a real one.
 */
export class Vault {
  readonly agents = new Map<string, Agent>();
  readonly seasons: Season[] = [];
  /** By pool, then by agent. */
  readonly entries = new Map<string, Map<string, Entry>>();
  readonly ledger: LedgerRow[] = [];
  readonly standings: Standing[] = [];
  readonly credits: CreditRow[] = [];
  /** Keys of the mails that were queued. */
  readonly mails = new Set<string>();
  readonly tables = new Map<string, TableRow>();
  readonly #lastHands = new Map<Entry, string>();
  readonly epochs = new Map<number, number>();
  readonly leases = new Leases(() => this.now());
  /** By shard: which node has it. */
  readonly holders = new Map<number, string | null>();
  readonly hands = new Map<string, HandRecord>();
  /** The one buy-in and the one cash-out of each stay: its entry, and the balance after. */
  readonly #moved = new Map<string, { entry: Entry; after: number }>();
  /** Chips brought into each pool by grants and rebuys. */
  readonly #brought = new Map<string, number>();
  /** By table and name: every stack that was ever stored, with the time until which it was. */
  readonly #stacks = new Map<string, { stack: number; until: number; skimmed: boolean }[]>();

  constructor(readonly now: () => number) {}

  entry(poolId: string, agentId: string): Entry | undefined {
    return this.entries.get(poolId)?.get(agentId);
  }

  *allEntries(): Iterable<Entry> {
    for (const pool of this.entries.values()) yield* pool.values();
  }

  seated(tableId: string): Entry[] {
    return [...this.allEntries()].filter((entry) => entry.tableId === tableId);
  }

  /**
   * The stacks that a player may be reported with at a table. They are the stored one, or the one of a moment ago, or,
   * for a player that left, any earlier one. The stack before its excess also counts until the table has heard that the
   * excess went.
   */
  storedStacks(tableId: string, name: string, momentMs: number): number[] {
    const all = this.#stacks.get(`${tableId} ${name}`) ?? [];
    const sits = all.at(-1)?.until === Infinity;
    return all
      .filter(({ until, skimmed }, i) => !sits || until >= this.now() - momentMs || (skimmed && i === all.length - 2))
      .map(({ stack }) => stack);
  }

  /** The stack of a seated entry changes; null: the stay is over. */
  #stack(entry: Entry, stack: number | null, skimmed = false): void {
    const key = `${entry.tableId} ${this.agents.get(entry.agentId)?.name}`;
    const all = this.#stacks.get(key) ?? [];
    this.#stacks.set(key, all);
    const last = all.at(-1);
    if (last !== undefined) Object.assign(last, { until: Math.min(last.until, this.now()), skimmed });
    if (stack !== null) all.push({ stack, until: Infinity, skimmed: false });
    entry.chipsAtTable = stack ?? 0;
  }

  /** Moves the balance of an entry, with its ledger row. */
  move(entry: Entry, type: LedgerRow['type'], amount: number, sitting: string | null = null): number {
    const { poolId, agentId } = entry;
    entry.chipBalance += amount;
    ensure(entry.chipBalance >= 0, () => `the balance of ${agentId} fell to ${entry.chipBalance}`);
    this.ledger.push({ poolId, agentId, type, amount, balanceAfter: entry.chipBalance, sitting });
    if (type === 'grant' || type === 'rebuy') this.#brought.set(poolId, (this.#brought.get(poolId) ?? 0) + amount);
    else if (sitting !== null) this.#moved.set(`${type} ${sitting}`, { entry, after: entry.chipBalance });
    return entry.chipBalance;
  }

  // Epochs.

  claimShard(shard: number, holder: string): number {
    const present = this.holders.has(shard) ? this.holders.get(shard) : holder;
    if (present !== holder || this.#hasEnded(holder)) throw new Displaced();
    return this.#hold(shard, holder);
  }

  /** Under a new epoch; resolves to that. */
  #hold(shard: number, holder: string | null): number {
    const epoch = (this.epochs.get(shard) ?? 0) + 1;
    this.epochs.set(shard, epoch);
    this.holders.set(shard, holder);
    return epoch;
  }

  #hasEnded(nodeId: string): boolean {
    return this.leases.nodes.has(nodeId) && !this.leases.lives(nodeId);
  }

  #fenced({ shard, epoch }: Fence): void {
    if (this.epochs.get(shard) !== epoch) throw new Fenced();
  }

  #openHere({ shard }: Fence, tableId: string, poolId: string): boolean {
    const table = this.tables.get(tableId);
    return table !== undefined && table.poolId === poolId && table.shardNo === shard && table.status === 'open';
  }

  #takesPlayers(poolId: string): boolean {
    return this.seasons.find(({ seasonId }) => seasonId === poolId)?.phase === 'open';
  }

  // Seats.

  buyIn(fence: Fence, { poolId, agentId, tableId, seat, sitting, amount }: BuyIn): number {
    this.#fenced(fence);
    const entry = this.entry(poolId, agentId);
    const open = this.#openHere(fence, tableId, poolId);
    const before = this.#moved.get(`buy_in ${sitting}`);
    const fits = open && this.#takesPlayers(poolId);
    if (before === undefined && entry?.tableId === null && fits && entry.chipBalance >= amount && amount > 0) {
      if (this.seated(tableId).some(({ seatNo }) => seatNo === seat)) throw new WriteRefused('seat_taken');
      Object.assign(entry, { tableId, seatNo: seat, sitting });
      this.#stack(entry, amount);
      return this.move(entry, 'buy_in', -amount, sitting);
    }
    if (before !== undefined && entry?.sitting === sitting) return before.after;
    if (entry === undefined) throw new WriteRefused('no_entry');
    if (before !== undefined) throw new WriteRefused('sitting');
    if (entry.tableId !== null) throw new WriteRefused('seated');
    if (!this.#takesPlayers(poolId)) throw new WriteRefused('pool');
    throw new WriteRefused(open ? 'balance' : 'table');
  }

  /** No pool of the simulation is one of duplicates. */
  rememberedStay(poolId: string, agentId: string): { decksSeen: 0; left?: BlindDebt } {
    const owes = this.entry(poolId, agentId)?.owes ?? null;
    if (owes === null || owes.until <= this.now()) return { decksSeen: 0 };
    const { paidHands, excused } = owes;
    return { decksSeen: 0, left: { paidHands, excused } };
  }

  cashOut(fence: Fence, { poolId, agentId, sitting, stack, owes = null }: CashOut): number {
    this.#fenced(fence);
    const entry = this.entry(poolId, agentId);
    const ours = entry?.sitting === sitting && this.tables.get(entry.tableId!)?.shardNo === fence.shard;
    if (ours && entry.chipsAtTable === stack) {
      this.#once('cash_out', sitting);
      this.#stack(entry, null);
      Object.assign(entry, { tableId: null, seatNo: null, sitting: null });
      entry.owes = owes && { paidHands: owes.paidHands, excused: owes.excused, until: this.now() + owes.forMs };
      return this.move(entry, 'cash_out', stack, sitting);
    }
    const before = this.#moved.get(`cash_out ${sitting}`);
    if (before !== undefined && before.entry === entry) return before.after;
    throw new WriteRefused(entry?.sitting !== sitting ? 'sitting' : ours ? 'stack' : 'table');
  }

  skim(fence: Fence, { poolId, agentId, sitting, stack, excess }: Skim): number {
    this.#fenced(fence);
    const entry = this.entry(poolId, agentId);
    const ours = entry?.sitting === sitting && this.tables.get(entry.tableId!)?.shardNo === fence.shard;
    if (ours && entry.chipsAtTable === stack) {
      this.#stack(entry, stack - excess, true);
      return this.move(entry, 'skim', excess);
    }
    if (ours && entry.chipsAtTable === stack - excess) return entry.chipBalance;
    throw new WriteRefused(entry?.sitting !== sitting ? 'sitting' : ours ? 'stack' : 'table');
  }

  /** A stay is bought once and cashed out once; what is repeated finds the seat changed, and comes not so far. */
  #once(type: 'buy_in' | 'cash_out', sitting: string): void {
    if (!this.#moved.has(`${type} ${sitting}`)) return;
    throw Object.assign(new Error('simulated: unique violation'), { code: '23505' });
  }

  // Hands.

  commitHands(fence: Fence, records: readonly HandRecord[]): void {
    // Before anything is asked of the database.
    for (const { players } of records) {
      if (players.length < 2) throw new CommitRefused('a hand has two players');
      const profit = players.reduce((sum, { stackStart, stackEnd }) => sum + stackEnd - stackStart, 0);
      if (profit !== 0) throw new CommitRefused('chips are not conserved');
    }
    this.#fenced(fence);
    const fresh = records.filter(({ handId }) => !this.hands.has(handId));
    for (const record of fresh) this.#check(fence, record);
    for (const record of fresh) this.#store(record);
  }

  #check(fence: Fence, { tableId, poolId, handNumber, handBefore = handNumber - 1, players }: HandRecord): void {
    const table = this.tables.get(tableId);
    const next = table?.handNumber === handBefore && handNumber > handBefore;
    if (!this.#openHere(fence, tableId, poolId) || !next) {
      throw new CommitRefused('a table is not at the hand before');
    }
    for (const { agentId, seat, sitting, stackStart, stackEnd } of players) {
      const entry = this.entry(poolId, agentId);
      const same = entry?.tableId === tableId && entry.seatNo === seat && entry.sitting === sitting;
      if (!same || entry.chipsAtTable !== stackStart) throw new CommitRefused('a stack is not the one at its start');
      if (stackEnd < 0 || !Number.isInteger(stackEnd)) throw new CommitRefused(`a stack of ${stackEnd}`);
    }
  }

  #store(record: HandRecord): void {
    this.hands.set(record.handId, record);
    for (const { agentId, stackStart, stackEnd } of record.players) {
      const entry = this.entry(record.poolId, agentId)!;
      // hand_marks count an agent's hands in the order of their ids.
      const last = this.#lastHands.get(entry) ?? '';
      ensure(last < record.handId, () => `the ids of ${agentId}'s hands are out of order: ${last}, ${record.handId}`);
      this.#lastHands.set(entry, record.handId);
      this.#stack(entry, stackEnd);
      entry.handsPlayed++;
      if (stackEnd > stackStart) entry.handsWon++;
    }
    const table = this.tables.get(record.tableId)!;
    const { handNumber, button, bigBlindSeat } = record;
    Object.assign(table, { handNumber, button, bigBlindSeat });
    table.seqReserved = Math.max(table.seqReserved, record.seqReserved);
  }

  // Tables.

  openTable(fence: Fence, { tableId, poolId, seqReserved }: Reservation & { poolId: string }): void {
    this.#fenced(fence);
    const before = this.tables.get(tableId);
    if (before !== undefined) {
      const fresh = before.shardNo === fence.shard && before.status === 'open' && before.handNumber === 0;
      if (fresh && this.seated(tableId).length === 0) return;
      throw new WriteRefused('table');
    }
    if (!this.#takesPlayers(poolId)) throw new WriteRefused('pool');
    const row: TableRow = {
      tableId,
      poolId,
      shardNo: fence.shard,
      status: 'open',
      handNumber: 0,
      button: -1,
      bigBlindSeat: -1,
      seqReserved,
    };
    this.tables.set(tableId, row);
  }

  /** The ids of the open ones. */
  adoptTables(fence: Fence, tables: readonly Reservation[]): Set<string> {
    this.#fenced(fence);
    const open = tables.filter(({ tableId }) => this.tables.get(tableId)?.status === 'open');
    for (const { tableId, seqReserved } of open) {
      const table = this.tables.get(tableId)!;
      table.shardNo = fence.shard;
      table.seqReserved = Math.max(table.seqReserved, seqReserved);
    }
    return new Set(open.map(({ tableId }) => tableId));
  }

  reserveSeq(fence: Fence, tableId: string, upTo: number): void {
    this.#fenced(fence);
    const table = this.tables.get(tableId);
    if (table?.shardNo !== fence.shard) throw new WriteRefused('table');
    table.seqReserved = Math.max(table.seqReserved, upTo);
  }

  closeTable(fence: Fence, tableId: string): void {
    this.#fenced(fence);
    if (this.seated(tableId).length > 0) throw new WriteRefused('occupied');
    const table = this.tables.get(tableId);
    if (table?.shardNo === fence.shard) table.status = 'closed';
  }

  // Shards of nodes: src/shard/main/boot.ts.

  takeShards({ nodeId, threads }: { nodeId: string; threads: number }): number[] {
    this.#fenceOrphans(nodeId);
    const living = this.leases.living.length;
    const open = this.#open();
    const taken = (n: number) => (this.holders.get(n) ?? null) !== null || (living > 1 && open.some(({ shardNo }) => shardNo === n)); // prettier-ignore
    const numbers: number[] = [];
    for (let n = 0; numbers.length < threads; n++) if (!taken(n)) numbers.push(n);
    for (const n of numbers) this.#hold(n, nodeId);
    for (const table of open) if (numbers.includes(table.shardNo)) table.shardNo = NO_SHARD;
    this.#claim(new Map(numbers.map((n) => [n, 0])), Math.ceil(open.length / living));
    return numbers;
  }

  claimTables({ nodeId, players, most }: Pick<TableClaim, 'nodeId' | 'players' | 'most'>): ClaimedTable[] {
    this.#fenceOrphans(nodeId);
    return this.#claim(players, most);
  }

  #fenceOrphans(nodeId: string): void {
    if (this.#hasEnded(nodeId)) throw new Displaced();
    for (const [shard, holder] of this.holders) {
      if (holder !== null && !this.leases.lives(holder)) this.#hold(shard, null);
    }
  }

  #claim(players: ReadonlyMap<number, number>, most: number): ClaimedTable[] {
    const orphaned = () => this.#open().filter(({ shardNo }) => (this.holders.get(shardNo) ?? null) === null);
    for (const table of orphaned()) if (this.seated(table.tableId).length === 0) table.status = 'closed';
    const load = new Map(players);
    return orphaned()
      .slice(0, most)
      .map((row) => {
        const table = this.#stored(row);
        const [shard] = [...load].reduce((least, other) => (other[1] < least[1] ? other : least));
        load.set(shard, load.get(shard)! + table.sittings.length);
        row.shardNo = shard;
        return { table, shard };
      });
  }

  storedTables(of: { shard: number } | { ids: readonly string[] }): StoredTable[] {
    const asked = ({ tableId, shardNo }: TableRow) => ('shard' in of ? shardNo === of.shard : of.ids.includes(tableId));
    return this.#open()
      .filter(asked)
      .map((row) => this.#stored(row));
  }

  #stored({ tableId, poolId, handNumber, button, bigBlindSeat, seqReserved: seqFloor }: TableRow): StoredTable {
    const entries = this.seated(tableId).sort((a, b) => a.seatNo! - b.seatNo!);
    const sittings = entries.map((entry) => this.#sitting(entry));
    return { tableId, poolId, handNumber, button, bigBlindSeat, seqFloor, sittings };
  }

  #sitting({ sitting, seatNo, chipsAtTable, agentId, premium, autoRebuy }: Entry): StoredTable['sittings'][number] {
    const { name, avatarUrl, slug, isHouse } = this.agents.get(agentId)!;
    const player = { agentId, name, avatarUrl, publicProfileSlug: slug, isPro: premium, isHouse, autoRebuy };
    return { sitting: sitting!, seat: seatNo!, stack: chipsAtTable, decksSeen: 0, player };
  }

  #open(): TableRow[] {
    return [...this.tables.values()].filter(({ status }) => status === 'open');
  }

  /** No chip is lost or made, at any moment, and nobody sits where nobody can. */
  audit(): void {
    const active = this.seasons.filter(({ status }) => status === 'active').length;
    ensure(active === Math.min(1, this.seasons.length), () => `${active} seasons are active`);
    for (const [poolId, pool] of this.entries) {
      let total = 0;
      const seats = new Set<string>();
      for (const { agentId, chipBalance, chipsAtTable, tableId, seatNo } of pool.values()) {
        total += chipBalance + chipsAtTable;
        if (tableId === null) {
          ensure(chipsAtTable === 0, () => `${agentId} has ${chipsAtTable} chips at no table`);
          continue;
        }
        const seat = `${tableId} ${seatNo}`;
        ensure(!seats.has(seat), () => `seat ${seat} is taken twice`);
        seats.add(seat);
        ensure(this.tables.get(tableId)?.status === 'open', () => `${agentId} sits at a table that is not open`);
      }
      const brought = this.#brought.get(poolId) ?? 0;
      ensure(total === brought, () => `${total} chips where ${brought} were brought in`);
    }
  }

  /** The slower part: every balance is the sum of its ledger, every stack what buy-ins and hands made it. */
  auditInFull(): void {
    this.audit();
    const sums = new Map<string, { all: number; stays: number; hands: number }>();
    const of = (poolId: string, agentId: string) => {
      const key = `${poolId} ${agentId}`;
      const sum = sums.get(key) ?? { all: 0, stays: 0, hands: 0 };
      sums.set(key, sum);
      return sum;
    };
    for (const { poolId, agentId, type, amount } of this.ledger) {
      of(poolId, agentId).all += amount;
      if (type !== 'grant' && type !== 'rebuy') of(poolId, agentId).stays -= amount;
    }
    for (const { poolId, players } of this.hands.values()) {
      for (const { agentId, stackStart, stackEnd } of players) of(poolId, agentId).hands += stackEnd - stackStart;
    }
    for (const { poolId, agentId, chipBalance, chipsAtTable } of this.allEntries()) {
      const { all, stays, hands } = of(poolId, agentId);
      ensure(chipBalance === all, () => `${agentId} has ${chipBalance}, its ledger says ${all}`);
      ensure(chipsAtTable === stays + hands, () => `${agentId} has ${chipsAtTable} at a table, not ${stays + hands}`);
    }
  }
}
