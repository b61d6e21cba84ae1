import { workerData } from 'node:worker_threads';
import type { BotsTask } from '../src/hosted/orders.js';
import { runHostedBots } from '../src/hosted/thread.js';

/** The thread that hosted bots live on, with threads of its own for their decisions. */
runHostedBots(workerData as BotsTask);
