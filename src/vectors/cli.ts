import { createReadStream, statSync, type ReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { command } from '../command/options.js';
import { Progress, QUIET_MS } from '../command/progress.js';
import { runToEnd } from '../command/result.js';
import { checkVector, VectorTally, type Difference } from './vectors.js';

/** How many differences are printed in full; the rest is only counted. */
const SHOWN = 10;

const { words: files } = command({
  name: 'npx agent-poker vectors',
  purpose:
    'Replays vector files (.jsonl or .jsonl.gz) through the hand engine. Prints hands, decisions and differences.\nExit code 1: there are differences; 2: a file cannot be read.',
  takes: 'about a second for 10,000 hands',
  options: {},
  words: 'FILE…',
});

async function main(): Promise<number> {
  let shown = 0;
  let differences = 0;
  for (const file of files) {
    const tally = new VectorTally();
    let lineNumber = 0;
    const progress = new Progress(statSync(file).size, `bytes of ${file}`, QUIET_MS);
    const bytes = createReadStream(file);
    for await (const line of linesOf(bytes, file)) {
      lineNumber++;
      progress.show(bytes.bytesRead);
      if (line.trim() === '') continue;
      const result = checkVector(line, `line ${lineNumber}`);
      tally.add(result);
      for (const difference of result.differences) {
        if (shown++ < SHOWN) console.log(inFull(file, lineNumber, difference, line));
      }
    }
    progress.clear();
    differences += tally.differences;
    console.log(
      `${file}: ${tally.hands} hands, ${tally.decisions} decisions, ${tally.differences} differences` +
        (tally.failed > 0 ? ` in ${tally.failed} hands` : ''),
    );
  }
  return differences === 0 ? 0 : 1;
}

function linesOf(bytes: ReadStream, file: string): AsyncIterable<string> {
  if (!file.endsWith('.gz')) return createInterface({ input: bytes, crlfDelay: Infinity });
  const text = createGunzip();
  // A pipe does not carry errors over: a missing file must end the reading, not hang it.
  bytes.on('error', (error) => text.destroy(error));
  return createInterface({ input: bytes.pipe(text), crlfDelay: Infinity });
}

function inFull(file: string, line: number, d: Difference, text: string): string {
  return [
    `${file}:${line} hand ${d.hand}, ${d.where}: ${d.what}`,
    `  expected ${JSON.stringify(d.expected)}`,
    `  actual   ${JSON.stringify(d.actual)}`,
    `  ${text}`,
  ].join('\n');
}

await runToEnd(main, (error) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
