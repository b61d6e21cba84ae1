import { BroadcastChannel, workerData } from 'node:worker_threads';
import { runFront } from '../../src/gateway/fronts/front.js';
import type { FrontTask } from '../../src/gateway/fronts/front-messages.js';

/** Where a test tells the front of this number to throw. */
export const FAULTS = 'faulty front';

const task = workerData as FrontTask | null;
if (task !== null) {
  runFront(task);
  const orders = new BroadcastChannel(FAULTS);
  orders.unref();
  orders.onmessage = ({ data }: { data: unknown }) => {
    if (data !== task.front) return;
    orders.close();
    setImmediate(() => {
      throw new Error('out of order');
    });
  };
}
