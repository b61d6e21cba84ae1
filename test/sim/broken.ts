/** An invariant does not hold. */
export class Broken extends Error {
  override name = 'Broken';
}

export function ensure(holds: boolean, what: () => string): asserts holds {
  if (!holds) throw new Broken(what());
}
