import { machine } from './machine.js';

/** node:crypto with randomness from the seed. */
export * from 'node:crypto';

const HEX = '0123456789abcdef';
const hex = (length: number) => Array.from({ length }, () => machine().dice.pick([...HEX])).join('');

export function randomUUID(): string {
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${machine().dice.pick([...'89ab'])}${hex(3)}-${hex(12)}`;
}

export function randomInt(least: number, above: number): number {
  return machine().dice.int(least, above - 1);
}

export function randomBytes(size: number): Buffer {
  return Buffer.from(hex(2 * size), 'hex');
}
