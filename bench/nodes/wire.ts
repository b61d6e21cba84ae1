import { LinkedBus } from '../../src/nodes/bus.js';
import type { PeerEvents } from '../../src/nodes/peer.js';
import { RedisCarrier } from '../../src/nodes/redis-carrier.js';

/** What the two nodes of the bench say to each other. */
export interface Word {
  /** ping: to be said again at once; post: one of many; read: so many posts were read. */
  t: 'ping' | 'post' | 'read';
  n: number;
  text?: string;
}

export const FIRST = '00000000-0000-4000-8000-000000000001';
export const OTHER = '00000000-0000-4000-8000-000000000002';

/** The reader says how far it is, each time it has read so many. */
export const READ_EVERY = 50;

const ignore = () => undefined;
const log = { info: ignore, warn: ignore, error: ignore };

export function busOf(id: string, address: string): LinkedBus<Word> {
  const check = (message: unknown): message is Word => typeof message === 'object' && message !== null;
  const carrier = new RedisCarrier({ id, address, installation: 'agent-poker:bench', log });
  return new LinkedBus<Word>({ id, carrier, check, log });
}

/** Nothing may break while it is measured. */
export const steady: Pick<PeerEvents<Word>, 'broken' | 'healed' | 'frames' | 'knocked'> = {
  ...{ healed: ignore, frames: ignore, knocked: ignore },
  broken: (_peer, why) => {
    throw new Error(`the link broke: ${why}`);
  },
};

/** CPU of this process, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
