/** A state that the code rules out. It ends the hand, the transaction or the request that met it, and not the process. */
export class AssertionFailed extends Error {
  override name = 'AssertionFailed';
}

/**
 * Throws AssertionFailed unless the condition holds. The message is a constant, so that a check costs nothing but its
 * condition. `value` is what was found, for the log.
 */
export function assert(condition: boolean, message: string, value?: unknown): asserts condition {
  if (!condition) throw new AssertionFailed(value === undefined ? message : `${message}: ${String(value)}`);
}

/** An amount of chips, ucents or units, a number or a count: whole, and from 0 to 2^53 - 1. */
export function assertWhole(value: number, what: string): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new AssertionFailed(`${what} is ${value}`);
}
