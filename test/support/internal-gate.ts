import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { SIGNATURE_HEADER } from '../../src/cluster/wire/signature.js';
import type { Scope } from './database.js';
import { Gate } from './gate.js';

/** The sender in the head of a signed call. */
const SENDER = new RegExp(`${SIGNATURE_HEADER}: v1 (\\S+) `, 'i');

/** A gate to the internal port of a node. It can fall silent for all other nodes, or break for some of them. */
export class InternalGate extends Gate {
  port = 0;
  /** Nodes that are refused, by their ids. */
  #refused: ReadonlySet<string> = new Set();
  readonly #senders = new Map<Socket, string>();

  /** Opens a gate to a node that has its port already, or gets it by `leadTo`. */
  static async open(t: Scope, target = 0): Promise<InternalGate> {
    const gate = new InternalGate({ host: '127.0.0.1', port: target });
    await gate.mend();
    t.teardown(() => gate.cut());
    return gate;
  }

  /** The node's port in its next life. */
  leadTo(port: number): void {
    this.target = { host: '127.0.0.1', port };
  }

  /** Breaks the connections of these nodes, and refuses new ones of theirs. */
  refuse(nodeIds: Iterable<string>): void {
    this.#refused = new Set(nodeIds);
    for (const [client, sender] of this.#senders) if (this.#refused.has(sender)) client.destroy();
  }

  protected async listen(server: Server): Promise<void> {
    await once(server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  /** The first bytes of a connection tell its sender. */
  protected override enter(client: Socket): void {
    client.on('error', () => undefined);
    client.once('data', (head) => {
      const [, sender] = SENDER.exec(head.toString('latin1')) ?? [];
      if (sender !== undefined && this.#refused.has(sender)) return void client.destroy();
      client.pause();
      client.unshift(head);
      if (sender !== undefined) this.#senders.set(client, sender);
      client.on('close', () => this.#senders.delete(client));
      super.enter(client);
    });
  }
}
