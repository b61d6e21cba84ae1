import { asciiBytes, type ByteWriter } from './byte-writer.js';

let cachedSecond = NaN;
let cachedPrefix = '';
let cachedMicros = NaN;
let cachedText = '';
const cachedBytes = asciiBytes('2026-01-31T12:00:00.123456+00:00');

/**
 * Epoch microseconds as the wire writes them: RFC 3339 in UTC, "2026-01-31T12:00:00.123456+00:00". The last text and
 * the last second are remembered: all frames of one event carry the same time.
 */
export function timestamp(micros: number): string {
  if (micros === cachedMicros) return cachedText;
  const second = Math.floor(micros / 1_000_000);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedPrefix = new Date(second * 1000).toISOString().slice(0, 20);
  }
  cachedMicros = micros;
  cachedText = `${cachedPrefix}${String(micros - second * 1_000_000).padStart(6, '0')}+00:00`;
  for (let i = 0; i < cachedBytes.length; i++) cachedBytes[i] = cachedText.charCodeAt(i);
  return cachedText;
}

/** Writes the timestamp, without quotes. */
export function writeTimestamp(w: ByteWriter, micros: number): void {
  timestamp(micros);
  w.bytes(cachedBytes);
}
