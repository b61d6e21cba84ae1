import type { TSchema } from 'typebox';
import { anchorOf, code, table } from './markdown.js';

/** JSON schemas as short texts and tables. */

export interface Json {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly Json[];
  items?: Json;
  properties?: Readonly<Record<string, Json>>;
  patternProperties?: Readonly<Record<string, Json>>;
  additionalProperties?: boolean | Json;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export const json = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

/** Patterns that have a name people know. Others are given as they are. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3}|\\.\\d{6})?\\+00:00$': 'time',
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00$': 'time with microseconds',
  '^[2-9TJQKA][cdhs]$': 'card',
  '^[0-5]$': 'seat',
  '^[0-9a-f]{64}$': '64 hex digits',
  '^[0-9a-f]{32}$': '32 hex digits',
  '^0x[0-9a-fA-F]{40}$': 'wallet address',
};
/** A pattern longer than this is for programs: OpenAPI has it. */
const READABLE = 40;

/** The type of a value in a few words: `integer 0…5`, `list of card`, `"a" or "b"`. */
export function typeText(schema: Json): string {
  if (schema.$ref !== undefined) return objectLink(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  if (schema.const !== undefined) return code(plainValue(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(plainValue(value))).join(', ');

  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  switch (schema.type) {
    case 'array':
      return `list of ${sizes(schema.minItems, schema.maxItems)}${typeText(schema.items ?? {})}`;
    case 'object':
      return objectText(schema);
    case 'string':
      return stringText(schema);
    case 'integer':
    case 'number':
      return `${schema.type}${range(schema)}`;
    default:
      return schema.type ?? 'any';
  }
}

/** Texts without quotes: the marks of code tell enough. */
const plainValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const objectLink = (name: string) => `[${name}](#${anchorOf(name)})`;

function stringText({ format, pattern, minLength, maxLength }: Json): string {
  const known = pattern === undefined ? undefined : PATTERNS[pattern];
  if (known !== undefined) return known;
  const length = sizes(minLength === 1 ? undefined : minLength, maxLength);
  const form = pattern !== undefined && pattern.length <= READABLE ? ` ${code(pattern)}` : '';
  return `${format ?? 'text'}${length === '' ? '' : ` of ${length}characters`}${form}`;
}

function range({ minimum, maximum }: Json): string {
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined && high === undefined) return '';
  if (high === undefined) return ` ≥ ${minimum}`;
  return minimum === undefined ? ` ≤ ${high}` : ` ${minimum}…${high}`;
}

function sizes(least: number | undefined, most: number | undefined): string {
  if (least === most && least !== undefined) return `${least} `;
  if (most === undefined) return least === undefined || least <= 1 ? '' : `${least} or more `;
  return least === undefined ? `at most ${most} ` : `${least}…${most} `;
}

/** An object that has no name of its own, in braces. */
function objectText(schema: Json): string {
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values !== undefined) return `map by ${keyText(schema)} of ${typeText(values)}`;
  if (typeof schema.additionalProperties === 'object') return `map of ${typeText(schema.additionalProperties)}`;
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${name}${isRequired(schema, name) ? '' : '?'}: ${typeText(field)}`,
  );
  return fields.length === 0 ? 'object' : `{ ${fields.join('; ')} }`;
}

function keyText({ patternProperties }: Json): string {
  const [pattern = ''] = Object.keys(patternProperties ?? {});
  return PATTERNS[pattern] ?? 'text';
}

const isRequired = ({ required = [] }: Json, name: string) => required.includes(name);

/**
 * The fields of an object: name, type, meaning. A `?` marks a field that may be absent. `sent`: a field with a default
 * may be left out by the caller.
 */
export function fieldTable(schema: Json, { sent = false, without = [] as readonly string[] } = {}): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => {
      const mayBeAbsent = !isRequired(schema, name) || (sent && field.default !== undefined);
      const byDefault =
        sent && field.default !== undefined ? `Default ${code(JSON.stringify(field.default))}.` : undefined;
      return [
        `${code(name)}${mayBeAbsent ? '?' : ''}`,
        typeText(field),
        [meaningOf(field), byDefault].filter((text) => text !== undefined && text !== '').join(' '),
      ];
    });
  const hasMeanings = rows.some(([, , meaning]) => meaning !== '');
  return hasMeanings
    ? table(['field', 'type', 'meaning'], rows)
    : table(
        ['field', 'type'],
        rows.map(([name, type]) => [name!, type!]),
      );
}

function meaningOf({ description = '' }: Json): string {
  return description === '' || /[.!?]$/.test(description) ? description : `${description}.`;
}

/** A schema as a block: a table of an object, a table for each form of a union, or one line. */
export function blockOf(schema: Json, options: { sent?: boolean; without?: readonly string[] } = {}): string {
  const forms = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (forms.length > 1 && forms.every(({ properties }) => properties !== undefined)) {
    return `${forms.map(objectText).join(', or ')}.`;
  }
  return schema.properties === undefined ? `${typeText(schema)}.` : fieldTable(schema, options);
}
