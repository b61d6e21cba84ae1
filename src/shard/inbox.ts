import type { TableOpening } from '../table/api.js';
import { answerUnknown, deliver } from './deliver.js';
import { HostedTable, type TableMessage } from './hosted.js';
import type { ToShard } from './messages.js';
import type { SeatOps } from './seats.js';
import type { Stage } from './stage.js';
import type { Counters } from './stats.js';

/** Messages that are about the shard rather than one of its tables. */
export interface Control {
  ping(at: number): void;
  drain(): void;
  /** No hands start on this shard any more. */
  draining(): boolean;
  stop(): void;
  /** A fault of the shard itself. */
  crash(error: Error): void;
}

/** Takes the front's messages to the tables: now, or when the table or the buy-in that they wait for is there. */
export class Inbox {
  constructor(
    private readonly stage: Stage,
    private readonly seats: SeatOps,
    private readonly counters: Counters,
    private readonly control: Control,
  ) {}

  take(message: ToShard): void {
    switch (message.t) {
      case 'open':
        return this.#open(message.opening, message.restored);
      case 'ping':
        return this.control.ping(message.at);
      case 'drain':
        return this.control.drain();
      case 'stop':
        return this.control.stop();
      default: {
        const hosted = this.stage.tables.get(message.table);
        if (hosted !== undefined) this.toTable(hosted, message);
        else this.refuse(message);
      }
    }
  }

  toTable(hosted: HostedTable, message: TableMessage): void {
    const agentId = message.t === 'sit' ? message.player.agentId : 'agentId' in message ? message.agentId : null;
    const later = agentId === null ? undefined : hosted.sits.get(agentId);
    if (later !== undefined) later.push(message);
    else if (hosted.table === null) hosted.hold(message);
    else this.#deliver(hosted, message);
  }

  /** The table is not here. */
  refuse(message: TableMessage): void {
    const answer = answerUnknown(message);
    if (answer !== null) this.stage.send(answer);
  }

  #deliver(hosted: HostedTable, message: TableMessage): void {
    const { stage } = this;
    switch (message.t) {
      case 'sit':
        return this.seats.sit(hosted, message);
      case 'state':
        return stage.call(hosted, (table, now) =>
          stage.send({ t: 'state', ticket: message.ticket, json: table.publicState(now) }),
        );
      case 'seat':
        return stage.call(hosted, (table) =>
          stage.send({ t: 'seat', ticket: message.ticket, seat: table.seatOf(message.agentId) }),
        );
      case 'act':
        this.counters.actions++;
        break;
      default:
        hosted.note(message);
        if (message.t === 'resumePlay' && this.control.draining()) return;
    }
    stage.call(hosted, (table, now) => deliver(table, now, message));
  }

  #open(opening: TableOpening, restored: boolean): void {
    const { stage } = this;
    if (stage.tables.has(opening.tableId)) {
      stage.send({ t: 'opened', table: opening.tableId, ok: false, detail: 'the table is open already' });
      return;
    }
    const hosted = new HostedTable(opening, (error) => this.control.crash(error));
    stage.tables.set(opening.tableId, hosted);
    this.seats.open(hosted, restored);
  }
}
