/** The text of src/cards/tables.generated.ts, the packed tables of the evaluator: `npm run generate` writes it. */
import { buildTables } from './build-tables.js';

/** The whole text of the asset. */
export function renderTables(): string {
  const { flushes, sizes } = buildTables();
  const tables = sizes.map(
    ({ size, flushSuits, ranks }) => `export const HAND_OF_${size} = {
  flushSuits: ${base64(flushSuits)},
  rows: ${base64(littleEndian(withoutTail(ranks.rows)))},
  values: ${base64(littleEndian(ranks.values))},
};
`,
  );
  return `// Written by src/cards/generate.ts; do not edit. Base64 of bytes and of little-endian 16-bit words.
${constant('FLUSHES', base64(littleEndian(flushes)))};
${tables.join('')}`;
}

const constant = (name: string, value: string): string => `export const ${name} = ${value}`;
const base64 = (bytes: Uint8Array): string => `'${Buffer.from(bytes).toString('base64')}'`;

function littleEndian(words: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 2);
  words.forEach((word, i) => {
    bytes[2 * i] = word & 255;
    bytes[2 * i + 1] = word >> 8;
  });
  return bytes;
}

/** Zeros at the end come back by themselves when the table is padded. */
const withoutTail = (words: Uint16Array): Uint16Array => words.subarray(0, words.findLastIndex((word) => word > 0) + 1);
