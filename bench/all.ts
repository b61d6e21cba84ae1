import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onInterrupt } from '../src/command/interrupt.js';
import { command } from '../src/command/options.js';
import { ALL, BENCHES, duration } from './benches.js';

/** Every bench, one after the other, each in a process of its own. */

const minutes = ALL.reduce((sum, name) => sum + BENCHES[name].minutes, 0);
const takes = `about ${duration(Math.round(minutes))} on two quiet cores`;
command({
  name: 'npm run bench',
  purpose: 'Every bench, one after the other. Exit code 1: one of them failed or missed a goal.',
  takes,
  options: {},
  notes: ALL.map((name) => `  bench:${name.padEnd(14)}${BENCHES[name].purpose}`).join('\n'),
});
console.log(
  `${ALL.length} benches, ${takes}: ${ALL.map((name) => `${name} ${duration(BENCHES[name].minutes)}`).join(', ')}`,
);

let running: ReturnType<typeof spawn> | null = null;
let interrupted = false;
onInterrupt((signal) => {
  interrupted = true;
  running?.kill(signal);
});

const missed: string[] = [];
for (const name of ALL) {
  if (interrupted) break;
  running = spawn('npm', ['run', '--silent', `bench:${name}`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
  });
  const [code] = (await once(running, 'exit')) as [number | null];
  if (code !== 0) missed.push(name);
}
if (interrupted) process.exit(130);
if (missed.length > 0) console.log(`\nnot all goals are met: ${missed.join(', ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;
