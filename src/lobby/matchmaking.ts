import { randomUUID } from 'node:crypto';
import { errorMessage } from '../protocol/server.js';
import type { FromShard } from '../shard/messages.js';
import { NO_SOCKET } from '../table/api.js';
import type { LobbyState } from './state.js';
import { matchmake } from './matching/matchmake.js';
import { NO_GRACES, type Graces, type Plan } from './matching/plan.js';
import { playerOf, type Waiter } from './queue.js';
import { nextFreeAt, playersOf, playersOfShards, retryAt } from './matching/situation.js';
import type { LobbyTable } from './tables.js';

/** How long a table (or the opening of one) that refused is left alone. */
const RETRY_MS = 1000;

type Message<T extends FromShard['t']> = Extract<FromShard, { t: T }>;

/** Runs match-making whenever something changed, and carries its plans out. */
export class Matchmaking {
  /** Pools in which nobody sits down any more. */
  readonly #stopped = new Set<string>();
  readonly #graces = new Map<string, Graces>();
  #scheduled = false;
  #cancelTimer: () => void = () => undefined;
  #noOpenBefore = 0;
  #draining = false;
  #enter: (waiter: Waiter) => void = () => undefined;
  #sendOn: (now: number) => number = () => Infinity;

  constructor(private readonly state: LobbyState) {}

  /** Called with a waiter that is queued again. Its entry is unknown. */
  onUnknown(listener: (waiter: Waiter) => void): void {
    this.#enter = listener;
  }

  /** Called before each plan with the time; returns when to look again (ms). It sends joins to other nodes. */
  onPlan(sendOn: (now: number) => number): void {
    this.#sendOn = sendOn;
  }

  /** Something changed: match-making runs at the end of this turn. */
  touch(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.state.options.clock.soon(() => {
      this.#scheduled = false;
      this.#run();
    });
  }

  /** No newcomers in this pool from now on; those who wait for it wait till it, or the next season, opens. */
  stop(poolId: string): void {
    this.#stopped.add(poolId);
    this.#graces.delete(poolId);
    for (const waiter of this.state.queue.all()) {
      const waits = waiter.stage === 'queued' || waiter.stage === 'placing';
      if (waiter.entry?.poolId === poolId && waits) this.requeue(waiter);
    }
  }

  /** Newcomers sit down again. */
  start(poolId: string): void {
    this.#stopped.delete(poolId);
    this.touch();
  }

  /** The server is going down: nobody sits down any more, no table opens or closes. */
  drain(): void {
    this.#draining = true;
    this.#cancelTimer();
  }

  /** The stored phase of the pool takes no players. Those that wait stay until the features have read the phase. */
  refusedByPhase(poolId: string): void {
    this.stop(poolId);
    this.state.phaseRefused(poolId);
  }

  isStopped(poolId: string): boolean {
    return this.#stopped.has(poolId);
  }

  /** Takes a waiter out of the lobby, unless its buy-in is under way. */
  drop(waiter: Waiter): void {
    this.unbind(waiter);
    this.state.queue.delete(waiter);
    this.touch();
  }

  /** It is not on its way to a table. */
  unbind(waiter: Waiter): void {
    if (waiter.table !== null) this.state.tables.get(waiter.table)?.incoming.delete(waiter.agentId);
    waiter.table = null;
  }

