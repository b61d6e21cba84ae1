import '../../src/arena/end-with-parent.js';
import { connect } from '../../src/store/database.js';
import { openEmbedded } from '../../src/store/embedded.js';
import { NaiveServer } from './server.js';

/** The ordinary way as a server of its own: `main.js FOLDER` keeps its database in the folder. */

const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const database = await openEmbedded({ dataDir: process.argv[2]!, log: quiet });
const server = new NaiveServer(connect(database.address, { max: 10, name: 'naive' }));
const port = await server.listen();
process.on('SIGTERM', () => void database.stop().then(() => process.exit(0)));
process.send?.({ event: 'ready', url: `http://127.0.0.1:${port}`, port });
