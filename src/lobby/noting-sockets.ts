import type { Sockets } from '../gateway/ports.js';
import type { ServerMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';

/** The same sockets, and each message that is sent to one is noted before. */
export function notingSockets(sockets: Sockets, note: (socket: SocketId, message: ServerMessage) => void): Sockets {
  return {
    welcome: (socket, agent, route) => sockets.welcome(socket, agent, route),
    refuse: (socket, error, closeCode) => sockets.refuse(socket, error, closeCode),
    watch: (socket, route) => sockets.watch(socket, route),
    send: (socket, message) => {
      note(socket, message);
      sockets.send(socket, message);
    },
    route: (socket, route) => sockets.route(socket, route),
    close: (socket, closeCode, reason) => sockets.close(socket, closeCode, reason),
    relay: (socket, node, handOver) => sockets.relay(socket, node, handOver),
    relayWatch: (socket, node, viewer) => sockets.relayWatch(socket, node, viewer),
    untold: (socket) => sockets.untold(socket),
    round: (socket, shard, table, round) => sockets.round(socket, shard, table, round),
  };
}
