/**
 * A process that is forked to end with its parent does so, also in the middle of a write. A kill of the parent during a
 * line of the log must not leave the process with all its threads.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { temporaryFolder } from '../../src/command/folders.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const END_WITH_PARENT = new URL('../../src/arena/end-with-parent.js', import.meta.url).href;
const LOG = new URL('../../src/ops/log.js', import.meta.url).href;

const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

await t.test('a child that logs all the time is gone when its parent was killed', async (t) => {
  const folder = temporaryFolder('orphan');
  const child = join(folder, 'child.mjs');
  const parent = join(folder, 'parent.mjs');
  writeFileSync(
    child,
    `import { createLogger } from ${JSON.stringify(LOG)};
     const log = createLogger('info');
     process.send('up');
     // The last line is under way when the loop learns that the parent is gone.
     const busy = () => { log.warn({}, 'a line'); setImmediate(busy); };
     busy();`,
  );
  writeFileSync(
    parent,
    `import { fork } from 'node:child_process';
     const options = { execArgv: ['--import', ${JSON.stringify(END_WITH_PARENT)}], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] };
     const child = fork(${JSON.stringify(child)}, options);
     child.stdout.resume();
     child.once('message', () => console.log(child.pid));`,
  );
  for (let round = 0; round < 5; round++) {
    const between = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(between.stdout), 'line')) as [string];
    const pid = Number(line);
    t.teardown(() => lives(pid) && process.kill(pid, 'SIGKILL'));
    between.kill('SIGKILL');
    await once(between, 'exit');
    await eventually('the child to be gone', () => !lives(pid));
    t.pass(`round ${round}`);
  }
});