  /** The table is open: those it was opened for buy in. */
  opened(table: LobbyTable): void {
    table.state = 'open';
    for (const waiter of this.#boundTo(table)) {
      if (this.#stopped.has(table.poolId)) this.requeue(waiter);
      else if (waiter.sent === null) this.#sit(waiter, table);
    }
    this.touch();
  }

  /** Opening failed (the database is away, or the shard is): everybody back to the queue, and not at once again. */
  openFailed(table: LobbyTable): void {
    this.#noOpenBefore = this.state.options.clock.now() + RETRY_MS;
    this.abandon(table);
  }

  /** The table is gone: whoever was on the way there waits again. */
  abandon(table: LobbyTable): void {
    this.recall(table);
    this.state.tables.delete(table.tableId);
  }

  /** The table's messages are lost: its coming players wait again, and its open questions are repeated. */
  recall(table: LobbyTable): void {
    table.state = 'open';
    table.retiring.clear();
    for (const waiter of this.#boundTo(table)) this.requeue(waiter);
    this.touch();
  }

  sat({ table: tableId, agentId, sitting, seat, ticket }: Message<'sat'>): void {
    const table = this.state.tables.get(tableId);
    const waiter = this.state.queue.of(agentId);
    if (table === undefined) return;
    const sent = waiter?.sent?.ticket === ticket ? waiter.sent : null;
    this.occupy(table, agentId, { seat, sitting });
    if (waiter !== undefined && sent !== null) {
      this.state.conduct.seated(agentId, this.state.options.clock.now());
      if (waiter.changes !== null) {
        this.state.shards.send(table.shard, { t: 'update', table: tableId, agentId, change: waiter.changes });
      }
      this.state.queue.delete(waiter);
    }
    const agent = this.state.agents.of(agentId);
    const socket = sent?.socket ?? NO_SOCKET;
    // Connections that came or went during the buy-in, which the table could not follow. An agent that is gone never
    // learned of its seat: the seat is given up at once. A played seat is held.
    if (agent === undefined) {
      this.state.giveUpSeat(agentId);
    } else if (agent.socket !== socket) {
      agent.knowsOfSeat = true;
      this.state.shards.send(table.shard, { t: 'attach', table: tableId, agentId, socket: agent.socket });
    }
    this.touch();
  }

  sitFailed({ table: tableId, agentId, ticket, code }: Message<'sitFailed'>): void {
    const table = this.state.tables.get(tableId);
    const waiter = this.state.queue.of(agentId);
    if (waiter?.sent?.ticket !== ticket) {
      // Nobody waits for it any more.
      if (waiter?.table !== tableId) table?.incoming.delete(agentId);
      return this.touch();
    }
    if (code === 'season_buy_in_failed') {
      this.drop(waiter);
      this.state.options.sockets.send(waiter.agent.socket, errorMessage(code));
    } else {
      if (code === 'pool_not_open' && table !== undefined) this.refusedByPhase(table.poolId);
      else if (table !== undefined) table.refusedUntil = this.state.options.clock.now() + RETRY_MS;
      this.requeue(waiter);
    }
    this.touch();
  }

  /** An agent holds a seat: its buy-in succeeded, or the table was reopened with it. */
  occupy(table: LobbyTable, agentId: string, { seat, sitting }: { seat: number; sitting: string }): void {
    const incoming = table.incoming.get(agentId);
    const agent = this.state.agents.of(agentId);
    table.incoming.delete(agentId);
    table.occupants.set(agentId, {
      house: incoming?.house ?? agent?.identity.isHouse ?? false,
      owner: agent?.owner ?? incoming?.owner ?? [],
    });
    this.state.directory.sit(agentId, { shard: table.shard, table: table.tableId, seat, sitting });
    this.state.sendRoute(agentId);
  }

  /** Back to the queue with its place in the order; without a session, or a season, there is no way back. */
  requeue(waiter: Waiter): void {
    this.unbind(waiter);
    waiter.sent = null;
    waiter.changes = null;
    if (this.state.agents.at(waiter.agent.socket) !== waiter.agent) this.state.queue.delete(waiter);
    else if (waiter.entry === null) this.#enter(waiter);
    else waiter.stage = this.#stopped.has(waiter.entry?.poolId ?? '') ? 'not_open' : 'queued';
  }

  #boundTo(table: LobbyTable): Waiter[] {
    return this.state.queue.all().filter((waiter) => waiter.stage === 'bound' && waiter.table === table.tableId);
  }

  #run(): void {
    if (this.#draining) return;
    const now = this.state.options.clock.now();
    let wakeAt = this.#sendOn(now);
    const players = playersOfShards(this.state);
    for (const poolId of this.#pools()) {
      const openShards = now < this.#noOpenBefore ? [] : [...players];
      const shards = openShards.map(([shard, count]) => ({ shard, players: count }));
      const graces = this.#graces.get(poolId) ?? NO_GRACES;
      const situation = { now, shards, graces, ...playersOf(this.state, poolId, now) };
      const { seats, duplicate } = this.state.options.rulesOf(poolId).table;
      const plan = matchmake(situation, { ...this.state.options.matchmaking, seats, even: duplicate !== null });
      this.#graces.set(poolId, plan.graces);
      this.#carryOut(plan, poolId);
      for (const { shard, agentIds } of plan.open) players.set(shard, (players.get(shard) ?? 0) + agentIds.length);
      wakeAt = Math.min(wakeAt, plan.wakeAt, retryAt(this.state, poolId, now));
    }
    if (this.#noOpenBefore > now) wakeAt = Math.min(wakeAt, this.#noOpenBefore);
    wakeAt = Math.min(wakeAt, nextFreeAt(this.state, now));
    this.#cancelTimer();
    this.#cancelTimer =
      wakeAt === Infinity
        ? () => undefined
        : this.state.options.clock.after(wakeAt - now, () => {
            this.touch();
          });
  }

  /** Pools with somebody waiting or an open table. */
  #pools(): Set<string> {
    const pools = new Set<string>();
    for (const { entry, stage } of this.state.queue.all()) {
      if (entry !== null && stage === 'queued') pools.add(entry.poolId);
    }
    for (const poolId of this.state.tables.pools) pools.add(poolId);
    for (const poolId of this.#stopped) pools.delete(poolId);
    return pools;
  }

  #carryOut(plan: Plan, poolId: string): void {
    const { tables, queue } = this.state;
    for (const { agentId, tableId } of plan.sit) {
      const table = tables.get(tableId);
      const waiter = queue.of(agentId);
      if (table === undefined || waiter === undefined) continue;
      this.#bind(waiter, table);
      this.#sit(waiter, table);
    }
    for (const { shard, agentIds } of plan.open) this.#open(poolId, shard, agentIds);
    for (const tableId of plan.close) {
      const table = tables.get(tableId);
      if (table !== undefined) this.close(table, 'insufficient_players', false);
    }
    for (const { agentId, tableId } of plan.move) {
      const seat = this.state.directory.seatOf(agentId);
      if (seat?.table !== tableId) continue;
      const { shard, sitting } = seat;
      this.state.shards.send(shard, { t: 'moveOn', table: tableId, agentId, sitting, reason: 'insufficient_players' });
    }
    for (const { agentId, tableId } of plan.part) this.#part(tableId, agentId);
    for (const { agentId, tableId } of plan.retire) this.#retire(tableId, agentId);
  }

  close(table: LobbyTable, reason: string, voidHand: boolean): void {
    table.state = 'closing';
    this.state.shards.send(table.shard, { t: 'close', table: table.tableId, reason, voidHand });
  }

  #bind(waiter: Waiter, table: LobbyTable): void {
    waiter.stage = 'bound';
    waiter.table = table.tableId;
    table.incoming.set(waiter.agentId, { house: waiter.agent.identity.isHouse, owner: waiter.agent.owner });
  }

