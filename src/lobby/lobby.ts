import { errorMessage } from '../protocol/server.js';
import { buyInOf } from './buy-in.js';
import type { LobbyState } from './state.js';
import { alreadySeated, TROUBLE } from './messages.js';
import type { PlainCode, PoolEntry, Scope } from './ports.js';
import type { Waiter } from './queue.js';
import type { Seating } from './seating.js';
import type { Session } from './sessions.js';
import { NoAnswer } from './tickets.js';

/** A text for people: nobody can know how long a partner takes. */
const ESTIMATED_WAIT = '~5s';

/** join_lobby and everything up to the moment when match-making takes over (RULINGS §1.2, §1.7, §6). */
export class Lobby {
  /** How often some scope has opened. */
  #openings = 0;

  constructor(
    private readonly state: LobbyState,
    private readonly seating: Seating,
  ) {}

  async join(session: Session, wish: number | null): Promise<void> {
    const { queue, options } = this.state;
    if (this.#waitsAlready(session)) {
      this.#refuse(session, 'already_in_lobby');
      return;
    }
    const seat = await this.#keptSeat(session);
    if (!this.#isCurrent(session)) return;
    if (seat !== null) {
      options.sockets.send(session.socket, alreadySeated(seat.table, seat.seat));
      return;
    }
    if (queue.sizeOf(session.scope) >= options.capacity) {
      this.#refuse(session, 'lobby_full');
      return;
    }
    await this.#enter(queue.add(session, wish));
  }

  /** The session is gone, or another one took over: it does not wait any more. */
  forget(session: Session): void {
    const waiter = this.state.queue.of(session.identity.agentId);
    // A buy-in under way cannot be called back: `sat` will find out that the socket is gone.
    if (waiter?.session === session && waiter.sent === null) this.seating.drop(waiter);
  }

  /** A seat was given up and cashed out: the join that was waiting for it goes on. */
  left(agentId: string, poolId: string, balance: number): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.entry?.poolId !== poolId) return;
    waiter.entry.chipBalance = balance;
    if (waiter.stage === 'leaving') this.#line(waiter, waiter.entry, false);
  }

  /**
   * The seat is gone, and the balance may be any: after a bust, or when a shard came back without the seat, whose end
   * swallowed the word of the cash-out. The join that was waiting for it goes on.
   */
  seatLost(agentId: string): void {
    const waiter = this.state.queue.of(agentId);
    if (waiter?.stage !== 'leaving') return;
    waiter.stage = 'entering';
    void this.#enter(waiter, false);
  }

  /** Enters everybody who waits for the scope to open. */
  opened(scope: Scope): void {
    this.#openings++;
    for (const waiter of this.state.queue.all()) {
      if (waiter.stage !== 'not_open' || waiter.session.scope !== scope) continue;
      waiter.stage = 'entering';
      void this.#enter(waiter, false);
    }
    this.seating.touch();
  }

  /** A second join of a session whose older one was taken over in the middle of a buy-in adopts that buy-in. */
  #waitsAlready(session: Session): boolean {
    const waiter = this.state.queue.of(session.identity.agentId);
    if (waiter === undefined) return false;
    waiter.session = session;
    return true;
  }

  /**
   * The seat that forbids a join. A leave_table sent before the join went to the shard directly, so only the shard can
   * tell whether the seat is being given up.
   */
  async #keptSeat(session: Session): Promise<{ table: string; seat: number } | null> {
    const { places, tickets, shards } = this.state;
    const { agentId } = session.identity;
    const place = places.seatOf(agentId);
    if (place === undefined) return null;
    try {
      const seat = await tickets.ask<{ seat: number; leaving: boolean } | null>(place.shard, (ticket) => {
        shards.send(place.shard, { t: 'seat', table: place.table, ticket, agentId });
      });
      return seat === null || seat.leaving ? null : { table: place.table, seat: seat.seat };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return place;
    }
  }

  /** Looks the entry up, which registers the agent for a season where need be, and puts the waiter in line. */
  async #enter(waiter: Waiter, greet = true): Promise<void> {
    const { queue, options } = this.state;
    const desk = this.state.deskOf(waiter.session.scope);
    const openings = this.#openings;
    const entrance = await desk.enter(waiter.agentId).catch((error: unknown) => {
      options.log.error({ agent_id: waiter.agentId, err: error }, 'entry failed');
      return null;
    });
    if (!queue.has(waiter)) return;
    if (entrance === null) this.#turnAway(waiter, 'season_error', TROUBLE);
    else if (entrance.kind === 'refused') this.#turnAway(waiter, entrance.code, entrance.message);
    else if (entrance.kind === 'entered') this.#line(waiter, entrance.entry, greet);
    // It may have opened while we were told that it is not.
    else if (openings !== this.#openings) void this.#enter(waiter, greet);
    else {
      waiter.stage = 'not_open';
      if (greet) this.#greet(waiter);
    }
  }

  /** Settles the buy-in and queues the waiter; one that is still leaving a table settles it with its cash-out. */
  #line(waiter: Waiter, entry: PoolEntry, greet: boolean): void {
    waiter.entry = entry;
    if (this.state.places.seatOf(waiter.agentId) !== undefined) {
      waiter.stage = 'leaving';
    } else if (this.seating.isStopped(entry.poolId)) {
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
      this.seating.touch();
    }
    if (greet) this.#greet(waiter);
  }

  #greet(waiter: Waiter): void {
    this.state.options.sockets.send(waiter.session.socket, {
      type: 'lobby_joined',
      position: this.state.queue.positionOf(waiter),
      estimated_wait: ESTIMATED_WAIT,
    });
  }

  #turnAway(waiter: Waiter, code: PlainCode, message?: string): void {
    this.state.queue.delete(waiter);
    this.#refuse(waiter.session, code, message);
  }

  #refuse(session: Session, code: PlainCode, message?: string): void {
    this.state.options.sockets.send(session.socket, errorMessage(code, message));
  }

  #isCurrent(session: Session): boolean {
    return this.state.sessions.at(session.socket) === session;
  }
}
