import { serveOrders } from '../../src/load/serve.js';
import { Witness } from './witness.js';

/** A process of bots, one of which holds the server to the protocol before the measuring starts. */
serveOrders((hash) => new Witness(hash));
