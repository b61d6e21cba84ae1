import type { ActionMessage } from '../protocol/client.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { FromShard } from '../shard/messages.js';
import type { SocketId, TableOpening } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { Lobby } from './lobby.js';
import type { ClosingPools } from './closing-pools.js';
import { actionWithoutTable } from './messages.js';
import type { Left, TableView } from './ports.js';
import type { Matchmaking } from './matchmaking.js';
import type { ConnectedAgent } from './connected-agents.js';
import { RestoredTables } from './restored-tables.js';
import { sameSeating } from './summaries.js';
import type { LobbyTable } from './tables.js';

const TABLE_WAITS = 'The table waits for the database, and too much for the table; this message was dropped';

/** Why a table did not open: WriteRefusal of a shard. */
const POOL_REFUSED = 'pool';

/** How many closed tables can still be asked for a resync. */
const CLOSED_KEPT = 10_000;

type Message<T extends FromShard['t']> = Extract<FromShard, { t: T }>;

/** The events of tables for the rest of the lobby. */
export interface TableListener {
  /** A table is open again: of an ended node, or after its shard started. */
  reopened(table: LobbyTable): void;
  /** A table closed, or did not come back. */
  gone(tableId: string): void;
  /** An agent without a seat asked its table for a rebuy. */
  rebuy(agent: ConnectedAgent, requestId: string | null): void;
}

/** From and to the shards: what happens at the tables, and messages on their way there. */
export class TableMessages {
  /** Recently closed tables with their shard, which still answers resyncs. */
  readonly #closed = new Map<string, number>();

