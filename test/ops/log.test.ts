/**
 * A process can end though nobody reads its log any more. The logger's library tried for ever to write what was left
 * (sonic-boom before 5): every test of an end had read what was written.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../src/command/folders.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const LOG = new URL('../../src/ops/log.js', import.meta.url).href;

const endings = {
  'by exit, with a line that waits for another': 'process.exit(3);',
  'after the word that it cannot go on': "log.fatal({}, 'it cannot go on'); process.exit(3);",
  'by what nobody caught': `process.on('uncaughtException', () => { log.fatal({}, 'uncaught'); process.exit(3); });
       throw new Error('a bug');`,
};

for (const [how, code] of Object.entries(endings)) {
  await t.test(how, async (t) => {
    const program = join(temporaryFolder('log'), 'program.mjs');
    writeFileSync(
      program,
      `import { createLogger } from ${JSON.stringify(LOG)};
       const log = createLogger('info');
       process.once('message', () => {
         log.info({}, 'a line');
         log.info({}, 'another');
         ${code}
       });
       process.send('up');`,
    );
    const child = fork(program, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
    t.teardown(() => child.kill('SIGKILL'));
    const gone = once(child, 'exit');
    await once(child, 'message');
    child.stdout!.destroy();
    await once(child.stdout!, 'close');
    child.send('end');
    const [status, signal] = (await gone) as [number | null, string | null];
    t.equal(signal, null, 'by itself');
    t.not(status, 0, 'as a failure');
  });
}
