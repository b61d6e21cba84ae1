/**
 * Where the core's randomness comes from. Production passes a source of secure bytes (`secureRandom` in shuffle.ts),
 * the simulator a seeded one; nothing in the core ever asks Math.random.
 */
export interface RandomSource {
  /** The next uniformly distributed 16-bit integer, 0–65535. */
  next16(): number;
}
