/**
 * A pool may be ended while a thread of it loads: a stop soon after a start does that. Node 20 ends the whole process
 * (SIGABRT) if the stop meets the linking of modules, which takes a moment on a slow machine.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import t from 'tap';
import { temporaryFolder } from '../../src/command/folders.js';
import { POOL_OPTIONS, profileFlags } from '../../src/ops/pool-options.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

/** Names that go through so many modules: linking them takes seconds, all else is quick. */
const [NAMES, DEPTH] = [1500, 120];
/** ms after its start at which a thread is ended: on any machine some of it meets the linking. */
const ENDS = [150, 300, 600, 1200];

/** A module that is long in linking; its path. */
function slowToLink(): string {
  const folder = temporaryFolder('slow-module');
  const names = Array.from({ length: NAMES }, (_, i) => `v${i}`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, `m${DEPTH}.js`), names.map((name) => `export const ${name} = 1;`).join('\n'));
  for (let i = 0; i < DEPTH; i++) writeFileSync(join(folder, `m${i}.js`), `export * from './m${i + 1}.js';`);
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, `import { ${names.join(', ')} } from './m0.js';\nexport default () => v0;`);
  return entry;
}

await t.test('a thread can be ended at every moment of its loading', async (t) => {
  const filename = slowToLink();
  const outcomes: string[] = [];
  for (const ms of ENDS) {
    const pool = new Piscina({ ...POOL_OPTIONS, filename, minThreads: 0, maxThreads: 1 });
    const outcome = pool.run(null).then(
      () => 'done',
      () => 'ended',
    );
    await sleep(ms);
    await pool.destroy();
    outcomes.push(await outcome);
  }
  // That this process is here is the proof.
  t.ok(outcomes.includes('ended'), `after ${ENDS.join(', ')} ms: ${outcomes.join(', ')}`);
});

// No start was profiled with a flag in two words: its threads had the first of them only, which Node refuses.
await t.test('flags of a profile are taken whole', async (t) => {
  const together = ['--cpu-prof', '--cpu-prof-interval=500'];
  t.same(profileFlags(['--enable-source-maps', ...together]), together);
  const apart = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', 'profiles'];
  t.same(profileFlags([...apart.slice(0, 3), '--import', 'a.js', ...apart.slice(3)]), apart);
  t.same(profileFlags(['--import', 'a.js']), []);
});
