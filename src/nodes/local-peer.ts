import type { NodeId, Peer } from './peer.js';

/** What one end says is read by the other. */
type Reader<M> = (from: Peer<M>, message: M) => void;

/**
 * The link between the leader and the node of its own process, as both of them see it: what is said is read at once, and
 * neither changes it afterwards. So the leader's own shards are as near to it as those of a process alone. Frames never
 * go this way.
 */
export function localPeers<M>(
  id: NodeId,
  read: { leader: Reader<M>; member: Reader<M> },
): Record<'leader' | 'member', Peer<M>> {
  const end = (other: () => Peer<M>, reader: Reader<M>): Peer<M> => {
    let over = false;
    return {
      id,
      get up() {
        return !over;
      },
      send: (message) => {
        if (!over) reader(other(), message);
      },
      frames: () => {
        throw new Error('frames of the own shards go to the own sockets');
      },
      flush: () => undefined,
      break: () => {
        throw new Error('what is said within a process is read at once');
      },
      end: () => (over = true),
    };
  };
  const leader: Peer<M> = end(() => member, read.leader);
  const member: Peer<M> = end(() => leader, read.member);
  return { leader, member };
}
