import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { HttpError, type ValidationItem } from './rest/errors.js';
import { explain } from './explain.js';

/** Turns the text of a request into checked values, or throws the HttpError that says what does not fit. */

type Reader<Raw> = (raw: Raw) => unknown;

/** Each is compiled when its first value comes: a start has other things to do. */
const validators = new WeakMap<TSchema, ReturnType<typeof Compile>>();

function validatorOf(schema: TSchema): ReturnType<typeof Compile> {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/**
 * Body text → value with defaults filled in; 422 when it is not JSON or does not fit. No body at all is an empty object
 * where that fits.
 */
export function bodyReader(schema: TSchema | undefined): Reader<string> {
  if (schema === undefined) return () => undefined;
  return (text) => {
    const validator = validatorOf(schema);
    const none = text.trim() === '';
    if (none && !fitsNothing(validator)) throw invalid({ loc: ['body'], msg: 'Field required', type: 'missing' });
    const value: unknown = validator.Default(none ? {} : parseJson(text));
    if (validator.Check(value)) return value;
    throw new HttpError(422, explain('body', value, { schema, errors: validator.Errors(value) }));
  };
}

/** Whether a body may be left out: all of its fields may. */
export const isOptionalBody = (schema: TSchema): boolean => fitsNothing(validatorOf(schema));

const fitsNothing = (validator: ReturnType<typeof Compile>) => validator.Check(validator.Default({}));

/** Query string → object; unknown names are ignored, of a repeated one the last counts. */
export function queryReader(schema: TObject | undefined): Reader<string> {
  if (schema === undefined) return () => undefined;
  const properties: Record<string, TSchema> = schema.properties;
  return (text) => {
    const validator = validatorOf(schema);
    const query: Record<string, unknown> = {};
    for (const [name, raw] of new URLSearchParams(text)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property !== undefined) query[name] = fromText(raw, property);
    }
    const value: unknown = validator.Default(query);
    if (validator.Check(value)) return value;
    throw new HttpError(422, explain('query', value, { schema, errors: validator.Errors(value) }));
  };
}

/** Path parameters; a malformed id is 400, not 422 (docs/reference/rest.md, "What holds for all endpoints"). */
export function paramsReader(schema: TObject | undefined): Reader<Readonly<Record<string, string>>> {
  if (schema === undefined) return () => undefined;
  const properties: Record<string, TSchema> = schema.properties;
  const named = Object.entries(properties);
  return (params) => {
    for (const [name, property] of named) {
      if (!validatorOf(property).Check(params[name])) throw new HttpError(400, `Invalid ${name} format`);
    }
    return Object.fromEntries(named.map(([name, property]) => [name, inOneForm(params[name]!, property)]));
  };
}

/**
 * Ids take their one form here. A UUID may come in capitals, but memory, audit log and idempotency keys know it in
 * lower case only.
 */
const inOneForm = (text: string, schema: TSchema) =>
  'format' in schema && schema.format === 'uuid' ? text.toLowerCase() : text;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid({ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' });
  }
}

const invalid = (item: ValidationItem) => new HttpError(422, [item]);

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A query value as its schema wants it; text that does not convert stays text, and the check refuses it. */
function fromText(raw: string, schema: TSchema): unknown {
  switch ('type' in schema ? schema.type : undefined) {
    case 'integer':
      return /^[+-]?\d+$/.test(raw) ? Number(raw) : raw;
    case 'number':
      return /^[+-]?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw;
    case 'boolean':
      return BOOLEANS.get(raw.toLowerCase()) ?? raw;
    default:
      return inOneForm(raw, schema);
  }
}
