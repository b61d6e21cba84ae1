import type { ClientMessage } from '../protocol/client.js';
import type { Mishap, SocketEnd } from '../protocol/mishap.js';
import type { ServerMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import type { RequestHead } from '../gateway/exchange.js';
import type { Hello, TableRoute, WatchHello, WatchRoute } from '../gateway/ports.js';

/**
 * Messages between the leader and a node that holds sockets. Frames of tables and messages to tables are not among
 * them: nodes send those to each other.
 */

/** Leader to node. `ask` is the node's number for a request of its own. */
export type ToFront =
  | { t: 'welcome'; socket: SocketId; agent: { agentId: string; name: string }; route: TableRoute | null }
  | { t: 'refuse'; socket: SocketId; error: { code: string; message: string }; closeCode: number }
  | { t: 'watch'; socket: SocketId; route: WatchRoute }
  | { t: 'send'; socket: SocketId; message: ServerMessage }
  | { t: 'route'; socket: SocketId; route: TableRoute | null }
  | { t: 'close'; socket: SocketId; closeCode: number; reason: string }
  | { t: 'untold'; socket: SocketId }
  | { t: 'round'; socket: SocketId; shard: number; table: string; round: number }
  /** Answer to admit or request. Streamed: the body follows in chunks, one for each pull, null after the last. */
  | { t: 'answer'; ask: number; answer: WholeAnswer | null; streamed: boolean }
  | { t: 'chunk'; ask: number; bytes: Uint8Array | null }
  /** The body cannot be brought to its end. */
  | { t: 'broken'; ask: number; reason: string };

/** Node to leader. */
export type FromFront =
  | { t: 'opened'; socket: SocketId; hello: Hello }
  | { t: 'watching'; socket: SocketId; hello: WatchHello }
  | { t: 'message'; socket: SocketId; agentId: string; message: ClientMessage }
  | { t: 'mishap'; agentId: string; mishap: Mishap }
  | { t: 'closed'; socket: SocketId; agentId: string | null; end: SocketEnd }
  /** May this address open another socket, with this key or token? */
  | { t: 'admit'; ask: number; ip: string; key: string | null; watch: boolean }
  | { t: 'request'; ask: number; head: RequestHead; body: Uint8Array | null }
  | { t: 'pull'; ask: number }
  /** Nobody waits for the answer any more. */
  | { t: 'gone'; ask: number };

export interface WholeAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}
