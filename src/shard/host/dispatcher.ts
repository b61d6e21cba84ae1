import { assert } from '../../ops/assert.js';
import { answerUnknown, deliver, isPast } from './table-calls.js';
import { dropped, type HeldMessages } from './held-messages.js';
import type { Posts } from './flusher.js';
import type { TableSlot } from './table-slot.js';
import type { TableMessage } from '../messages.js';
import type { SeatOps } from './seat-ops.js';
import type { HostedTables } from './context.js';
import type { Counters } from '../counters.js';

/** Takes messages to the tables: now, or when the table or the buy-in that they wait for is there. */
export class Dispatcher {
  /** The time at which the present messages were read (performance.now). */
  readAt = 0;

  constructor(
    private readonly posts: Posts,
    private readonly host: HostedTables & { heard(slot: TableSlot, round: number): void },
    private readonly seats: SeatOps,
    private readonly counters: Counters,
    /** No hands start on this shard any more. */
    private readonly draining: () => boolean,
  ) {}

  take(message: TableMessage): void {
    const slot = this.host.tables.get(message.table);
    if (slot === undefined) return this.refuse(message);
    try {
      this.toTable(slot, message);
    } catch (error) {
      this.host.contradicted(slot, error);
    }
  }

  toTable(slot: TableSlot, message: TableMessage): void {
    assert(slot.id === message.table, 'a message is of its table', message.table);
    const later = slot.sits.size === 0 ? undefined : this.#sitOf(slot, message);
    if (later !== undefined) this.#hold(later, message);
    else if (slot.table === null) this.#hold(slot.held, message);
    else this.#deliver(slot, message);
  }

  /** The messages that wait for the buy-in of the message's agent. */
  #sitOf(slot: TableSlot, message: TableMessage): HeldMessages | undefined {
    const agentId = message.t === 'sit' ? message.player.agentId : 'agentId' in message ? message.agentId : null;
    return agentId === null ? undefined : slot.sits.get(agentId);
  }

  #hold(held: HeldMessages, message: TableMessage): void {
    const answer = held.hold(message) ? null : dropped(message);
    if (answer !== null) this.posts.send(answer);
  }

  /** The table is not here. */
  refuse(message: TableMessage): void {
    const answer = answerUnknown(message);
    if (answer !== null) this.posts.send(answer);
  }

  #deliver(slot: TableSlot, message: TableMessage): void {
    const { host, posts } = this;
    switch (message.t) {
      case 'sit':
        return this.seats.sit(slot, message);
      case 'state':
        return host.call(slot, (table, now) =>
          posts.send({ t: 'state', ticket: message.ticket, json: table.publicState(now) }),
        );
      case 'replay': {
        const { ticket, agentId, lastTableSeq } = message;
        return host.call(slot, (table, now) =>
          posts.send({ t: 'state', ticket, json: table.replayText(now, agentId, lastTableSeq) }),
        );
      }
      case 'seat':
        return host.call(slot, (table) =>
          posts.send({ t: 'seat', ticket: message.ticket, seat: table.seatOf(message.agentId) }),
        );
      case 'heard':
        return host.heard(slot, message.round);
      case 'act':
        this.counters.actions++;
        host.call(slot, (table, now) => deliver(table, now, message));
        this.counters.spans.action.observe((performance.now() - this.readAt) / 1000);
        return;
      case 'attach':
        slot.note(message);
        return host.call(slot, (table, now) => {
          // Its stay has ended while its socket was on the way, and nobody told it.
          if (table.stayOf(message.agentId) === null) this.refuse(message);
          else deliver(table, now, message);
        });
      case 'rebuy':
        return host.call(slot, (table, now) => {
          // It has left, and asks on a way on which that is not known yet: the lobby is told of it before this.
          if (table.stayOf(message.agentId) === null) this.refuse(message);
          else deliver(table, now, message);
        });
      case 'leave':
      case 'moveOn':
      case 'part':
        return host.call(slot, (table, now) => {
          if (!isPast(table, message)) deliver(table, now, message);
        });
      default:
        slot.note(message);
        if (message.t === 'resumePlay' && this.draining()) return;
    }
    host.call(slot, (table, now) => deliver(table, now, message));
  }
}
