import { NO_SOCKET, type SocketId } from '../table/api.js';
import type { Registry } from './ports.js';
import type { Log } from './transport.js';

/** What goes wrong in the registry over one message must not end the process, and with it everybody's socket. */
export function guardedRegistry(registry: Registry, log: Log): Registry {
  const attempt = (call: string, socket: SocketId, run: () => void) => {
    try {
      run();
    } catch (error) {
      log.error({ err: error, call, socket }, 'registry failed');
    }
  };
  return {
    opened: (socket, hello) => attempt('opened', socket, () => registry.opened(socket, hello)),
    watching: (socket, hello) => attempt('watching', socket, () => registry.watching(socket, hello)),
    message: (socket, agentId, message) => attempt('message', socket, () => registry.message(socket, agentId, message)),
    mishap: (agentId, mishap) => attempt('mishap', NO_SOCKET, () => registry.mishap(agentId, mishap)),
    closed: (socket, agentId, end) => attempt('closed', socket, () => registry.closed(socket, agentId, end)),
  };
}
