import { serveOrders } from './serve.js';

/** A process of bots. */
serveOrders(null);
