/** The most bytes of a varint. */
export const VARINT_BYTES = 8;

/**
 * Writes a whole number from 0 to 2^53 - 1 as unsigned LEB128: seven bits a byte, the lowest first. Returns where it
 * ends.
 */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  // Not the bit operators, which know 32 bits only.
  let rest = value;
  let end = at;
  while (rest > 0x7f) {
    bytes[end++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[end++] = rest;
  return end;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes numbers and texts compactly into one growing buffer; Unpacker reads them back in the same order. */
export class Packer {
  bytes: Uint8Array;
  pos = 0;

  constructor(size = 1024) {
    this.bytes = new Uint8Array(size);
  }

  /** A whole number from 0 to 2^53 - 1. */
  uint(value: number): this {
    this.#reserve(VARINT_BYTES);
    this.pos = writeVarint(this.bytes, this.pos, value);
    return this;
  }

  /** A whole number from 0 up, or null. */
  uintOrNull(value: number | null): this {
    return this.uint(value === null ? 0 : value + 1);
  }

  /** Any number, or null. */
  numberOrNull(value: number | null): this {
    this.uint(value === null ? 0 : 1);
    return value === null ? this : this.number(value);
  }

  number(value: number): this {
    this.#reserve(8);
    new DataView(this.bytes.buffer).setFloat64(this.pos, value);
    this.pos += 8;
    return this;
  }

  text(text: string): this {
    const { length } = text;
    this.#reserve(length + 1);
    if (length > 0x7f) return this.#utf8(text);
    const { bytes, pos } = this;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return this.#utf8(text);
      bytes[pos + 1 + i] = code;
    }
    bytes[pos] = length;
    this.pos = pos + 1 + length;
    return this;
  }

  /** Gives back the room that is not in use. */
  trim(): void {
    this.bytes = this.bytes.slice(0, this.pos);
  }

  #utf8(text: string): this {
    const encoded = encoder.encode(text);
    this.uint(encoded.length);
    this.#reserve(encoded.length);
    this.bytes.set(encoded, this.pos);
    this.pos += encoded.length;
    return this;
  }

  #reserve(count: number): void {
    if (this.pos + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.pos + count));
    grown.set(this.bytes.subarray(0, this.pos));
    this.bytes = grown;
  }
}

/** Reads what was packed. Bytes that are none of it are a RangeError, or what a subclass makes of it. */
export class Unpacker {
  readonly #bytes: Uint8Array;
  pos: number;

  constructor(bytes: Uint8Array, pos = 0) {
    this.#bytes = bytes;
    this.pos = pos;
  }

  uint(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#bytes[this.pos++];
      if (byte === undefined) return this.broken('breaks off');
      value += (byte & 0x7f) * weight;
      if (value > Number.MAX_SAFE_INTEGER) return this.broken('holds a number that is too large');
      if (byte < 0x80) return value;
      weight *= 0x80;
    }
  }

  /** Throws: the bytes end too early, or make no sense. */
  protected broken(how: string): never {
    throw new RangeError(`what was packed ${how}`);
  }

  uintOrNull(): number | null {
    const value = this.uint();
    return value === 0 ? null : value - 1;
  }

  numberOrNull(): number | null {
    return this.uint() === 0 ? null : this.number();
  }

  number(): number {
    if (this.pos + 8 > this.#bytes.length) return this.broken('breaks off');
    const { buffer, byteOffset } = this.#bytes;
    const value = new DataView(buffer, byteOffset).getFloat64(this.pos);
    this.pos += 8;
    return value;
  }

  text(): string {
    const length = this.uint();
    const start = this.pos;
    this.pos += length;
    return decoder.decode(this.#bytes.subarray(start, this.pos));
  }
}
