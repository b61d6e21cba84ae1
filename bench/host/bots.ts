import { serveOrders } from '../../src/load/serve.js';
import { Witness } from './witness.js';

/** A process of bots. One of them checks the server's protocol before the measuring. */
serveOrders((hash) => new Witness(hash));
