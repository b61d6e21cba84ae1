import { processIo } from '../command/io.js';
import { runAdmin } from './run.js';

process.exitCode = await runAdmin(process.argv.slice(2), processIo);
