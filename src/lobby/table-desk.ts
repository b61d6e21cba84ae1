import type { ActionMessage } from '../protocol/client.js';
import { errorMessage } from '../protocol/server.js';
import type { ToFront } from '../shard/messages.js';
import type { TableOpening, TableSummary } from '../table/api.js';
import type { LobbyState } from './state.js';
import type { Lobby } from './lobby.js';
import { actionWithoutTable } from './messages.js';
import type { Left, Scope } from './ports.js';
import type { Seating } from './seating.js';
import type { Session } from './sessions.js';
import type { TableRecord } from './tables.js';

/** How many closed tables can still be asked for a resync. */
const CLOSED_KEPT = 10_000;

type Message<T extends ToFront['t']> = Extract<ToFront, { t: T }>;

interface PoolEnd {
  reason: string;
  voidHands: boolean;
  closed: Promise<void>;
  done: () => void;
}

/** From and to the shards: what happens at the tables, and messages on their way there. */
export class TableDesk {
  /** Tables that closed lately, whose shard still answers resyncs, with their shard. */
  readonly #closed = new Map<string, number>();
  /** Tables that close because their pool does: not even a restart brings them back. */
  readonly #closingPools = new Map<string, PoolEnd>();

  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly seating: Seating,
  ) {}

  /** A message of a shard. Those about the shard itself are the shard pool's business. */
  fromShard(shard: number, message: ToFront): void {
    switch (message.t) {
      case 'opened':
        this.#opened(message);
        return;
      case 'sat':
        this.seating.sat(message);
        return;
      case 'sitFailed':
        this.seating.sitFailed(message);
        return;
      case 'left':
        this.#cashedOut(message);
        return;
      case 'closed':
        this.#gone(message.table);
        return;
      case 'summary':
        this.#summary(message);
        return;
      case 'state':
        this.state.tickets.answered(message.ticket, message.json);
        return;
      case 'seat':
        this.state.tickets.answered(message.ticket, message.seat);
        return;
      case 'unknownTable':
        this.#unknownTable(shard, message);
        return;
      default:
        return;
    }
  }

  /** Sends a seated session's message to its table; false when it has no seat. */
  passOn(session: Session, message: { t: 'leave' | 'rebuy' } | { t: 'nonce'; nonce: string }): boolean {
    const { agentId } = session.identity;
    const place = this.state.places.seatOf(agentId);
    if (place === undefined) return false;
    this.state.shards.send(place.shard, { ...message, table: place.table, agentId, socket: session.socket });
    return true;
  }

  /** The action of a session without a seat. The table it left last still knows the ids of accepted actions. */
  act({ socket, identity: { agentId } }: Session, message: ActionMessage): void {
    const route = this.state.places.routeOf(agentId);
    if (route === null) this.state.options.sockets.send(socket, actionWithoutTable('not_at_table'));
    else this.state.shards.send(route.shard, { t: 'act', table: route.table, agentId, socket, message });
  }

  resync({ socket, identity }: Session, table: string, lastTableSeq: number | null): void {
    const shard = this.state.tables.get(table)?.shard ?? this.#closed.get(table);
    if (shard === undefined) this.state.options.sockets.send(socket, errorMessage('table_not_found'));
    else this.state.shards.send(shard, { t: 'resync', table, agentId: identity.agentId, socket, lastTableSeq });
  }

  /** Gives a new session the seat of its agent. */
  attach({ identity, socket, owner }: Session): void {
    const { agentId } = identity;
    const place = this.state.places.seatOf(agentId);
    if (place === undefined) return;
    const table = this.state.tables.get(place.table);
    const occupant = table?.occupants.get(agentId);
    if (table !== undefined && occupant !== undefined) table.occupants.set(agentId, { ...occupant, owner });
    this.state.shards.send(place.shard, { t: 'attach', table: place.table, agentId, socket });
  }

  /** No new hands and no newcomers in the pool. */
  windDown(poolId: string): void {
    this.seating.stop(poolId);
    for (const table of this.state.tables.ofPool(poolId)) this.#obeyPool(table);
  }

  /** Undoes windDown. */
  resume(poolId: string): void {
    this.seating.start(poolId);
    for (const { shard, tableId: table } of this.state.tables.ofPool(poolId)) {
      this.state.shards.send(shard, { t: 'resumePlay', table });
    }
  }

  /** Closes every table of the pool; hands in progress are void, or played out. Resolves when none is left. */
  async closePool(poolId: string, reason: string, voidHands: boolean): Promise<void> {
    this.seating.stop(poolId);
    const tables = this.state.tables.ofPool(poolId);
    if (tables.length === 0) return;
    const end = this.#closingPools.get(poolId) ?? endOf(reason);
    end.voidHands ||= voidHands;
    this.#closingPools.set(poolId, end);
    for (const table of tables) this.#obeyPool(table);
    await end.closed;
    this.#closingPools.delete(poolId);
  }

  /** The shard's thread is gone; nothing it was asked will be answered. */
  shardDown(shard: number): void {
    this.state.shards.setUp(shard, false);
    this.state.tickets.shardDown(shard);
  }

  /**
   * The shard plays (again), with these tables and everybody there disconnected: at boot, or after it went down.
   * Whoever it seated before and does not now has been cashed out.
   */
  shardRestored(shard: number, openings: readonly TableOpening[]): void {
    this.state.shards.setUp(shard, true);
    const before = this.state.tables.all().filter((table) => table.shard === shard);
    const reopened = openings.map((opening) => this.#reopen(shard, opening));
    const kept = new Set(reopened.map((table) => table.tableId));
    for (const table of reopened) this.#comeBack(table);
    for (const [agentId, place] of this.state.places.onShard(shard)) {
      if (this.state.tables.get(place.table)?.occupants.has(agentId) === true && kept.has(place.table)) continue;
      this.state.places.leave(agentId, place.table);
      this.state.tellRoute(agentId);
      this.lobby.seatLost(agentId);
    }
    for (const table of before) if (!kept.has(table.tableId)) this.#gone(table.tableId);
    for (const waiter of this.state.queue.all()) {
      if (waiter.table === null || waiter.stage !== 'bound') continue;
      const table = this.state.tables.get(waiter.table);
      if (table?.occupants.has(waiter.agentId) === true) this.state.queue.delete(waiter);
      else if (table === undefined || kept.has(table.tableId)) this.seating.requeue(waiter);
    }
    const { season, competitions } = this.state.desks;
    season.shardRecovered();
    competitions.shardRecovered();
    this.seating.touch();
  }

  #reopen(shard: number, { tableId, poolId, rules, handNumber, sittings }: TableOpening): TableRecord {
    const { seats, smallBlind, bigBlind } = rules;
    const { scope } = this.state.options.rulesOf(poolId);
    const blinds = { smallBlind, bigBlind };
    const table = this.state.tables.add({ tableId, poolId, scope, shard, seats, ...blinds, state: 'open' });
    // Until the table itself speaks: everybody is held as disconnected.
    table.summary = {
      tableId,
      poolId,
      seats,
      smallBlind,
      bigBlind,
      handNumber,
      occupied: sittings.length,
      inHand: false,
      closing: false,
      players: sittings.map(({ seat, player }) => ({
        agentId: player.agentId,
        seat,
        isHouse: player.isHouse,
        connected: false,
        leaving: false,
      })),
    };
    for (const { seat, player } of sittings) {
      table.incoming.set(player.agentId, { house: player.isHouse, owner: [] });
      this.seating.occupy(table, player.agentId, seat);
    }
    return table;
  }

  #opened({ table: tableId, ok, detail }: Message<'opened'>): void {
    const table = this.state.tables.get(tableId);
    if (table?.state !== 'opening') return;
    if (ok) {
      this.seating.opened(table);
      this.#obeyPool(table);
    } else {
      this.state.options.log.error({ table_id: tableId, detail }, 'table could not be opened');
      this.seating.openFailed(table);
      this.#poolMayBeClosed(table.poolId);
    }
  }

  /** Those of a reopened table who are connected take their seats again; those who wait for another leave it again. */
  #comeBack(table: TableRecord): void {
    for (const agentId of table.occupants.keys()) {
      const session = this.state.sessions.of(agentId);
      if (session === undefined) continue;
      this.attach(session);
      if (this.state.queue.of(agentId)?.stage === 'leaving') this.passOn(session, { t: 'leave' });
    }
    this.#obeyPool(table);
  }

  /**
   * Of a table that closes all stacks come back first, and table_closed is told to everybody together: nobody sits
   * elsewhere before that, or it would read the end of the old table at the new one.
   */
  #cashedOut(left: Left): void {
    const table = this.state.tables.get(left.table);
    if (left.reason === 'closed' && table !== undefined) table.cashedOut.push(left);
    else this.#left(left);
  }

  #letGo(table: TableRecord): void {
    for (const left of table.cashedOut.splice(0)) this.#left(left);
  }

  #left(left: Left): void {
    const { table: tableId, agentId, poolId, balance, reason } = left;
    const table = this.state.tables.get(tableId);
    table?.occupants.delete(agentId);
    table?.retiring.delete(agentId);
    if (this.state.places.leave(agentId, tableId)) this.state.tellRoute(agentId);
    if (reason === 'busted') this.#settle(left, table?.scope ?? this.state.options.rulesOf(poolId).scope);
    else this.lobby.left(agentId, poolId, balance);
    this.seating.touch();
  }

  /** What comes of a bust is told before anything else that the agent asks: `busted` would be news of its next seat. */
  #settle(left: Left, scope: Scope): void {
    const { busts } = this.state;
    const { agentId } = left;
    const settled = this.state
      .deskOf(scope)
      .busted(left)
      .then(() => {
        if (busts.get(agentId) === settled) busts.delete(agentId);
        this.lobby.seatLost(agentId);
      });
    busts.set(agentId, settled);
  }

  #summary({ summary }: Message<'summary'>): void {
    const table = this.state.tables.get(summary.tableId);
    if (table === undefined) return;
    const before = table.summary;
    table.summary = summary;
    // It has told its end, though that may not be stored yet.
    if (summary.closing && summary.occupied === 0) this.#letGo(table);
    if (before === null || !sameSeating(before, summary)) this.seating.touch();
  }

  /** The table closed, or did not come back. */
  #gone(tableId: string): void {
    const table = this.state.tables.get(tableId);
    if (table === undefined) return;
    this.#letGo(table);
    for (const agentId of table.occupants.keys()) {
      if (this.state.places.leave(agentId, tableId)) this.state.tellRoute(agentId);
    }
    this.seating.abandon(table);
    this.#closed.set(tableId, table.shard);
    if (this.#closed.size > CLOSED_KEPT) {
      for (const oldest of this.#closed.keys()) {
        this.#closed.delete(oldest);
        break;
      }
    }
    this.#poolMayBeClosed(table.poolId);
  }

  #poolMayBeClosed(poolId: string): void {
    if (this.state.tables.ofPool(poolId).length === 0) this.#closingPools.get(poolId)?.done();
  }

  /** A table of a pool that ends goes along, also one that was still opening or was reopened meanwhile. */
  #obeyPool(table: TableRecord): void {
    if (table.state === 'opening') return;
    const closing = this.#closingPools.get(table.poolId);
    if (closing !== undefined) this.seating.close(table, closing.reason, closing.voidHands);
    else if (this.seating.isStopped(table.poolId)) {
      this.state.shards.send(table.shard, { t: 'windDown', table: table.tableId });
    }
  }

  /** The shard forgot the table meanwhile: the session must be told, and its route leads nowhere. */
  #unknownTable(shard: number, { table, socket, of }: Message<'unknownTable'>): void {
    if (this.#closed.get(table) === shard) this.#closed.delete(table);
    const session = this.state.sessions.at(socket);
    if (session === undefined) return;
    if (this.state.tables.get(table) === undefined) {
      this.state.places.forget(session.identity.agentId, table);
      this.state.tellRoute(session.identity.agentId);
    }
    this.state.options.sockets.send(
      socket,
      of === 'act' ? actionWithoutTable('table_not_found') : errorMessage(errorFor(of)),
    );
  }
}

function endOf(reason: string): PoolEnd {
  let done!: () => void;
  const closed = new Promise<void>((resolve) => (done = resolve));
  return { reason, voidHands: false, closed, done };
}

const errorFor = (of: 'resync' | 'leave' | 'rebuy' | 'nonce') => (of === 'resync' ? 'table_not_found' : 'not_at_table');

/** Whether anything changed that match-making looks at. */
function sameSeating(a: TableSummary, b: TableSummary): boolean {
  return (
    a.closing === b.closing &&
    a.players.length === b.players.length &&
    a.players.every((player, i) => {
      const other = b.players[i];
      return (
        other?.agentId === player.agentId && other.connected === player.connected && other.leaving === player.leaving
      );
    })
  );
}
