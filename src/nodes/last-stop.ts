import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

const LOOK_AGAIN_MS = 50;

/** A node that the leader speaks to, as far as its stop matters. */
export interface Stopping {
  readonly peer: Peer<NodeMessage>;
  /** It will stop. */
  leaving: boolean;
  /** …and no hand is in play there any more. */
  finished: boolean;
}

/** What a leader that stops agrees with the other nodes, where these stop with it. */
export class LastStop {
  #closing = false;

  constructor(private readonly others: () => readonly Stopping[]) {}

  /** No node stays: none is let in any more, and the shards of those that leave are nobody's loss. */
  get isUnderWay(): boolean {
    return this.#closing;
  }

  /** Whether a node stays where this one stops: all may have been told to at once. */
  stays(ms: number): Promise<boolean> {
    return this.#untilOthers(({ leaving }) => leaving, ms).then((all) => !all);
  }

  /** None does: hands are finished where they are. */
  close(): void {
    this.#closing = true;
    this.#tell({ t: 'closing' });
  }

  /** Resolves to whether no hand is in play at any of them, after so many ms at most. */
  finished(ms: number): Promise<boolean> {
    return this.#untilOthers(({ finished }) => finished, ms);
  }

  /** They close their sockets, and are waited for. */
  async part(ms: number): Promise<void> {
    this.#tell({ t: 'parting' });
    await this.#untilOthers(() => false, ms);
  }

  #tell(message: NodeMessage): void {
    for (const { peer } of this.others()) {
      peer.send(message);
      peer.flush();
    }
  }

  /** Whether all others that are there are so, in time. */
  async #untilOthers(are: (other: Stopping) => boolean, ms: number): Promise<boolean> {
    for (const end = performance.now() + ms; !this.others().every(are); await sleep(LOOK_AGAIN_MS)) {
      if (performance.now() >= end) return false;
    }
    return true;
  }
}
