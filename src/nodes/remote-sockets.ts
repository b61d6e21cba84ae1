import type { Sockets, TableRoute, WatchRoute } from '../gateway/ports.js';
import type { ServerMessage } from '../protocol/server.js';
import { NO_SOCKET, placeOf, type SocketId } from '../table/api.js';
import type { NodeMessage, ToMember } from './node-messages.js';
import type { Peer } from './peer.js';

/** The sockets of all nodes, which the registry speaks to wherever they are: by the place in their id. */
export class RemoteSockets implements Sockets {
  /** `own`: the node of this process, which is spoken to directly. `peerAt`: who has that place, if somebody has. */
  constructor(
    private readonly own: { sockets: Sockets; place: number },
    private readonly peerAt: (place: number) => Peer<NodeMessage> | undefined,
  ) {}

  welcome(socket: SocketId, agent: { agentId: string; name: string }, route: TableRoute | null): void {
    if (this.#isOwn(socket)) this.own.sockets.welcome(socket, agent, route);
    else this.#send(socket, { t: 'welcome', socket, agent, route });
  }

  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void {
    if (this.#isOwn(socket)) this.own.sockets.refuse(socket, error, closeCode);
    else this.#send(socket, { t: 'refuse', socket, error, closeCode });
  }

  watch(socket: SocketId, route: WatchRoute): void {
    if (this.#isOwn(socket)) this.own.sockets.watch(socket, route);
    else this.#send(socket, { t: 'watch', socket, route });
  }

  send(socket: SocketId, message: ServerMessage): void {
    if (this.#isOwn(socket)) this.own.sockets.send(socket, message);
    else this.#send(socket, { t: 'send', socket, message });
  }

  route(socket: SocketId, route: TableRoute | null): void {
    if (this.#isOwn(socket)) this.own.sockets.route(socket, route);
    else this.#send(socket, { t: 'route', socket, route });
  }

  close(socket: SocketId, closeCode: number, reason: string): void {
    if (this.#isOwn(socket)) this.own.sockets.close(socket, closeCode, reason);
    else this.#send(socket, { t: 'close', socket, closeCode, reason });
  }

  untold(socket: SocketId): void {
    if (this.#isOwn(socket)) this.own.sockets.untold(socket);
    else this.#send(socket, { t: 'untold', socket });
  }

  handled(socket: SocketId): void {
    if (this.#isOwn(socket)) this.own.sockets.handled(socket);
    else this.#send(socket, { t: 'handled', socket });
  }

  round(socket: SocketId, shard: number, table: string, round: number): void {
    if (socket === NO_SOCKET || this.#isOwn(socket)) this.own.sockets.round(socket, shard, table, round);
    else this.#send(socket, { t: 'round', socket, shard, table, round });
  }

  #isOwn(socket: SocketId): boolean {
    return placeOf(socket) === this.own.place;
  }

  #send(socket: SocketId, message: ToMember): void {
    this.peerAt(placeOf(socket))?.send(message);
  }
}
