import { machine } from './machine.js';
import { VirtualPort } from './port.js';

/** node:worker_threads with ports through virtual time. */
export * from 'node:worker_threads';

export class MessageChannel {
  readonly port1 = new VirtualPort();
  readonly port2 = new VirtualPort();

  constructor() {
    const { dice } = machine();
    this.port1.join(this.port2, dice);
    this.port2.join(this.port1, dice);
  }
}
