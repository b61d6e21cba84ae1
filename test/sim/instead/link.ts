import * as real from '../../../src/shard/link.js';
import type { ToShard } from '../../../src/shard/messages.js';
import { NO_SOCKET } from '../../../src/table/api.js';
import { machine } from '../machine/machine.js';

/** src/shard/link.ts, but that the lobby's orders are asked twice now and then, except to sit: at once, or late. */
export const { HELD_BY_LINK: HELD_MOST } = real;

const LATE_MS = 500;

export class BatchingLink extends real.BatchingLink {
  /** Questions to one life of the shard are not asked of the next. */
  #life = 0;

  override send(message: ToShard): void {
    super.send(message);
    const { kernel, dice } = machine();
    if (!isOrder(message) || !dice.chance(0.1)) return;
    const life = this.#life;
    const again = () => {
      if (life === this.#life) super.send(message);
    };
    if (dice.chance(0.5)) again();
    else kernel.plan(kernel.now + dice.delay(LATE_MS), again, kernel.current);
  }

  override disconnect(): void {
    this.#life++;
    super.disconnect();
  }
}

/** A client's message on its own socket is not repeated: if a link loses it, the socket ends. */
function isOrder(message: ToShard): boolean {
  switch (message.t) {
    case 'moveOn':
    case 'close':
      return true;
    case 'open':
      return !message.restored;
    case 'leave':
      return message.socket === NO_SOCKET;
    default:
      return false;
  }
}
