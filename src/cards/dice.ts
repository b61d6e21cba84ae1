import { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import type { RandomSource } from './random.js';

/**
 * The dice of mixed actions: a seed for each seat, fixed with the deck. A seat's seed can be opened later without a hint
 * of the other seeds or of the cards. docs/protocol.md ("Mixed actions") has the formulas. All texts are ASCII, hashes and
 * seeds lower-case hex.
 */

/** Seats of the largest table. */
const DICE_SEATS = 6;
const SEED_BYTES = 16;
const SEEDS_DOMAIN = Buffer.from('agent-poker/dice-seeds|');

/** The dice of a hand that were committed to. */
export class CommittedDice {
  /** By seat. */
  readonly seeds: readonly string[];
  readonly hashes: readonly string[];

  /** @param secret 32 random bytes: those of the deck. The seeds tell nothing of them. */
  constructor(place: string, secret: Uint8Array) {
    const bytes = createHash('shake256', { outputLength: DICE_SEATS * SEED_BYTES })
      .update(SEEDS_DOMAIN)
      .update(secret)
      .digest('hex');
    const [seeds, hashes]: [string[], string[]] = [[], []];
    for (let seat = 0; seat < DICE_SEATS; seat++) {
      const seed = bytes.slice(2 * SEED_BYTES * seat, 2 * SEED_BYTES * (seat + 1));
      seeds.push(seed);
      hashes.push(hash('sha256', `agent-poker/dice|${place}${seat}|${seed}`));
    }
    this.seeds = seeds;
    this.hashes = hashes;
  }
}

/** 2^53: a draw has as many bits as the fraction of a double. */
const UNITS = 2 ** 53;

/**
 * The draw, from 0 up to 1, of action `number` of the hand (from 0) by a seat's seed. The nonces of the hand have their
 * part in it, so that the server alone did not choose it.
 */
export function drawOf(
  commitment: string,
  seed: string,
  number: number,
  nonces: readonly { readonly seat: number; readonly nonce: string }[],
): number {
  const parts = nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`);
  const digits = hash('sha256', `agent-poker/draw|${commitment}|${seed}|${number}${parts.join('')}`);
  return Number(BigInt(`0x${digits.slice(0, 14)}`) >> 3n) / UNITS;
}

/** A draw from 0 up to 1 where nothing is committed to. */
export function drawFrom(random: RandomSource): number {
  let units = random.next16() & 0x1f;
  for (let i = 0; i < 3; i++) units = units * 0x10000 + random.next16();
  return units / UNITS;
}
