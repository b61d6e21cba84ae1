import type { TSchema } from 'typebox';
import { KNOWN_TYPES, TITLES } from './names.js';

/** Types of the wire as plain data. Objects, and unions of objects, are always `named`. */
export type TypeModel =
  | { kind: 'text' | 'integer' | 'number' | 'boolean' | 'null' | 'unknown' }
  /** One of these, written as JSON writes them. */
  | { kind: 'values'; values: readonly (string | number | boolean)[] }
  | { kind: 'list'; of: TypeModel }
  /** An object with data as its names. */
  | { kind: 'map'; of: TypeModel }
  | { kind: 'union'; options: readonly TypeModel[] }
  | { kind: 'named'; name: string };

export interface FieldModel {
  name: string;
  type: TypeModel;
  /** Whether it is always there; in what a client sends, whether it may not be left out. */
  required: boolean;
  /** Bounds and the like, for people: "1 to 128 characters; default 50". Null: nothing to say. */
  note: string | null;
}

export interface NamedType {
  name: string;
  home: 'messages' | 'rest';
  about: string | null;
  /** An object's fields, or null where the name stands for `alias`. */
  fields: readonly FieldModel[] | null;
  alias: TypeModel | null;
}

/** A typebox schema, as the JSON Schema that it is. */
export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean)[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export const plain = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

/** A schema without its words, to know it again. */
const shapeOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    // A field may be called so, too: then an object stands there.
    ['title', 'description', 'examples'].includes(key) && (typeof value !== 'object' || Array.isArray(value))
      ? undefined
      : value,
  );

const knownNames = new Map(
  Object.entries(KNOWN_TYPES).map(([name, schema]) => [shapeOf(plain(schema)), name] as const),
);

/** Gives every object of the schemas a name, and keeps what stands behind it. */
export class TypeRegistry {
  readonly #types = new Map<string, NamedType & { shape: string }>();
  home: NamedType['home'] = 'messages';

  get types(): readonly NamedType[] {
    return [...this.#types.values()].map(({ shape: _, ...type }) => type);
  }

  /** The model of a schema; an object in it that nothing else names is called `path`. */
  typeOf(schema: Schema, path: string): TypeModel {
    if (schema.properties !== undefined) {
      return Object.keys(schema.properties).length === 0
        ? { kind: 'map', of: { kind: 'unknown' } }
        : this.#named(schema, path);
    }
    if (schema.anyOf !== undefined) return this.#union(schema, schema.anyOf, path);
    if (schema.const !== undefined) return { kind: 'values', values: [schema.const] };
    if (schema.enum !== undefined) return { kind: 'values', values: schema.enum };
    const [entry] = Object.values(schema.patternProperties ?? {});
    if (entry !== undefined) return { kind: 'map', of: this.typeOf(entry, one(path)) };
    switch (schema.type) {
      case 'array':
        return { kind: 'list', of: this.typeOf(schema.items ?? {}, one(path)) };
      case 'string':
        return { kind: 'text' };
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: schema.type };
      case 'object':
        return { kind: 'map', of: { kind: 'unknown' } };
      case undefined:
        return { kind: 'unknown' };
      default:
        throw new Error(`no kit knows the type ${schema.type} of ${path}`);
    }
  }

