/** `npm run campaign -- NAME [options]`: what looks for faults for as long as it is let. A small set of each is in the suite. */
import { fileURLToPath } from 'node:url';
import { command } from '../src/command/options.js';
import { CAMPAIGNS } from './campaigns.js';

const [name = '', ...options] = process.argv.slice(2);
const chosen = Object.hasOwn(CAMPAIGNS, name) ? CAMPAIGNS[name] : undefined;
if (chosen === undefined) {
  const { words } = command({
    name: 'npm run campaign',
    purpose: 'Looks for faults for as long as it is let. Exit code 1: it found one.',
    takes: 'what each campaign tells: npm run campaign -- NAME --help',
    options: {},
    words: 'NAME',
    notes: Object.entries(CAMPAIGNS)
      .map(([each, [purpose]]) => `  ${each.padEnd(14)}${purpose}`)
      .join('\n'),
  });
  process.stderr.write(`There is no campaign ${words[0]}: npm run campaign -- --help lists them\n`);
  process.exitCode = 2;
} else {
  const path = fileURLToPath(new URL(chosen[1], import.meta.url));
  process.argv.splice(1, process.argv.length - 1, path, ...options);
  await import(path);
}
