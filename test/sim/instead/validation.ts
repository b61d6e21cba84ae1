import * as real from '../../../src/protocol/validation.js';

/** src/protocol/validation.ts, each schema compiled once for all platforms of the process. */
function once<S extends object | undefined, R>(make: (schema: S) => R): (schema: S) => R {
  const made = new Map<S, R>();
  return (schema) => {
    const known = made.get(schema) ?? make(schema);
    made.set(schema, known);
    return known;
  };
}

export const bodyReader = once(real.bodyReader);
export const queryReader = once(real.queryReader);
export const paramsReader = once(real.paramsReader);
export const isOptionalBody = real.isOptionalBody;
