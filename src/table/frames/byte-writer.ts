import { Buffer } from 'node:buffer';

/** From so many characters on the runtime copies a text faster than a loop does (64: 0.05 µs, and 0.1). */
const LONG_TEXT = 40;

const [QUOTE, BACKSLASH, SPACE, TILDE] = [0x22, 0x5c, 0x20, 0x7e];

/**
 * Writes JSON text straight as bytes into one growing buffer: no string ropes, no second encoding.
 * The buffer may move when it grows, so remember positions (`pos`), never views, while writing.
 */
export class ByteWriter {
  /** The buffer, and a view of all its bytes. */
  block: ArrayBuffer;
  buffer: Buffer;
  pos = 0;

  constructor(size = 64 * 1024) {
    this.block = new ArrayBuffer(size);
    this.buffer = Buffer.from(this.block);
  }

  /** Goes on at the start of another block. */
  begin(block: ArrayBuffer): void {
    this.block = block;
    this.buffer = Buffer.from(block);
    this.pos = 0;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.pos + count <= this.buffer.length) return;
    const written = this.buffer.subarray(0, this.pos);
    this.begin(new ArrayBuffer(Math.max(this.buffer.length * 2, this.pos + count)));
    this.bytes(written);
  }

  /** Text known to be ASCII, such as punctuation. A constant of more than 9 characters is written faster as `bytes`. */
  ascii(text: string): this {
    const length = text.length;
    this.reserve(length);
    const { buffer } = this;
    let pos = this.pos;
    if (length >= LONG_TEXT) pos += buffer.write(text, pos, length, 'latin1');
    else for (let i = 0; i < length; i++) buffer[pos++] = text.charCodeAt(i);
    this.pos = pos;
    return this;
  }

  /** Bytes prepared earlier, such as a constant prefix: 0.02 µs whatever their number. */
  bytes(source: Uint8Array): this {
    this.reserve(source.length);
    this.buffer.set(source, this.pos);
    this.pos += source.length;
    return this;
  }

  /** Copies [start, end) of this same buffer to the end: a shared part reused in another frame. */
  copy(start: number, end: number): this {
    this.reserve(end - start);
    this.buffer.copyWithin(this.pos, start, end);
    this.pos += end - start;
    return this;
  }

  /** A whole number, also beyond 32 bits (table_seq). */
  int(value: number): this {
    if (value < 0 || value > 0x7fffffff) return this.ascii(String(value));
    this.reserve(10);
    const { buffer } = this;
    let digits = 1;
    for (let bound = 10; digits < 10 && value >= bound; bound *= 10) digits++;
    let at = this.pos + digits;
    this.pos = at;
    let rest = value;
    do {
      const tens = (rest / 10) | 0;
      buffer[--at] = 48 + (rest - tens * 10);
      rest = tens;
    } while (rest > 0);
    return this;
  }

  /** The text from a position on. It must be ASCII. */
  textFrom(start: number): string {
    return new TextDecoder().decode(this.buffer.subarray(start, this.pos));
  }

  /** A JSON string with its quotes; everything beyond ASCII escaped as \uXXXX, as state_hash wants it. */
  string(text: string): this {
    const length = text.length;
    this.reserve(length + 2);
    const { buffer } = this;
    let pos = this.pos;
    buffer[pos++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) return this.ascii(jsonAscii(text));
      buffer[pos++] = code;
    }
    buffer[pos++] = QUOTE;
    this.pos = pos;
    return this;
  }
}

const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON string literal in pure ASCII. */
export function jsonAscii(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text known to be ASCII, prepared once for `ByteWriter.bytes`. */
export function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
