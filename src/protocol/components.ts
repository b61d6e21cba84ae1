import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;

/**
 * The named schemas of an API document. `place` gives a schema as plain JSON, in which every part that has a title is
 * a $ref to `#/components/schemas/TITLE`.
 */
export class Components {
  readonly schemas: Record<string, Json> = {};

  place(schema: TSchema): Json {
    return this.#hoist(JSON.parse(JSON.stringify(schema)) as Json);
  }

  #hoist(schema: Json): Json {
    const { title, ...rest } = schema;
    const placed = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => [keyword, this.#inside(keyword, value)]),
    );
    if (typeof title !== 'string') return placed;
    const known = this.schemas[title];
    if (known !== undefined && !isDeepStrictEqual(known, placed)) throw new Error(`two schemas are titled ${title}`);
    this.schemas[title] = placed;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Only these keywords hold schemas; examples, defaults and enums are data and stay as they are. */
  #inside(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([k, v]) => [k, this.#hoist(v)]));
      case 'anyOf':
      case 'allOf':
        return (value as Json[]).map((schema) => this.#hoist(schema));
      case 'items':
        return this.#hoist(value as Json);
      case 'additionalProperties':
        return typeof value === 'object' ? this.#hoist(value as Json) : value;
      default:
        return value;
    }
  }
}
