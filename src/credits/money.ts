/** Credits are whole ucents everywhere; dollars are for people, at the edge only. */
export const UCENTS_PER_CENT = 100;
export const UCENTS_PER_DOLLAR = 10_000;

/** For an answer in dollars: exact to the ucent, which a double holds up to 900 billion dollars. */
export const dollarsOf = (ucents: number): number => ucents / UCENTS_PER_DOLLAR;

/** Null where the amount is no whole number of ucents, not positive or not finite. */
export function ucentsOf(dollars: number): number | null {
  const ucents = Math.round(dollars * UCENTS_PER_DOLLAR);
  if (!Number.isSafeInteger(ucents) || ucents <= 0) return null;
  return dollarsOf(ucents) === dollars ? ucents : null;
}
