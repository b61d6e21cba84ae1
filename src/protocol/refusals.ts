import { HttpError, type ValidationItem } from './rest/errors.js';

/**
 * A reader whose 422s for some fields become 400s with a text: `refusals` has the text by the field (PROTOCOL.md, "REST
 * in detail").
 */
export function refusing<Raw>(
  read: (raw: Raw) => unknown,
  refusals: Readonly<Record<string, string>> | undefined,
): (raw: Raw) => unknown {
  if (refusals === undefined) return read;
  return (raw) => {
    try {
      return read(raw);
    } catch (error) {
      const detail =
        error instanceof HttpError && typeof error.detail !== 'string' ? textFor(error.detail, refusals) : null;
      throw detail === null ? error : new HttpError(400, detail);
    }
  };
}

/** Null where a field is merely missing, or the first thing wrong is another. */
function textFor(items: readonly ValidationItem[], refusals: Readonly<Record<string, string>>): string | null {
  if (items.some(({ type }) => type === 'missing')) return null;
  return refusals[String(items[0]?.loc[1])] ?? null;
}
