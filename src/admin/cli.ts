import { processIo } from '../command/io.js';
import { runToEnd } from '../command/result.js';
import { runAdmin } from './run.js';

await runToEnd(() => runAdmin(process.argv.slice(2), processIo));
