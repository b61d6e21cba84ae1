import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onInterrupt } from '../src/command/interrupt.js';
import { command } from '../src/command/options.js';
import { ALL, BENCHES, duration, type BenchName } from './benches.js';

/** `agent-poker bench NAME [options]` runs one bench, `agent-poker bench` all of them, each in a process of its own. */

const isBench = (name: string): name is BenchName => Object.hasOwn(BENCHES, name);
const [asked, ...options] = process.argv.slice(2);
if (asked !== undefined && isBench(asked)) {
  const path = fileURLToPath(new URL(`${asked}.js`, import.meta.url));
  process.argv.splice(1, process.argv.length - 1, path, ...options);
  await import(path).catch(tellMissing);
} else await runAll();

/** Benches that compare with other packages need those, which only a checkout installs. */
function tellMissing(error: NodeJS.ErrnoException): void {
  if (!(error.code ?? '').endsWith('MODULE_NOT_FOUND')) throw error;
  process.stderr.write(`${error.message.split('\n')[0]}: this bench runs in a checkout of the project\n`);
  process.exitCode = 2;
}

async function runAll(): Promise<void> {
  const minutes = ALL.reduce((sum, name) => sum + BENCHES[name].minutes, 0);
  const takes = `about ${duration(Math.round(minutes))} on two quiet cores`;
  const names = Object.entries(BENCHES).map(([name, { purpose }]) => `  ${name.padEnd(14)}${purpose}`);
  command({
    name: 'npx agent-poker bench',
    purpose:
      'Every bench, one after the other, or the one that is named: npx agent-poker bench NAME [options]. Exit code 1: one\n' +
      'of them failed or missed a goal.',
    takes,
    options: {},
    notes: names.join('\n'),
  });
  const times = ALL.map((name) => `${name} ${duration(BENCHES[name].minutes)}`);
  console.log(`${ALL.length} benches, ${takes}: ${times.join(', ')}`);

  let running: ChildProcess | null = null;
  let interrupted = false;
  onInterrupt((signal) => {
    interrupted = true;
    running?.kill(signal);
  });
  const missed: string[] = [];
  for (const name of ALL) {
    if (interrupted) break;
    running = fork(new URL(`${name}.js`, import.meta.url), { stdio: 'inherit' });
    const [code] = (await once(running, 'exit')) as [number | null];
    if (code !== 0) missed.push(name);
  }
  if (interrupted) process.exit(130);
  if (missed.length > 0) console.log(`\nnot all goals are met: ${missed.join(', ')}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}
