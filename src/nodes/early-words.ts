import type { Log } from '../gateway/transport.js';
import type { NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

/** What one node may say before it is heard: it greets, tells of its shards, and asks again every few seconds. */
const MOST_WORDS = 1000;
/** The first that whoever leads says to a node. It greeted this one before, which led then, and speaks to it no more. */
const OF_A_LEADER: ReadonlySet<NodeMessage['t']> = new Set(['member', 'ended']);

/**
 * What nodes say to a leader that cannot listen yet, while it does not know that its claim was made, or the database is
 * away: they greet whoever leads at once, and once. Each is kept from its greeting on, all of them in the order in which
 * they were read. Of one that says more than may be kept nothing is: its link breaks, and it greets anew.
 */
export class EarlyWords {
  #kept: [peer: Peer<NodeMessage>, message: NodeMessage][] = [];
  readonly #counts = new Map<Peer<NodeMessage>, number>();

  constructor(private readonly log: Log) {}

  /** Keeps it. False: the node has not greeted this one, or leads by now, and does not speak to a leader. */
  keeps(peer: Peer<NodeMessage>, message: NodeMessage): boolean {
    const greets = message.t === 'hello';
    if (greets || OF_A_LEADER.has(message.t)) this.forget(peer);
    if (!greets && !this.#counts.has(peer)) return false;
    const count = (this.#counts.get(peer) ?? 0) + 1;
    if (count > MOST_WORDS) this.#breaks(peer);
    else {
      this.#counts.set(peer, count);
      this.#kept.push([peer, message]);
    }
    return true;
  }

  /** Its link broke: when the next one stands it greets again. */
  forget(peer: Peer<NodeMessage>): void {
    if (!this.#counts.delete(peer)) return;
    this.#kept = this.#kept.filter(([other]) => other !== peer);
  }

  clear(): void {
    this.#kept = [];
    this.#counts.clear();
  }

  /** All of it, to a reader that listens from now on. A message with a field of a wrong type breaks the link of its peer. */
  tell(read: (peer: Peer<NodeMessage>, message: NodeMessage) => void): void {
    const kept = this.#kept;
    this.clear();
    const broken = new Set<Peer<NodeMessage>>();
    for (const [peer, message] of kept) {
      if (broken.has(peer)) continue;
      try {
        read(peer, message);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        this.log.warn({ node: peer.id, err: error }, 'a message of another node cannot be handled: its link breaks');
        broken.add(peer);
        peer.break();
      }
    }
  }

  #breaks(peer: Peer<NodeMessage>): void {
    this.log.warn({ node: peer.id }, 'a node says more than is kept while this one begins to lead: it greets anew');
    this.forget(peer);
    peer.break();
  }
}
