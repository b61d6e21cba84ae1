import type { TLocalizedValidationError } from 'typebox/error';
import type { ValidationItem } from './rest/errors.js';

/** typebox errors as the items of a 422 body: one per place, the most telling one, in words for the caller. */

type Where = 'body' | 'query' | 'path';

interface Faults {
  schema: unknown;
  errors: readonly TLocalizedValidationError[];
}

export function explain(where: Where, value: unknown, { schema, errors }: Faults): ValidationItem[] {
  const items = new Map<string, ValidationItem>();
  for (const error of [...errors].sort((a, b) => rank(a) - rank(b))) {
    for (const item of itemsOf(where, value, error, schema)) {
      const place = JSON.stringify(item.loc);
      // An alternative of a union that failed deeper says more than the union itself.
      const deeper = error.keyword === 'anyOf' && [...items.keys()].some((key) => key.startsWith(place.slice(0, -1)));
      if (!deeper && !items.has(place)) items.set(place, item);
    }
  }
  return [...items.values()];
}

/**
 * The literals of a union at a place of the schema, asked from within it; else none. Asked of the schema, since the
 * library tells of the first eight errors only.
 */
function literalsAt(schema: unknown, schemaPath: string): unknown[] {
  const path = schemaPath.split('/').slice(1);
  const union = path.lastIndexOf('anyOf');
  if (union < 0 || union !== path.length - 2) return [];
  const { anyOf = [] } = path.slice(0, union).reduce<Node>((node, key) => (node[key] ?? {}) as Node, schema as Node);
  return anyOf.flatMap((option) => ('const' in option ? [option['const']] : []));
}

type Node = { [key: string]: unknown; anyOf?: Node[] };

/**
 * An error about allowed values says more than one about the type. The errors of a nullable field ("must be null") and
 * of a failed union say least, so they come last.
 */
function rank(error: TLocalizedValidationError): number {
  if (error.keyword === 'const') return -1;
  if (error.keyword === 'anyOf') return 2;
  return error.keyword === 'type' && error.params.type === 'null' ? 1 : 0;
}

function itemsOf(where: Where, value: unknown, error: TLocalizedValidationError, schema: unknown): ValidationItem[] {
  const at = [where, ...pathOf(value, error.instancePath)];
  const allowed = error.keyword === 'const' ? literalsAt(schema, error.schemaPath) : [];
  const [type, msg] = allowed.length > 0 ? ['literal_error', shouldBe(allowed)] : words(where, error);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ loc: [...at, name], msg, type }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ loc: [...at, name], msg, type }));
    case 'boolean':
      // The same unknown field again, as "schema is false".
      return [];
    default:
      return [{ loc: at, msg, type }];
  }
}

/** A JSON pointer as keys and array indexes. */
function pathOf(value: unknown, pointer: string): (string | number)[] {
  let here = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(here) ? Number(key) : key;
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
      return step;
    });
}

const TYPES: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ['string_type', 'Input should be a valid string'],
  integer: ['int_type', 'Input should be a valid integer'],
  number: ['float_type', 'Input should be a valid number'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['dict_type', 'Input should be a valid object'],
  null: ['none_required', 'Input should be null'],
};

function words(where: Where, error: TLocalizedValidationError): readonly [type: string, msg: string] {
  switch (error.keyword) {
    case 'required':
      return ['missing', 'Field required'];
    case 'additionalProperties':
      return ['extra_forbidden', 'Extra inputs are not permitted'];
    case 'type':
      return typeWords(where, String(error.params.type));
    case 'minLength':
      return ['string_too_short', `String should have at least ${characters(error.params.limit)}`];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${characters(error.params.limit)}`];
    case 'pattern':
      return ['string_pattern_mismatch', `String should match pattern '${String(error.params.pattern)}'`];
    case 'format':
      return ['value_error', `Input should be a valid ${error.params.format}`];
    case 'enum':
      return ['enum', shouldBe(error.params.allowedValues)];
    case 'const':
      return ['literal_error', shouldBe([error.params.allowedValue])];
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${error.params.limit}`];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${error.params.limit}`];
    case 'exclusiveMinimum':
      return ['greater_than', `Input should be greater than ${error.params.limit}`];
    case 'exclusiveMaximum':
      return ['less_than', `Input should be less than ${error.params.limit}`];
    case 'minItems':
      return ['too_short', `List should have at least ${error.params.limit} items`];
    case 'maxItems':
      return ['too_long', `List should have at most ${error.params.limit} items`];
    case 'anyOf':
      return ['union_error', 'Input fits none of the allowed forms'];
    default:
      return ['value_error', `Input ${error.message}`];
  }
}

/** A query value is text: what failed there is its conversion. */
function typeWords(where: Where, type: string): readonly [type: string, msg: string] {
  const [name, msg] = TYPES[type] ?? ['value_error', `Input should be ${type}`];
  if (where !== 'query' || type === 'string') return [name, msg];
  return [name.replace('_type', '_parsing'), `${msg}, unable to parse the text`];
}

/** 'a', 'b' or 'c'. */
function shouldBe(allowed: readonly unknown[]): string {
  const quoted = allowed.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? '';
  return `Input should be ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}`;
}

const characters = (count: number | bigint) => `${count} character${Number(count) === 1 ? '' : 's'}`;
