/** Final errors. The kit recovers from all others (lost connections, rejections, limits). */

/** The kit cannot go on; the text says why. */
export class KitError extends Error {
  override readonly name: string = 'KitError';
}

/** `decide` asked for what the rules do not offer now. */
export class IllegalAction extends KitError {
  override readonly name = 'IllegalAction';
}

/** A thrown error and its place: `Error: no model (bot.js:12)`. */
export function thrownText(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const place = /^\s*at (?:.*\()?(?:.*[/\\])?([^/\\\s()]+:\d+):\d+\)?$/m.exec(stack)?.[1];
  return place === undefined ? String(error) : `${String(error)} (${place})`;
}

/** One item of a 422: where, what, and its kind for programs. */
export interface InvalidField {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** A REST call that was refused. */
export class ApiError extends KitError {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    /** A text; of a 422 a list. */
    readonly detail: string | readonly InvalidField[],
    /** Seconds, where the server told them. */
    readonly retryAfter: number | null,
    /** The operationId. */
    readonly operation: string,
  ) {
    super(`${operation}: ${status} ${textOf(detail)}`);
  }
}

/** No answer came: nobody there, a connection that broke, or the time was up. The request may have taken effect. */
export class Unreachable extends KitError {
  override readonly name = 'Unreachable';
}

/** The `detail` of an error answer in one line. */
export function textOf(detail: string | readonly InvalidField[]): string {
  return typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
}
