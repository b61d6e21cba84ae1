import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Scope } from './database.js';
import { Gate } from './gate.js';

/** A way to a Redis on a Unix socket, as REDIS_URL has it. */
export class RedisGate extends Gate {
  #port = 0;

  static async open(t: Scope, path: string): Promise<RedisGate> {
    const gate = new RedisGate(path);
    await gate.mend();
    t.teardown(() => gate.cut());
    return gate;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  protected async listen(server: Server): Promise<void> {
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }
}
