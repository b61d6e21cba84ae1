import { parseArgs } from 'node:util';
import { simulate } from './world.js';

/** `npm run sim -- [--seeds N] [--seed S]`: N runs from seed S (default: one that nobody chose), or until one breaks. */
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100' }, seed: { type: 'string' } } });
const count = Number(values.seeds);
const first = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(first) || first < 0) {
  console.error('usage: npm run sim -- [--seeds N] [--seed S], whole numbers');
  process.exit(2);
}

const total = { hands: 0, frames: 0, crashes: 0, steps: 0 };
const started = performance.now();
for (let seed = first; seed < first + count; seed++) {
  try {
    const { hands, frames, crashes, steps } = simulate(seed);
    total.hands += hands;
    total.frames += frames;
    total.crashes += crashes;
    total.steps += steps;
  } catch (error) {
    console.error(`${(error as Error).message}\n\nRepeat with: npm run sim -- --seeds 1 --seed ${seed}`);
    process.exit(1);
  }
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${count} seeds from ${first}: ${total.hands} hands, ${total.crashes} lost tables, ${total.steps} steps, ` +
    `${total.frames} frames in ${seconds} s; every invariant held`,
);
