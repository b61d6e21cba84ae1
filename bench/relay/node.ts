import { parentPort, workerData } from 'node:worker_threads';
import { NodeWire } from '../../src/cluster/wire/node-wire.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { Registry } from '../../src/gateway/ports.js';

/** One node of bench relay, in a thread of its own: a gateway, its relays, and a registry that answers every join. */

const { nodeId, home } = workerData as { nodeId: string; home: string };
const log = { info: () => undefined, warn: () => undefined, error: console.error };
const gateway = new Gateway(
  {
    HOST: '127.0.0.1',
    PORT: 0,
    TRANSPORT: 'auto',
    TRUSTED_PROXY: 0,
    CONNECTIONS_PER_ADDRESS: 10_000,
    WS_CONNECTS_PER_MINUTE: 100_000,
    REGISTRATIONS_PER_MINUTE: 1,
    WS_MESSAGES_PER_SECOND: 1000,
    SOCKET_BUFFER_BYTES: 1_000_000,
    COALESCE_MS: 4,
    ACTION_TIMEOUT_MS: 120_000,
    DATABASE_CONNECTIONS: 1,
    SPECTATE: 'off',
    SPECTATE_DELAY_HANDS: 0,
  },
  { log, installation: 'bench' },
);
const { sockets } = gateway;
const registry: Registry = {
  opened: (socket, hello) => {
    if (home !== nodeId) sockets.relay(socket, home, null);
    else sockets.welcome(socket, { agentId: hello.shown?.hash ?? hello.apiKey ?? '', name: 'bot' }, null);
  },
  message: (socket) => sockets.send(socket, { type: 'lobby_joined', position: 1, estimated_wait: '~1s' }),
  watching: () => undefined,
  mishap: () => undefined,
  closed: () => undefined,
};
const wire = await NodeWire.listen({
  nodeId,
  secret: 'bench',
  address: { host: '127.0.0.1', port: 0 },
  now: Date.now,
  serves: () => true,
  log,
  sockets: gateway.hub,
  answerer: () => gateway.answerer,
  clientIp: () => '',
  bufferLimit: 16_000_000,
  tableView: () => Promise.resolve(null),
});
const link = () => ({ send: () => undefined });
await gateway.listen({ registry, link, authenticate: async () => null, relays: wire.relays }, []);
parentPort!.on('message', async (message: 'stop' | { nodeId: string; address: string }[]) => {
  if (message !== 'stop') {
    wire.peers.set(message);
    return parentPort!.postMessage('ready');
  }
  await gateway.close();
  await wire.close();
  parentPort!.close();
});
parentPort!.postMessage({ port: gateway.port, internal: wire.port.port });