  /** The fields of an object; `sent`: as a client has to give them, so those with a default may be left out. */
  fieldsOf(schema: Schema, path: string, { sent = false, asksFor = [] as readonly string[] } = {}): FieldModel[] {
    return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
      name,
      type: this.typeOf(field, path + pascal(name)),
      required:
        asksFor.includes(name) || (schema.required?.includes(name) === true && !(sent && field.default !== undefined)),
      note: noteOf(field),
    }));
  }

  /** The type of a list's items, for the object called `name`. */
  itemOf(name: string, field: string): TypeModel {
    const type = this.#types.get(name)?.fields?.find((each) => each.name === field)?.type;
    if (type?.kind !== 'list') throw new Error(`${name} has no list called ${field}`);
    return type.of;
  }

  /** Keeps an object of these fields by its name. */
  addObject(name: string, about: string | null, fields: readonly FieldModel[], shape = JSON.stringify(fields)): void {
    this.#keep({ name, home: this.home, about, fields, alias: null, shape });
  }

  #named(schema: Schema, path: string): TypeModel {
    const name = nameOf(schema, path);
    const shape = shapeOf(schema);
    if (this.#types.get(name)?.shape !== shape) {
      this.addObject(name, schema.description ?? null, this.fieldsOf(schema, name), shape);
    }
    return { kind: 'named', name };
  }

  #union(schema: Schema, options: readonly Schema[], path: string): TypeModel {
    // A field that may be null is no type of its own.
    const something = options.filter((option) => option.type !== 'null');
    if (something.length === 1) {
      return { kind: 'union', options: [this.typeOf(something[0]!, path), { kind: 'null' }] };
    }
    const objects = options.filter((option) => option.properties !== undefined);
    const name = nameOf(schema, path);
    const unnamed = objects.filter((option) => nameOf(option, '') === '');
    const labelled = labels(unnamed);
    const models = options.map((option) => this.typeOf(option, name + (labelled[unnamed.indexOf(option)] ?? '')));
    if (objects.length === 0) return { kind: 'union', options: models };
    const alias: TypeModel = { kind: 'union', options: models };
    this.#keep({
      name,
      home: this.home,
      about: schema.description ?? null,
      fields: null,
      alias,
      shape: shapeOf(schema),
    });
    return { kind: 'named', name };
  }

  #keep(type: NamedType & { shape: string }): void {
    const known = this.#types.get(type.name);
    if (known !== undefined && known.shape !== type.shape) throw new Error(`two types would be called ${type.name}`);
    if (known === undefined) this.#types.set(type.name, type);
  }
}

/** The label of a union's objects: the first field with another fixed value in each of them. */
function labels(objects: readonly Schema[]): string[] {
  if (objects.length === 0) return [];
  for (const field of Object.keys(objects[0]?.properties ?? {})) {
    const values = objects.map(({ properties }) => fixedValues(properties?.[field]));
    if (values.some((value) => value === null)) continue;
    const texts = values.map((value) => value!.map((each) => labelOf(field, each)).join('Or'));
    if (new Set(texts).size === objects.length) return texts;
  }
  throw new Error(`the objects of a union are alike: ${JSON.stringify(objects).slice(0, 200)}`);
}

const labelOf = (field: string, value: unknown): string =>
  typeof value === 'boolean' ? `${value ? '' : 'Not'}${pascal(field)}` : pascal(String(value));

const fixedValues = (schema: Schema | undefined): readonly unknown[] | null =>
  schema?.const !== undefined ? [schema.const] : (schema?.enum ?? null);

function nameOf(schema: Schema, path: string): string {
  if (schema.title !== undefined) return TITLES[schema.title] ?? schema.title;
  return knownNames.get(shapeOf(schema)) ?? path;
}

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The name of one of many: Entries → Entry, Winners → Winner, Series → SeriesItem. */
const one = (name: string): string =>
  name.endsWith('ies') && !name.endsWith('Series')
    ? `${name.slice(0, -3)}y`
    : /[^e]s$|[^i]es$/.test(name)
      ? name.slice(0, -1)
      : `${name}Item`;

function noteOf(schema: Schema): string | null {
  // For a nullable field, its schema without null.
  const [inner = schema] = schema.anyOf?.length === 2 ? schema.anyOf.filter(({ type }) => type !== 'null') : [schema];
  const notes = [
    schema.description ?? inner.description,
    range(inner.minLength, inner.maxLength, 'characters'),
    range(inner.minItems, inner.maxItems, 'items'),
    range(inner.minimum, inner.maximum),
    inner.exclusiveMinimum === undefined ? undefined : `above ${inner.exclusiveMinimum}`,
    inner.format,
    inner.pattern === undefined ? undefined : `as ${inner.pattern}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? null : notes.join('; ');
}

function range(least: number | undefined, most: number | undefined, of = ''): string | undefined {
  const bound = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const unit = of === '' ? '' : ` ${of}`;
  if (least !== undefined && bound !== undefined)
    return least === bound ? `${least}${unit}` : `${least} to ${bound}${unit}`;
  if (bound !== undefined) return `at most ${bound}${unit}`;
  if (least === undefined || least === 0) return undefined;
  return least === 1 && of !== '' ? 'not empty' : `at least ${least}${unit}`;
}
