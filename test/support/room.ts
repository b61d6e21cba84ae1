/**
 * Runs the test files named by ROOM_FILES (a JSON list) in this one process, one after another, as the runner asks for.
 * A file keeps its own teardowns: they run before the next file begins. Comments in the output tell the runner which
 * file runs (`file:`) and its processor time (`took:`, ms). So the runner can name a file that ends the process.
 */
import t from 'tap';
import { cpuOfEnded } from './cpu.js';
import { AFTER_FILE, beginRoom, endRoom } from './room-scope.js';

type Teardown = () => unknown;
let teardowns: Teardown[] = [];

// tap has one root for the process. Its teardowns would wait for the last file, its time-out would count all files.
Object.defineProperties(t, {
  teardown: { value: (work: Teardown) => void teardowns.unshift(work) },
  setTimeout: { value: () => undefined },
});

/** Of this process and its ended children, in ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + cpuOfEnded();
}

beginRoom();
for (const file of JSON.parse(process.env['ROOM_FILES'] ?? '[]') as string[]) {
  const before = cpuMs();
  t.comment(`file: ${file}`);
  await import(new URL(`../${file}`, import.meta.url).href);
  // Unawaited tests of the file come before this one.
  await t.test(AFTER_FILE, async () => {
    const own = teardowns;
    teardowns = [];
    for (const teardown of own) await teardown();
  });
  t.comment(`took: ${Math.round(cpuMs() - before)}`);
}
await endRoom();
