import Type, { type Static } from 'typebox';
import { Exact } from '../common.js';

/** The two error bodies of the REST API (SPEC "Errors"), and the exception that becomes one. */

export const ErrorBody = Exact({ detail: Type.String({ minLength: 1 }) });

export const ValidationItem = Exact({
  /** Where: "body", "query" or "path", then the field, then deeper keys or indexes. */
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { minItems: 1 }),
  msg: Type.String({ minLength: 1 }),
  /** For programs, such as `missing` or `string_too_short`. */
  type: Type.String({ minLength: 1 }),
});
export type ValidationItem = Static<typeof ValidationItem>;

export const ValidationErrorBody = Exact({ detail: Type.Array(ValidationItem, { minItems: 1 }) });

/** Thrown by a handler (or the router) to answer with an error body; headers such as Retry-After go with it. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string | ValidationItem[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === 'string' ? detail : detail.map((item) => `${item.loc.join('.')}: ${item.msg}`).join('; '));
    this.name = 'HttpError';
  }

  get body(): { detail: string | ValidationItem[] } {
    return { detail: this.detail };
  }
}

/** 422 for a single field of the body that only the handler can judge; by default it is said to be missing. */
export function invalidField(field: string, msg = 'Field required', type = 'missing'): HttpError {
  return new HttpError(422, [{ loc: ['body', field], msg, type }]);
}

/** The schema of an error answer by its status. */
export function errorSchema(status: number): typeof ErrorBody | typeof ValidationErrorBody {
  return status === 422 ? ValidationErrorBody : ErrorBody;
}
