import type { HandOver } from '../gateway/ports.js';
import { errorMessage } from '../protocol/server.js';
import { buyInOf } from './buy-in.js';
import type { LobbyState } from './state.js';
import { alreadySeated, TROUBLE } from './messages.js';
import type { LobbyMemory } from './hand-overs.js';
import type { PlainCode, PoolEntry, Scope } from './ports.js';
import type { Waiter } from './queue.js';
import type { Matchmaking } from './matchmaking.js';
import type { ConnectedAgent } from './connected-agents.js';
import { NoShardAnswer } from './tickets.js';

/** Nobody can know how long a partner takes. */
const ESTIMATED_WAIT_MS = 5000;

/** join_lobby and everything up to the moment when match-making takes over (protocol.md, "From the lobby to a seat"). */
export class Lobby {
  /** How often some scope has opened. */
  #openings = 0;

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
  ) {
    matchmaking.onUnknown((waiter) => {
      waiter.stage = 'entering';
      void this.#enter(waiter, false);
    });
  }

  async join(agent: ConnectedAgent, wish: number | null, version: string | null): Promise<void> {
    const { queue, options } = this.state;
    if (this.#waitsAlready(agent)) {
      this.#refuse(agent, 'already_in_lobby');
      return;
    }
    const seat = await this.#keptSeat(agent);
    if (!this.#isCurrent(agent)) return;
    if (seat !== null) {
      agent.knowsOfSeat = true;
      options.sockets.send(agent.socket, alreadySeated(seat.table, seat.seat));
      return;
    }
    if (queue.sizeOf(agent.scope) >= options.capacity) {
      this.#refuse(agent, 'lobby_full');
      return;
    }
    const { agentId, isHouse } = agent.identity;
    // The hands of the coming stay count for this version.
    const noted = isHouse ? null : (this.state.versions?.joined(agentId, version) ?? null);
    await this.#enter(queue.add(agent, wish), true, noted);
  }

  /** Another node had the session, and sent it here: its join goes on, and what that node remembered is known here. */
  async takeOver(agent: ConnectedAgent, { waiting, memory }: HandOver): Promise<void> {
    const { conduct, paces, queue } = this.state;
    const { agentId } = agent.identity;
    const known = memory as LobbyMemory | null;
    if (known !== null) {
      conduct.recall(agentId, known.conduct);
      if (known.pace !== null) paces.recall(agentId, known.pace);
    }
    if (waiting === null || this.#waitsAlready(agent) || this.state.directory.seatOf(agentId) !== undefined) return;
    const waiter = queue.add(agent, waiting.buyIn, true);
    waiter.since = waiting.since;
    await this.#enter(waiter, !waiting.greeted);
  }

  /** The session is gone, or another one took over: it does not wait any more. */
  forget(agent: ConnectedAgent): void {
    const waiter = this.state.queue.of(agent.identity.agentId);
    // A buy-in under way cannot be called back: `sat` will find out that the socket is gone.
    if (waiter?.agent === agent && waiter.sent === null) this.matchmaking.drop(waiter);
  }

  /** A seat was given up and cashed out: the join that was waiting for it goes on. */
  left(agentId: string, poolId: string, balance: number): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.entry?.poolId !== poolId) return;
    waiter.entry.chipBalance = balance;
    if (waiter.stage === 'leaving') this.#line(waiter, waiter.entry, false);
  }

  /**
   * The seat is gone, and the balance is unknown. This happens after a bust, or when a shard came back without the seat
   * and its message of the cash-out was lost. The join that was waiting for it goes on.
   */
  seatLost(agentId: string): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.stage !== 'leaving') return;
    waiter.stage = 'entering';
    void this.#enter(waiter, false);
  }

  /**
   * The stay ended with its shard, and the lobby got no message of it. The answer to a bust is sent. A socket that does
   * not know that it lost its seat ends.
   */
  stayLost(agentId: string): void {
    const { agents, queue } = this.state;
    const agent = agents.of(agentId);
    if (agent === undefined || queue.of(agentId) !== undefined) return this.seatLost(agentId);
    this.settlesBust(agentId, this.state.playOf(agent.scope).seatLost(agentId));
    this.untold(agent);
  }

  /**
   * Its client would wait for ever for what a table says, unless it was told, has a seat again, or waits for one. The
   * answer to a bust tells it, too.
   */
  untold(agent: ConnectedAgent): void {
    const { directory, queue, busts, options } = this.state;
    const { agentId } = agent.identity;
    const bust = busts.get(agentId);
    if (bust !== undefined) return void bust.then(() => this.untold(agent));
    if (!this.#isCurrent(agent) || directory.seatOf(agentId) !== undefined || queue.of(agentId) !== undefined) return;
    // The answer to its question tells it.
    if (agent.unanswered > 0) return;
    options.sockets.untold(agent.socket);
  }

  /**
   * The answer to a bust (`sent`) goes out before any other answer to the agent. In another order `busted` would be
   * read as news of its next seat.
   */
  settlesBust(agentId: string, sent: Promise<void>): void {
    const { busts } = this.state;
    const settled = sent.then(() => {
      if (busts.get(agentId) === settled) busts.delete(agentId);
      this.seatLost(agentId);
    });
    busts.set(agentId, settled);
  }

  /** Enters everybody who waits for the scope to open. */
  opened(scope: Scope): void {
    this.#openings++;
    for (const waiter of this.state.queue.all()) {
      if (waiter.stage !== 'not_open' || waiter.agent.scope !== scope) continue;
      waiter.stage = 'entering';
      void this.#enter(waiter, false);
    }
    this.matchmaking.touch();
  }

  /** A second join of a session takes over a buy-in that its first join began. */
  #waitsAlready(agent: ConnectedAgent): boolean {
    const waiter = this.state.queue.of(agent.identity.agentId);
    if (waiter === undefined) return false;
    waiter.agent = agent;
    return true;
  }

  /**
   * The seat that forbids a join. A leave_table sent before the join went to the shard directly, so only the shard can
   * tell whether the seat is being given up.
   */
  async #keptSeat(agent: ConnectedAgent): Promise<{ table: string; seat: number } | null> {
    const { directory, tickets, shards } = this.state;
    const { agentId } = agent.identity;
    const seatRoute = directory.seatOf(agentId);
    if (seatRoute === undefined) return null;
    try {
      const seat = await tickets.ask<{ seat: number; leaving: boolean } | null>(seatRoute.shard, (ticket) => {
        shards.send(seatRoute.shard, { t: 'seat', table: seatRoute.table, ticket, agentId });
      });
      return seat === null || seat.leaving ? null : { table: seatRoute.table, seat: seat.seat };
    } catch (error) {
      if (!(error instanceof NoShardAnswer)) throw error;
      return seatRoute;
    }
  }

  /** Looks the entry up, which registers the agent for a season where need be, and puts the waiter in line. */
  async #enter(waiter: Waiter, greet = true, noted: Promise<void> | null = null): Promise<void> {
    const { queue, options } = this.state;
    const play = this.state.playOf(waiter.agent.scope);
    const openings = this.#openings;
    const entering = Promise.all([play.enter(waiter.agentId), noted]);
    const entered = await entering.catch((error: unknown) => {
      options.log.error({ agent_id: waiter.agentId, err: error }, 'entry failed');
      return null;
    });
    if (!queue.has(waiter)) return;
    const entrance = entered?.[0] ?? null;
    if (entrance === null) this.#turnAway(waiter, 'season_error', TROUBLE);
    else if (entrance.kind === 'refused') this.#turnAway(waiter, entrance.code, entrance.message);
    else if (entrance.kind === 'entered') this.#line(waiter, entrance.entry, greet);
    // It may have opened since the answer that it is not.
    else if (openings !== this.#openings) void this.#enter(waiter, greet);
    else {
      waiter.stage = 'not_open';
      if (greet) this.#greet(waiter);
    }
  }

  /** Settles the buy-in and queues the waiter; one that is still leaving a table, or has just lost its seat, waits. */
  #line(waiter: Waiter, entry: PoolEntry, greet: boolean): void {
    waiter.entry = entry;
    const { directory, busts } = this.state;
    // Until what came of a bust is sent the balance may be any; then `seatLost` goes on.
    if (directory.seatOf(waiter.agentId) !== undefined || busts.has(waiter.agentId)) {
      waiter.stage = 'leaving';
    } else if (this.matchmaking.isStopped(entry.poolId)) {
      waiter.stage = 'not_open';
    } else {
      const rules = this.state.options.rulesOf(entry.poolId).buyIn;
      const buyIn = buyInOf(waiter.wish, entry.chipBalance, rules);
      if (typeof buyIn === 'string') {
        const range = `Buy-in must be between ${rules.minimum} and ${rules.maximum}`;
        this.#turnAway(waiter, buyIn, buyIn === 'invalid_buy_in' ? range : undefined);
        return;
      }
      waiter.buyIn = buyIn;
      waiter.stage = 'queued';
      // A join that another node sent keeps its time.
      const joined = waiter.handedOver ? waiter.since : this.state.options.clock.now();
      waiter.since = Math.max(joined, this.state.freeAt(waiter.agent));
      this.matchmaking.touch();
    }
    if (greet) this.#greet(waiter);
  }

  #greet(waiter: Waiter): void {
    const wait = Math.max(ESTIMATED_WAIT_MS, this.state.freeAt(waiter.agent) - this.state.options.clock.now());
    this.state.options.sockets.send(waiter.agent.socket, {
      type: 'lobby_joined',
      position: this.state.queue.positionOf(waiter),
      estimated_wait: `~${Math.ceil(wait / 1000)}s`,
    });
  }

  #turnAway(waiter: Waiter, code: PlainCode, message?: string): void {
    this.state.queue.delete(waiter);
    this.#refuse(waiter.agent, code, message);
  }

  #refuse(agent: ConnectedAgent, code: PlainCode, message?: string): void {
    this.state.options.sockets.send(agent.socket, errorMessage(code, message));
  }

  #isCurrent(agent: ConnectedAgent): boolean {
    return this.state.agents.at(agent.socket) === agent;
  }
}
