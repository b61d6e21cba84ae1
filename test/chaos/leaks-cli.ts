import { command, seed, whole } from '../../src/command/options.js';
import { Progress } from '../../src/command/progress.js';
import { watchCards } from './leaks.js';
import { program, scoped } from './program.js';

const {
  values: { hands, seed: from },
} = command({
  name: 'npm run campaign -- leaks',
  purpose:
    'Plays hands and holds every card that anybody was shown against the stored hands.\n' +
    'Exit code 1: somebody saw a card that it may not know.',
  takes: 'some 20 s a thousand hands, a minute and more on a slow or busy machine',
  options: { hands: whole('hands to play', 10_000, { least: 1 }), seed: seed() },
});

/** The most findings that are shown: one leak is found many times. */
const SHOWN = 20;

await program(async () => {
  console.log(`seed ${from}: ${hands} hands`);
  const progress = new Progress(hands, 'hands');
  const onProgress = (done: number) => progress.show(done);
  const outcome = await scoped((t) => watchCards(t, { hands, seed: from, onProgress }));
  progress.clear();
  const { leaks, faults, pending, ...counts } = outcome;
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name.padEnd(10)}${count.toLocaleString('en-US').padStart(14)}`)
      .join('\n'),
  );
  const findings = [...leaks, ...faults, ...pending.map((id) => `hand ${id} was shown, and is not stored`)];
  for (const finding of findings.slice(0, SHOWN)) console.log(`\nFOUND ${finding}`);
  console.log(findings.length === 0 ? `seed ${from}: no leak` : `\n${findings.length} findings (seed ${from})`);
  return findings.length === 0;
});
