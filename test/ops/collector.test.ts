/** V8 knows the flags that the server sets: of one that it does not know it says so on stderr, and nothing changes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const MODULE = new URL('../../src/ops/collector.js', import.meta.url).href;
const run = (code: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);

await t.test('this Node knows all flags', async (t) => {
  const { stderr } = await run(`import { collectSeldom } from '${MODULE}'; collectSeldom();`);
  t.equal(stderr, '');
  const unknown = await run(`import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-flag');`);
  t.match(unknown.stderr, /no-such-flag/, 'and would tell of one that it does not know');
});
