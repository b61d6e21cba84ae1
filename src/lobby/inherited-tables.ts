import {
  NO_SOCKET,
  type ReportedBuyIn,
  type ReportedSeat,
  type SocketId,
  type TableOpening,
  type TableReport,
  type TableSummary,
} from '../table/api.js';
import { CloseCode, ERROR_MESSAGES } from '../protocol/codes.js';
import type { ClosingPools } from './closing-pools.js';
import type { ConnectedAgent } from './connected-agents.js';
import type { Matchmaking } from './matchmaking.js';
import type { LobbyState } from './state.js';
import type { LobbyTable } from './tables.js';

/** How long the sockets of a shard that was late to report are waited for. */
const LATE_MS = 2000;

interface Inherited {
  table: LobbyTable;
  report: TableReport;
}

/**
 * Tables that were played while one lobby ended and this one began. They are not asked for anything, and nobody there
 * attaches anew: they know all that the lobby has yet to learn.
 */
export class InheritedTables {
  /** By agent: its seat, as its shard reported it. */
  readonly #seats = new Map<string, ReportedSeat>();
  /** By agent: a buy-in that the lobby before asked for. */
  readonly #buyIns = new Map<string, ReportedBuyIn & { table: LobbyTable }>();
  /** By agent that sits, by what is stored, at a shard that was not heard in time: that shard. */
  readonly #unheard = new Map<string, number>();
  /** Until the lobby has settled. */
  #unsettled: Inherited[] = [];

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
    private readonly pools: ClosingPools,
    private readonly attach: (agent: ConnectedAgent) => void,
  ) {}

  take(shard: number, reports: readonly TableReport[]): void {
    const { tables, shards, settled, options } = this.state;
    shards.setUp(shard, true);
    const fresh = reports.filter(({ tableId }) => tables.get(tableId) === undefined);
    const inherited = fresh.map((report) => ({ report, table: this.#add(shard, report) }));
    if (!settled.over) return void this.#unsettled.push(...inherited);
    for (const { report } of inherited) for (const seat of report.seats) this.#reunite(seat);
    for (const each of inherited) this.#settle(each);
    options.clock.after(LATE_MS, () => this.#detachAbsent(inherited));
    this.onLate();
    this.matchmaking.touch();
  }

  /** The shard lives, and is not heard yet: whoever sits there by what is stored has that seat, whatever its session knows. */
  expect(shard: number, openings: readonly TableOpening[]): void {
    for (const { player } of openings.flatMap(({ sittings }) => sittings)) this.#unheard.set(player.agentId, shard);
  }

  /** Whether the agent has a seat at a shard that is not heard. */
  isUnheard(agentId: string): boolean {
    const shard = this.#unheard.get(agentId);
    return shard !== undefined && !this.state.shards.isUp(shard);
  }

  /** The seat was told that this socket is gone: should it come back, it has to attach. */
  detached(agentId: string, socket: SocketId): void {
    const seat = this.#seats.get(agentId);
    if (seat?.socket === socket) this.#seats.set(agentId, { ...seat, socket: NO_SOCKET });
  }

  /** Whether the agent's seat has had this socket all the while. */
  holds(agentId: string, socket: SocketId): boolean {
    return this.seatOf(agentId)?.socket === socket;
  }

  /** The seat as it was reported, as long as it is the agent's. */
  seatOf(agentId: string): ReportedSeat | undefined {
    const seat = this.#seats.get(agentId);
    return seat?.sitting === this.state.directory.seatOf(agentId)?.sitting ? seat : undefined;
  }

  /** The buy-in of the agent that is under way since before. */
  buyInOf(agentId: string): (ReportedBuyIn & { table: LobbyTable }) | undefined {
    const buyIn = this.#buyIns.get(agentId);
    return buyIn?.table.incoming.has(agentId) === true ? buyIn : undefined;
  }

  /** Whoever was there has said so, and has its place. */
  settle(): void {
    const inherited = this.#unsettled.splice(0);
    for (const each of inherited) this.#settle(each);
    // Those who came anew meanwhile attach first.
    this.state.options.clock.soon(() => this.#detachAbsent(inherited));
  }

  #add(shard: number, report: TableReport): LobbyTable {
    const { tables, shards, options } = this.state;
    const { tableId, poolId, opening, closing } = report;
    const { scope, table: rules } = options.rulesOf(poolId);
    const { seats, smallBlind, bigBlind } = report.summary ?? rules;
    const state = opening ? 'opening' : closing ? 'closing' : 'open';
    const table = tables.add({ tableId, poolId, scope, shard, seats, smallBlind, bigBlind, state });
    // A fresh one that is not stored yet is nobody's to see.
    if (!opening || report.seats.length > 0) table.summary = report.summary ?? summaryOf(table, report);
    if (report.summary !== null) this.state.notePaces(table, report.summary, true);
    for (const seat of report.seats) this.#occupy(table, seat);
    for (const buyIn of report.buyIns) {
      table.incoming.set(buyIn.agentId, { house: buyIn.isHouse, owner: [] });
      this.#buyIns.set(buyIn.agentId, { ...buyIn, table });
    }
    // Nobody is about to move it any more.
    if (report.resting) shards.send(shard, { t: 'playOn', table: tableId });
    this.pools.obey(table);
    return table;
  }

  #occupy(table: LobbyTable, seat: ReportedSeat): void {
    const { agentId, isHouse } = seat;
    const other = this.state.directory.seatOf(agentId);
    // Cashed out there, it may have sat down elsewhere before all of that table were.
    if (seat.leaving && other !== undefined) {
      table.occupants.set(agentId, { house: isHouse, owner: [] });
      return;
    }
    table.incoming.set(agentId, { house: isHouse, owner: [] });
    this.matchmaking.occupy(table, agentId, seat);
    this.#seats.set(agentId, seat);
  }

  /** The agent has come before its seat was known. */
  #reunite({ agentId, sitting, socket, leaving }: ReportedSeat): void {
    const { agents, directory, tables, queue, options } = this.state;
    const agent = agents.of(agentId);
    const seat = directory.seatOf(agentId);
    if (agent === undefined || seat?.sitting !== sitting) return;
    if ((tables.get(seat.table)?.scope ?? null) !== agent.scope) {
      const code = 'scope_connection_already_active';
      return options.sockets.refuse(agent.socket, { code, message: ERROR_MESSAGES[code] }, CloseCode.otherScope);
    }
    if (socket !== agent.socket) this.attach(agent);
    const waiter = queue.of(agentId);
    if (waiter === undefined || waiter.sent !== null) return;
    // It waits for this very seat, or for the end of this stay.
    this.matchmaking.unbind(waiter);
    if (leaving) waiter.stage = 'leaving';
    else queue.delete(waiter);
  }

  #settle({ table, report }: Inherited): void {
    if (this.state.tables.get(table.tableId) !== table) return;
    this.pools.inherited(table);
    const play = this.state.playOf(table.scope);
    for (const agentId of report.rebuysPending) play.awaitsRebuy(agentId, table.tableId);
  }

  /** Seats whose sockets are not there any more: nobody else tells their tables. */
  #detachAbsent(inherited: readonly Inherited[]): void {
    const { agents, shards, directory } = this.state;
    for (const seat of inherited.flatMap(({ report }) => report.seats)) {
      const { agentId, sitting, socket } = seat;
      const held = directory.seatOf(agentId);
      if (socket === NO_SOCKET || held?.sitting !== sitting || agents.of(agentId) !== undefined) continue;
      if (this.isExpected(socket)) continue;
      shards.send(held.shard, { t: 'detach', table: held.table, agentId, socket });
      this.#seats.set(agentId, { ...seat, socket: NO_SOCKET });
    }
  }

  /** Whether a socket has resumed and is being looked up still. */
  isExpected: (socket: SocketId) => boolean = () => false;

  /** Called when a shard has reported late. */
  onLate: () => void = () => undefined;
}

/** Until the table speaks itself. */
const summaryOf = (
  { tableId, poolId, seats, smallBlind, bigBlind }: LobbyTable,
  report: TableReport,
): TableSummary => ({
  ...{ tableId, poolId, seats, smallBlind, bigBlind, handNumber: 0 },
  ...{ occupied: report.seats.length, inHand: false, closing: report.closing },
  players: report.seats.map(({ agentId, seat, isHouse, socket, leaving }) => ({
    ...{ agentId, seat, isHouse, connected: socket !== NO_SOCKET, leaving, decisionsMs: [], bankMs: 0 },
  })),
});
