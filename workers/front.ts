import { workerData } from 'node:worker_threads';
import { runFront } from '../src/gateway/fronts/front.js';
import type { FrontTask } from '../src/gateway/fronts/front-messages.js';

/** A thread that holds sockets (FRONTS above 1). */
runFront(workerData as FrontTask);
