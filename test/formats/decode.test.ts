/** Bytes of a hand file become text: UTF-8, UTF-16 and windows-1252, marked or not, also mixed in one file. */
import t from 'tap';
import { decodeHandFile } from '../../src/formats/decode.js';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytesOf = (...parts: readonly (readonly number[] | Uint8Array)[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const UTF8_MARK = [0xef, 0xbb, 0xbf];
/** Each UTF-16 unit as two bytes. */
const utf16 = (text: string, order: 'little' | 'big') =>
  Uint8Array.from(
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).flatMap((unit) =>
      order === 'little' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
    ),
  );

const HAND = "Seat 1: Żółw ♠ ($10 in chips)\r\nSeat 2: O'Brien (€5.50 in chips)\n";

await t.test('UTF-8, with a mark and without', (t) => {
  t.equal(decodeHandFile(utf8(HAND)), HAND);
  t.equal(decodeHandFile(bytesOf(UTF8_MARK, utf8(HAND))), HAND);
  t.equal(decodeHandFile(new Uint8Array()), '');
  t.equal(decodeHandFile(Uint8Array.from(UTF8_MARK)), '');
  t.end();
});

await t.test('UTF-16 of both orders, with a mark and without', (t) => {
  t.equal(decodeHandFile(bytesOf([0xff, 0xfe], utf16(HAND, 'little'))), HAND);
  t.equal(decodeHandFile(bytesOf([0xfe, 0xff], utf16(HAND, 'big'))), HAND);
  t.equal(decodeHandFile(utf16(HAND, 'little')), HAND);
  t.equal(decodeHandFile(utf16(HAND, 'big')), HAND);
  // Names in letters that have no zero byte: the rest of the file has enough of them.
  const russian = `PokerStars Hand #1:  Hold'em No Limit\nSeat 1: ИванИванович (5 in chips)\n`;
  t.equal(decodeHandFile(utf16(russian, 'little')), russian);
  t.equal(decodeHandFile(utf16(russian, 'big')), russian);
  t.end();
});

await t.test('windows-1252, where the bytes are not valid UTF-8', (t) => {
  const bytes = bytesOf(utf8('Seat 1: Jos'), [0xe9], utf8(' ('), [0x80], utf8('5 in chips)\n'));
  t.equal(decodeHandFile(bytes), 'Seat 1: José (€5 in chips)\n');
  const all = Array.from({ length: 128 }, (_, i) => 128 + i);
  const text = decodeHandFile(Uint8Array.from(all));
  t.equal(text.length, 128);
  // The places of the standard that Latin-1 has other letters at.
  t.equal(text.slice(0, 32).replace(/[\x80-\x9f]/g, ''), '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
  t.equal(text.slice(32), String.fromCharCode(...all.slice(32)));
  t.end();
});

await t.test('a file that two programs wrote is decoded line by line', (t) => {
  const bytes = bytesOf(UTF8_MARK, utf8('Żółw\n'), [0x4a, 0xe9, 0x0a], UTF8_MARK, utf8('€\n'));
  t.equal(decodeHandFile(bytes), 'Żółw\nJé\n€\n');
  // A file that ends within a letter of two bytes.
  t.equal(decodeHandFile(bytesOf(utf8('Żółw\nŻó'), [0xc5])), 'Żółw\nÅ»Ã³Å');
  t.end();
});
