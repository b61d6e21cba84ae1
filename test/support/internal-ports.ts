import type { Log } from '../../src/gateway/transport.js';
import { InternalPort, type NodeCertificates, type NodeServices } from '../../src/cluster/wire/internal-port.js';
import { Peers } from '../../src/cluster/wire/peers.js';
import { Signatures } from '../../src/cluster/wire/signature.js';
import type { Scope } from './database.js';

/** A node's internal port and its calls to others, without anything behind them. */
export interface InternalNode {
  nodeId: string;
  port: InternalPort;
  peers: Peers;
  /** The node's address for others. */
  address: string;
  lease: { good: boolean };
}

export interface InternalNodeOptions extends NodeServices {
  nodeId: string;
  log: Log;
  secret?: string;
  now?: () => number;
  tls?: NodeCertificates;
  maxConnections?: number;
}

export const SECRET = 'a secret of the cluster in this test';

export async function openInternalNode(t: Scope, options: InternalNodeOptions): Promise<InternalNode> {
  const { nodeId, secret = SECRET, now = Date.now, tls, maxConnections, ...rest } = options;
  const signatures = new Signatures({ secret, nodeId, now });
  const lease = { good: true };
  const port = await InternalPort.listen({
    ...rest,
    ...(tls && { tls }),
    ...(maxConnections !== undefined && { maxConnections }),
    address: { host: '127.0.0.1', port: 0 },
    signatures,
    serves: () => lease.good,
  });
  const peers = new Peers({ signatures, ...(tls && { tls }) });
  t.teardown(async () => {
    peers.close();
    await port.close();
  });
  return { nodeId, port, peers, address: `127.0.0.1:${port.port}`, lease };
}

/** Tells each node the addresses of all. */
export function introduce(...nodes: InternalNode[]): void {
  const list = nodes.map(({ nodeId, address }) => ({ nodeId, address }));
  for (const { peers } of nodes) peers.set(list);
}
