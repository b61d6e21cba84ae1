import { parentPort, workerData } from 'node:worker_threads';
import { HouseBots, type HouseTask } from '../src/bots/house.js';
import type { HouseBotTrouble, HouseOrder } from '../src/bots/house-thread.js';

/** The house bots' thread: it ends when asked to stop, since nothing else then keeps it. */
const bots = new HouseBots(workerData as HouseTask, (name, reason) => {
  parentPort?.postMessage({ name, reason } satisfies HouseBotTrouble);
});
bots.start();
parentPort?.on('message', (order: HouseOrder) => {
  if (order === 'hurry') return bots.hurry();
  parentPort?.removeAllListeners('message');
  void bots.stop();
});