  #sit(waiter: Waiter, table: LobbyTable): void {
    const ticket = this.state.tickets.next();
    const { socket } = waiter.agent;
    waiter.sent = { ticket, socket };
    const who = { sitting: randomUUID(), player: playerOf(waiter), buyIn: waiter.buyIn, socket };
    const { timeBankMs } = this.state.options.rulesOf(table.poolId).table;
    const tempo = this.state.paces.tempoOf(waiter.agentId, timeBankMs, this.state.options.clock.now());
    const known = tempo === null ? {} : { tempo };
    this.state.shards.send(table.shard, { t: 'sit', table: table.tableId, ticket, ...who, ...known });
  }

  #open(poolId: string, shard: number, agentIds: readonly string[]): void {
    const { scope, table: rules } = this.state.options.rulesOf(poolId);
    const { seats, smallBlind, bigBlind } = rules;
    const tableId = randomUUID();
    const blinds = { smallBlind, bigBlind };
    const table = this.state.tables.add({ tableId, poolId, scope, shard, seats, ...blinds, state: 'opening' });
    for (const agentId of agentIds) {
      const waiter = this.state.queue.of(agentId);
      if (waiter !== undefined) this.#bind(waiter, table);
    }
    const fresh = { handNumber: 0, button: -1, bigBlindSeat: -1, seqFloor: 0, sittings: [] };
    const opening = { tableId, poolId, rules, ...fresh };
    this.state.shards.send(shard, { t: 'open', opening, restored: false });
  }

  /** Sends a player where others of its pace are, once its hand is over. */
  #part(tableId: string, agentId: string): void {
    const { directory, tables, paces, options, shards } = this.state;
    const seat = directory.seatOf(agentId);
    if (seat?.table !== tableId) return;
    tables.get(tableId)?.retiring.add(agentId);
    paces.parted(agentId, options.clock.now());
    const { shard, sitting } = seat;
    shards.send(shard, { t: 'part', table: tableId, agentId, sitting, reason: 'pace' });
  }

  /** Makes a house bot give way, by the same leave as everybody's. */
  #retire(tableId: string, agentId: string): void {
    const seat = this.state.directory.seatOf(agentId);
    if (seat?.table !== tableId) return;
    this.state.tables.get(tableId)?.retiring.add(agentId);
    const socket = this.state.agents.of(agentId)?.socket ?? NO_SOCKET;
    this.state.shards.send(seat.shard, { t: 'leave', table: tableId, agentId, sitting: seat.sitting, socket });
  }
}
