/**
 * A process that runs the embedded database of a folder until its input ends: `node embedded-child.js FOLDER
 * [temporary]`. Prints one line of JSON: {address}, or {error} and exits 1.
 */
import { openEmbedded } from '../../src/store/embedded.js';
import { silent } from './database.js';

try {
  const [, , dataDir = '', temporary] = process.argv;
  const { address, stop } = await openEmbedded({ dataDir, log: silent, temporary: temporary === 'temporary' });
  console.log(JSON.stringify({ address }));
  process.stdin.resume().once('end', () => void stop());
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
  process.exitCode = 1;
}
