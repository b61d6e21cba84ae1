import { asciiBytes, type ByteWriter } from './byte-writer.js';

const text = asciiBytes(',"ts":"2026-01-31T12:00:00.123456+00:00');
const SECOND_AT = ',"ts":"'.length;
const MICROS_AT = SECOND_AT + '2026-01-31T12:00:00.'.length;
const MICROS_END = MICROS_AT + 6;
const ZERO = 48;

let cachedSecond = NaN;
let cachedMicros = NaN;

/**
 * Writes `,"ts":"` and epoch microseconds as the wire has them: RFC 3339 in UTC, "2026-01-31T12:00:00.123456+00:00", but
 * for the closing quote. The last time and the last second are remembered: all frames of one event carry the same time.
 */
export function writeTimestamp(w: ByteWriter, micros: number): void {
  if (micros !== cachedMicros) prepare(micros);
  w.bytes(text);
}

function prepare(micros: number): void {
  const second = Math.floor(micros / 1_000_000);
  if (second !== cachedSecond) {
    const prefix = new Date(second * 1000).toISOString();
    for (let at = SECOND_AT; at < MICROS_AT; at++) text[at] = prefix.charCodeAt(at - SECOND_AT);
    cachedSecond = second;
  }
  let rest = micros - second * 1_000_000;
  for (let at = MICROS_END - 1; at >= MICROS_AT; at--) {
    const tens = (rest / 10) | 0;
    text[at] = ZERO + (rest - tens * 10);
    rest = tens;
  }
  cachedMicros = micros;
}
