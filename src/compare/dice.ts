/** Seeds of everything that is drawn. Equal places in two plays of a deal get equal numbers, so that luck is shared. */

/** A seed of 48 bits from any whole numbers; other numbers give an unrelated seed. */
export function seedFrom(...numbers: readonly number[]): number {
  let [low, high] = [0x9e3779b9, 0x7f4a7c15];
  for (const number of numbers) {
    low = mixed(low ^ (number | 0));
    high = mixed(high ^ Math.floor(number / 2 ** 32) ^ low);
  }
  return (high & 0xffff) * 2 ** 32 + (low >>> 0);
}

/** The finalizer of MurmurHash3 (Austin Appleby, public domain), after a step of its own. */
function mixed(word: number): number {
  let hash = Math.imul(word + 0x6d2b79f5, 1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
