/**
 * Files with random damage: a hand is read, or it is listed with a line of the file. Nothing else is thrown, and what is
 * read loses no chips.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { decodeHandFile } from '../../src/formats/decode.js';
import { HandFileError, readHandFile, type ReplayHand } from '../../src/formats/index.js';
import { POOL_FORMATS, type Format } from '../../src/history/export/formats.js';
import { SPECTATOR } from '../../src/history/sight.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const FILES = FULL ? 40_000 : 4000;
const CASES = join(import.meta.dirname, '..', '..', '..', 'test', 'formats', 'cases');
const random = seededRandom(SEED);
const below = (n: number) => uniformBelow(n, random);
const { hands } = wildHands(60, SEED);

function exported(format: Format): string[] {
  const form = POOL_FORMATS[format];
  return hands.map((record) => {
    const stored = decodeRecord(encodeRecord(record));
    const batch = { sight: SPECTATOR, inCompetition: true, hands: [{ stored }], names: new Map(), written: 0 };
    return form.head + form.write(batch) + form.tail;
  });
}

const texts = [
  ...(Object.keys(POOL_FORMATS) as Format[]).flatMap(exported),
  ...readdirSync(CASES).map((name) => decodeHandFile(readFileSync(join(CASES, name)))),
];

const PIECES = [
  ...' \n\r\t\0\uFEFF[]{}"\':,.-+#0123456789$€AKTchds?=*()',
  '*** ',
  'null',
  'p1 ',
  ' and is all-in',
  '1e9',
];

/** One to three pieces put in, taken out, or moved; or the end cut off. */
function damaged(text: string): string {
  let out = text;
  for (let n = 1 + below(3); n > 0; n--) {
    const at = below(out.length + 1);
    const length = below(below(4) === 0 ? 80 : 3);
    const rest = out.slice(at + length);
    const kind = below(5);
    if (kind === 0) out = out.slice(0, at) + rest;
    else if (kind === 1) out = out.slice(0, at) + PIECES[below(PIECES.length)]! + out.slice(at);
    else if (kind === 2) out = out.slice(0, at) + PIECES[below(PIECES.length)]! + rest;
    else if (kind === 3) out = out.slice(0, at) + out.slice(at, at + length).repeat(2) + rest;
    else if (below(8) === 0) out = out.slice(0, at);
  }
  return out;
}

/** Chips at the end, with the rake, less those at the start. */
function gained({ players, moves, rake }: ReplayHand): number {
  const stacks = players.reduce((sum, { stack }) => sum + stack, 0);
  const end = moves.reduce((sum, move) => {
    if (move.kind === 'won' || move.kind === 'returned') return sum + move.chips;
    return move.kind === 'post' || move.kind === 'action' ? sum - move.chips : sum;
  }, stacks);
  return end + rake - stacks;
}

void t.test(`${FILES} damaged files`, (t) => {
  const counts = { read: 0, listed: 0, refused: 0 };
  const wrong: unknown[] = [];
  for (let n = 0; n < FILES; n++) {
    const text = damaged(texts[below(texts.length)]!);
    const lines = text.split(text.includes('\n') ? '\n' : '\r').length;
    try {
      const { hands: read, unreadable } = readHandFile(text);
      counts.read += read.length;
      counts.listed += unreadable.length;
      for (const hand of read) if (gained(hand) !== 0 || hand.rake < 0) wrong.push({ text, hand });
      for (const each of unreadable) if (!(each.line >= 1 && each.line <= lines)) wrong.push({ text, each });
    } catch (error) {
      counts.refused++;
      if (!(error instanceof HandFileError)) wrong.push({ text, error: error instanceof Error ? error.stack : error });
    }
  }
  t.same(wrong.slice(0, 2), []);
  t.ok(Object.values(counts).every((count) => count > 50), JSON.stringify(counts)); // prettier-ignore
  t.end();
});
