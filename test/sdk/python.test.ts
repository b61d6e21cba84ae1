/**
 * The Python kit by itself: the tests of its package, which play its servers themselves. Each is shown as one here.
 */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { NO_PYTHON } from './kits.js';
import { PYTHON_KIT, PythonProgram, pythonWith } from '../support/python.js';

t.setTimeout(FILE_MS);

const python = await pythonWith('websockets', 'httpx');
const skip = python === null && NO_PYTHON;

await t.test("the package's own tests", { skip }, async (t) => {
  const program = new PythonProgram(t, python!, [`${PYTHON_KIT}tests`]);
  await program.ended;
  const lines = program.output.split('\n').filter((line) => line.startsWith('{"name"'));
  const results = lines.map(
    (line) => JSON.parse(line) as { name: string; ok: boolean; skipped: boolean; text: string },
  );
  for (const { name, ok, skipped, text } of results) {
    t.ok(ok, name, skipped ? { skip: text } : { diag: text });
  }
  t.equal(await program.ended, 0, 'it ended well', { diag: program.output.slice(-2000) });
  t.ok(results.length > 90, `${results.length} tests ran`);
});
