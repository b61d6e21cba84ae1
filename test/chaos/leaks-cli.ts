import { parseArgs } from 'node:util';
import { watchCards } from './leaks.js';
import { program, scoped, wholeNumber } from './program.js';

/**
 * `npm run leaks -- [--hands N] [--seed S]`: plays N hands (default 10,000) and holds every card that anybody was shown
 * against the stored hands. Exit code 1: somebody saw a card that it may not know.
 */
const { values } = parseArgs({ options: { hands: { type: 'string', default: '10000' }, seed: { type: 'string' } } });
const hands = wholeNumber(values.hands);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : wholeNumber(values.seed);
if (hands === null || seed === null) {
  console.error('usage: npm run leaks -- [--hands N] [--seed S], whole numbers');
  process.exit(2);
}

/** At most so many findings are shown: one leak is found over and over. */
const SHOWN = 20;

await program(async () => {
  console.log(`seed ${seed}: ${hands} hands`);
  let tenths = 0;
  const onProgress = (done: number) => {
    const now = Math.floor((10 * done) / hands);
    if (now > tenths) console.log(`${done} of ${hands} hands`);
    tenths = Math.max(tenths, now);
  };
  const outcome = await scoped((t) => watchCards(t, { hands, seed, onProgress }));
  const { leaks, faults, pending, ...counts } = outcome;
  console.log(
    Object.entries(counts)
      .map(([name, count]) => `${name.padEnd(10)}${count.toLocaleString('en-US').padStart(14)}`)
      .join('\n'),
  );
  const findings = [...leaks, ...faults, ...pending.map((id) => `hand ${id} was shown, and is not stored`)];
  for (const finding of findings.slice(0, SHOWN)) console.log(`\nFOUND ${finding}`);
  console.log(findings.length === 0 ? `seed ${seed}: no leak` : `\n${findings.length} findings (seed ${seed})`);
  return findings.length === 0;
});
