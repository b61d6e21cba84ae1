import { CloseCode } from '../../../src/protocol/codes.js';
import type { Crowd } from '../crowd.js';
import type { Guest } from '../guest.js';
import { spread } from '../figures.js';
import type { Fault } from './faults.js';
import type { NodesWorld } from './world.js';

/** What stood before a node was killed: whose tables are which process's, and which socket each guest has. */
interface Before {
  at: number;
  pidOf: ReadonlyMap<string, number>;
  sockets: ReadonlyMap<Guest, object>;
}

/**
 * How long actions wait for their acknowledgement: in quiet times, and while another node is killed, of those whose socket
 * and table are on nodes that nothing happens to. Figures, no promise: all nodes share a machine.
 */
export class AckTimes {
  readonly quiet: number[] = [];
  readonly besideKills: number[] = [];
  /** Sockets of living nodes that ended beside kills, since what was said of them may be lost: they came back at once. */
  sentBack = 0;
  #kills = false;

  constructor(
    private readonly world: NodesWorld,
    private readonly crowd: Crowd,
  ) {}

  /** All that was acknowledged so far was so in quiet times. */
  async begin(group: Fault['group']): Promise<Before> {
    for (const { acks } of this.crowd.guests) this.quiet.push(...acks.splice(0).map(({ ms }) => ms));
    this.#kills = group === 'kill';
    const pidOf = await this.world.tables();
    const sockets = new Map(this.crowd.guests.map((guest) => [guest, guest.player]));
    return { at: performance.now(), pidOf, sockets };
  }

  /** A socket has closed. */
  closed(code: number): void {
    if (this.#kills && code === CloseCode.tooSlow) this.sentBack++;
  }

  /** What began before `until`; nothing of the rest is quiet. */
  end(before: Before, killed: ReadonlySet<number> | null, until: number): void {
    this.#kills = false;
    for (const guest of this.crowd.guests) {
      const acks = guest.acks.splice(0);
      if (killed === null || guest.player.isClosed || guest.player !== before.sockets.get(guest)) continue;
      for (const { at, table, ms } of acks) {
        const pid = before.pidOf.get(table);
        if (at >= before.at && at <= until && pid !== undefined && !killed.has(pid)) this.besideKills.push(ms);
      }
    }
  }

  describe(): string[] {
    return [
      spread('ack of an action, in quiet times', this.quiet, 0.99),
      spread('ack of an action at other nodes, while one is killed and its tables do not play', this.besideKills, 0.99),
      `sockets of living nodes that came back beside kills: ${this.sentBack}`,
    ];
  }
}
