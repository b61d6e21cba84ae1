import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { checkVector, VectorTally, type Difference } from './vectors.js';

/** How many differences are printed in full; the rest is only counted. */
const SHOWN = 10;

/**
 * `npm run vectors -- FILE…`: replays vector files (.jsonl or .jsonl.gz) through the hand engine, prints hands, decisions
 * and differences, and ends with 1 on any difference, 2 when a file cannot be read.
 */
async function main(files: string[]): Promise<number> {
  if (files.length === 0) {
    console.error('usage: npm run vectors -- FILE…   (.jsonl or .jsonl.gz)');
    return 2;
  }
  let shown = 0;
  let differences = 0;
  for (const file of files) {
    const tally = new VectorTally();
    let lineNumber = 0;
    for await (const line of linesOf(file)) {
      lineNumber++;
      if (line.trim() === '') continue;
      const result = checkVector(line, `line ${lineNumber}`);
      tally.add(result);
      for (const difference of result.differences) {
        if (shown++ < SHOWN) console.log(inFull(file, lineNumber, difference, line));
      }
    }
    differences += tally.differences;
    console.log(
      `${file}: ${tally.hands} hands, ${tally.decisions} decisions, ${tally.differences} differences` +
        (tally.failed > 0 ? ` in ${tally.failed} hands` : ''),
    );
  }
  return differences === 0 ? 0 : 1;
}

function linesOf(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file);
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

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