  readonly #restored: RestoredTables;

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly matchmaking: Matchmaking,
    private readonly pools: ClosingPools,
    private readonly listener: TableListener,
  ) {
    this.#restored = new RestoredTables(state, lobby, matchmaking, {
      comeBack: (table) => this.#comeBack(table),
      gone: (tableId) => this.#gone(tableId),
    });
  }

  /** A message of a shard. Those about the shard itself are the shard pool's business. */
  fromShard(shard: number, message: FromShard): void {
    switch (message.t) {
      case 'opened':
        return this.#opened(message);
      case 'sat':
        return this.matchmaking.sat(message);
      case 'sitFailed':
        return this.matchmaking.sitFailed(message);
      case 'left':
        return this.#cashedOut(message);
      case 'closed':
        return this.#gone(message.table);
      case 'summary':
        return this.#summary(message);
      case 'state':
        return this.state.tickets.answered(message.ticket, message.json);
      case 'seat':
        return this.state.tickets.answered(message.ticket, message.seat);
      case 'unknownTable':
        return this.#unknownTable(shard, message);
      case 'dropped':
        this.state.options.sockets.send(message.socket, errorMessage('rate_limited', TABLE_WAITS));
        return;
      case 'round':
        return this.state.options.sockets.round(message.socket, shard, message.table, message.round);
      case 'mishap':
        return this.state.note(message.agentId, message.mishap);
      default:
    }
  }

  /** Sends a seated session's message to its table; false when it has no seat. */
  passOn(agent: ConnectedAgent, message: Passed): boolean {
    const { agentId } = agent.identity;
    const seatRoute = this.state.directory.seatOf(agentId);
    if (seatRoute === undefined) return false;
    const { shard, table, sitting } = seatRoute;
    const about = { table, agentId, socket: agent.socket };
    this.state.shards.send(shard, message.t === 'leave' ? { t: 'leave', sitting, ...about } : { ...message, ...about });
    return true;
  }

  /**
   * The action of a session without a seat. If a buy-in is under way, the table may have sent a turn already, and the
   * shard's message is on its way. Otherwise the last table still knows the ids of accepted actions.
   */
  act({ socket, identity: { agentId } }: ConnectedAgent, message: ActionMessage): void {
    const { directory, shards, options } = this.state;
    const route = this.#boughtIn(agentId) ?? directory.routeOf(agentId);
    if (route === null) options.sockets.send(socket, actionWithoutTable('not_at_table'));
    else shards.send(route.shard, { t: 'act', table: route.table, agentId, socket, message });
  }

  /** Where its buy-in is under way: the shard keeps what comes for it until that is decided. */
  #boughtIn(agentId: string): { shard: number; table: string } | null {
    const waiter = this.state.queue.of(agentId);
    if (waiter === undefined || waiter.sent === null || waiter.table === null) return null;
    const table = this.state.tables.get(waiter.table);
    return table === undefined ? null : { shard: table.shard, table: table.tableId };
  }

  resync({ socket, identity: { agentId } }: ConnectedAgent, table: string, lastTableSeq: number | null): void {
    const shard = this.state.tables.get(table)?.shard ?? this.#closed.get(table);
    if (shard === undefined) void this.#resyncElsewhere(socket, { tableId: table, resync: { agentId, lastTableSeq } });
    else this.state.shards.send(shard, { t: 'resync', table, agentId, socket, lastTableSeq });
  }

  /** The table may be at another node. */
  async #resyncElsewhere(socket: SocketId, asked: TableView): Promise<void> {
    const { others, sockets, log } = this.state.options;
    const answer = others?.tableView(asked).catch((error: unknown) => {
      log.warn({ table_id: asked.tableId, error: (error as Error).message }, 'a resync at another node failed');
      return null;
    });
    // A process alone answers at once.
    const text = answer === undefined ? null : await answer;
    sockets.send(socket, text === null ? errorMessage('table_not_found') : (JSON.parse(text) as ServerMessage));
  }

  /** Gives a session that may have read of it the seat of its agent. */
  attach(agent: ConnectedAgent): void {
    agent.knowsOfSeat = true;
    this.attachFirst(agent);
  }

  /** As `attach`, to a session that has read nothing yet. */
  attachFirst({ identity, socket, owner }: ConnectedAgent): void {
    const { agentId } = identity;
    const seatRoute = this.state.directory.seatOf(agentId);
    if (seatRoute === undefined) return;
    const table = this.state.tables.get(seatRoute.table);
    const occupant = table?.occupants.get(agentId);
    if (table !== undefined && occupant !== undefined) table.occupants.set(agentId, { ...occupant, owner });
    this.state.shards.send(seatRoute.shard, { t: 'attach', table: seatRoute.table, agentId, socket });
  }

  /** An administrator wants it closed, and asks again until it is. */
  closeTable(tableId: string): void {
    const table = this.state.tables.get(tableId);
    if (table?.state === 'open') this.matchmaking.close(table, 'closed_by_operator', false);
  }

  /** The shard's thread is gone; nothing it was asked will be answered. */
  shardDown(shard: number): void {
    this.state.shards.setUp(shard, false);
    this.state.tickets.shardDown(shard);
  }

  /**
   * The shard plays (again), with these tables and everybody there disconnected: at boot, or after it went down. A player
   * that it seated before and does not now has been cashed out.
   */
  shardRestored(shard: number, openings: readonly TableOpening[]): void {
    this.state.shards.setUp(shard, true);
    for (const table of this.#restored.restore(shard, openings)) this.listener.reopened(table);
  }

  /** These tables of an ended node are on this shard now, which opens them. */
  adopt(shard: number, openings: readonly TableOpening[]): void {
    for (const table of this.#restored.adopt(shard, openings)) this.listener.reopened(table);
  }

  #opened({ table: tableId, ok, detail }: Pick<Message<'opened'>, 'table' | 'ok' | 'detail'>): void {
    const table = this.state.tables.get(tableId);
    if (table?.state !== 'opening') return;
    if (ok) {
      this.matchmaking.opened(table);
      this.pools.obey(table);
    } else if (detail === POOL_REFUSED) {
      this.matchmaking.refusedByPhase(table.poolId);
      this.matchmaking.abandon(table);
      this.pools.tableGone(table.poolId);
    } else {
      this.state.options.log.error({ table_id: tableId, detail }, 'table could not be opened');
      // Inherited while it was opened again.
      if (table.occupants.size > 0) return this.#gone(tableId);
      this.matchmaking.openFailed(table);
      this.pools.tableGone(table.poolId);
    }
  }

  /** Those of a reopened table who are connected take their seats again; those who wait for another leave it again. */
  #comeBack(table: LobbyTable): void {
    for (const agentId of table.occupants.keys()) {
      const agent = this.state.agents.of(agentId);
      if (agent === undefined) continue;
      this.attach(agent);
      if (this.state.queue.of(agentId)?.stage === 'leaving') this.passOn(agent, { t: 'leave' });
    }
    this.pools.obey(table);
  }

  /**
   * When a table closes, all stacks return first. Then every player gets table_closed at once: otherwise a player could
   * read it at its next table.
   */
  #cashedOut(left: Left): void {
    const table = this.state.tables.get(left.table);
    if (left.reason === 'closed' && table !== undefined) table.cashedOut.push(left);
    else this.#left(left);
  }

  #letGo(table: LobbyTable): void {
    for (const left of table.cashedOut.splice(0)) this.#left(left);
  }

  #left(left: Left): void {
    const { table: tableId, agentId, poolId, balance, reason } = left;
    if (left.absent) this.state.conduct.removed(agentId, this.state.options.clock.now());
    const table = this.state.tables.get(tableId);
    table?.occupants.delete(agentId);
    table?.retiring.delete(agentId);
    if (this.state.directory.leave(agentId, tableId)) this.state.sendRoute(agentId);
    const scope = table?.scope ?? this.state.options.rulesOf(poolId).scope;
    if (reason === 'busted') this.lobby.settlesBust(agentId, this.state.playOf(scope).busted(left));
    else this.lobby.left(agentId, poolId, balance);
    const agent = left.untold === true ? this.state.agents.of(agentId) : undefined;
    if (agent !== undefined) this.lobby.untold(agent);
    this.matchmaking.touch();
  }

  #summary({ summary }: Message<'summary'>): void {
    const table = this.state.tables.get(summary.tableId);
    if (table === undefined) return;
    const before = table.summary;
    const reseated = before === null || !sameSeating(before, summary);
    table.summary = summary;
    const paced = this.state.notePaces(table, summary, reseated);
    // It has told its end, though that may not be stored yet.
    if (summary.closing && summary.occupied === 0) this.#letGo(table);
    if (paced || reseated) this.matchmaking.touch();
  }

  /** The table closed, or did not come back. */
  #gone(tableId: string): void {
    const table = this.state.tables.get(tableId);
    if (table === undefined) return;
    this.#letGo(table);
    for (const agentId of table.occupants.keys()) {
      if (!this.state.directory.leave(agentId, tableId)) continue;
      this.state.sendRoute(agentId);
      this.lobby.stayLost(agentId);
    }
    this.matchmaking.abandon(table);
    this.listener.gone(tableId);
    this.#closed.set(tableId, table.shard);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > CLOSED_KEPT) this.#closed.delete(oldest!);
    this.pools.tableGone(table.poolId);
  }

  /** The shard forgot the table meanwhile: the session must be told, and its route leads nowhere. */
  #unknownTable(shard: number, { table, socket, of, requestId = null }: Message<'unknownTable'>): void {
    if (this.#closed.get(table) === shard) this.#closed.delete(table);
    const agent = this.state.agents.at(socket);
    if (agent === undefined) return;
    if (this.state.tables.get(table) === undefined) {
      this.state.directory.forget(agent.identity.agentId, table);
      this.state.sendRoute(agent.identity.agentId);
    }
    // A fault was answered already; the next is counted elsewhere.
    if (of === 'invalid') return;
    // The seat ended before the client learned of it, so the client waits for nothing.
    if (of === 'attach') return agent.knowsOfSeat ? this.lobby.untold(agent) : undefined;
    // It had left, and its socket did not know yet that it has no seat.
    if (of === 'rebuy' && this.state.directory.seatOf(agent.identity.agentId) === undefined)
      return this.listener.rebuy(agent, requestId);
    this.state.options.sockets.send(
      socket,
      of === 'act' ? actionWithoutTable('table_not_found') : errorMessage(errorFor(of)),
    );
  }
}

/** A table's answer to a session that sits there. */
type Passed = { t: 'leave' } | { t: 'rebuy'; requestId: string | null } | { t: 'nonce'; nonce: string };

const errorFor = (of: 'resync' | 'leave' | 'rebuy' | 'nonce') => (of === 'resync' ? 'table_not_found' : 'not_at_table');
