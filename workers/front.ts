import { workerData } from 'node:worker_threads';
import { runFront } from '../src/gateway/front.js';
import type { FrontTask } from '../src/gateway/front-messages.js';

/** A thread that holds sockets (FRONTS above 1). */
runFront(workerData as FrontTask);
