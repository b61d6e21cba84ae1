import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Every bench, one after the other, each in a process of its own. Exits 1 when one of them failed or missed a goal. */

const missed = [
  'eval',
  'engine',
  'table',
  'fair',
  'commit',
  'queries',
  'served',
  'hosted',
  'growth',
  'connections',
].filter((name) => {
  const { status } = spawnSync('npm', ['run', '--silent', `bench:${name}`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
  });
  return status !== 0;
});
if (missed.length > 0) console.log(`\nnot all goals are met: ${missed.join(', ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;
