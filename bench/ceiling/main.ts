import '../../src/arena/end-with-parent.js';
import { readFileSync } from 'node:fs';
import { Ceiling } from './ceiling.js';
import type { Script } from './script.js';

/** The ceiling as a server: `main.js FILE` plays the script in the file. */

const ceiling = new Ceiling(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Script);
const port = await ceiling.listen();
process.on('SIGTERM', () => process.exit(0));
process.send?.({ event: 'ready', url: `http://127.0.0.1:${port}`, port });
