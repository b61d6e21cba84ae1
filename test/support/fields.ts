import type { TSchema } from 'typebox';

/**
 * The fields of a schema, as a tree with all alternatives merged. Seen fields are ticked. As text a field is a path
 * such as `blinds.small_blind`, `seats[].bet`, `final_stacks{}`, with `=null` at the end for null.
 */
export class Fields {
  readonly #members = new Map<string, Fields>();
  /** Items of an array, values of a map with free keys. */
  #items: Fields | null = null;
  #values: Fields | null = null;
  readonly #allowed: Marks = { value: false, null: false };
  readonly #seen: Marks = { value: false, null: false };

  constructor(schema: TSchema) {
    this.#add(schema);
  }

  #add(schema: TSchema): void {
    const node = schema as Node;
    if (node.anyOf !== undefined) {
      for (const alternative of node.anyOf) this.#add(alternative);
      return;
    }
    this.#allowed[node.type === 'null' ? 'null' : 'value'] = true;
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      this.#members.set(name, Fields.#merge(this.#members.get(name) ?? null, property));
    }
    for (const value of Object.values(node.patternProperties ?? {})) this.#values = Fields.#merge(this.#values, value);
    if (node.items !== undefined) this.#items = Fields.#merge(this.#items, node.items);
  }

  static #merge(fields: Fields | null, schema: TSchema): Fields {
    if (fields === null) return new Fields(schema);
    fields.#add(schema);
    return fields;
  }

  /** Ticks the fields of a value that fits the schema; keys outside of the schema are ignored. */
  see(value: unknown): void {
    this.#seen[value === null ? 'null' : 'value'] = true;
    if (Array.isArray(value)) for (const item of value) this.#items?.see(item);
    else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        const field = this.#members.get(key) ?? this.#values;
        field?.see((value as Record<string, unknown>)[key]);
      }
    }
  }

  /** All fields that should be seen. A field that can be more than null needs a value. */
  all(): string[] {
    return this.#list((fields) => ({ value: fields.#allowed.value, null: !fields.#allowed.value }));
  }

  seen(): string[] {
    return this.#list((fields) => fields.#seen);
  }

  #list(marksOf: (fields: Fields) => Marks, path = ''): string[] {
    const marks = marksOf(this);
    const own = path === '' ? [] : [...(marks.value ? [path] : []), ...(marks.null ? [`${path}=null`] : [])];
    return own.concat(this.#children(path).flatMap(([below, fields]) => fields.#list(marksOf, below)));
  }

  #children(path: string): [path: string, fields: Fields][] {
    const dot = path === '' ? '' : `${path}.`;
    const children = [...this.#members].map(([name, member]): [string, Fields] => [dot + name, member]);
    if (this.#items !== null) children.push([`${path}[]`, this.#items]);
    if (this.#values !== null) children.push([`${path}{}`, this.#values]);
    return children;
  }
}

interface Marks {
  value: boolean;
  null: boolean;
}

/** The keywords our schemas are made of. */
interface Node {
  anyOf?: TSchema[];
  type?: string;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  items?: TSchema;
}
