import type { TSchema } from 'typebox';

/**
 * Fields as paths: `blinds.small_blind`, `seats[].bet`, `final_stacks{}`. A path ends in `=null` where the field was
 * null; a field that can be more than null must be seen with a value.
 */

interface Node {
  anyOf?: TSchema[];
  type?: string;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  items?: TSchema;
}

/** Every field a schema can have. */
export function fieldsOfSchema(schema: TSchema): Set<string> {
  const found = new Set<string>();
  collect(schema, '', found);
  for (const path of found) if (path.endsWith('=null') && found.has(path.slice(0, -5))) found.delete(path);
  return found;
}

function collect(schema: TSchema, path: string, found: Set<string>): void {
  const node = schema as Node;
  for (const alternative of node.anyOf ?? []) collect(alternative, path, found);
  if (path !== '' && node.anyOf === undefined) found.add(node.type === 'null' ? `${path}=null` : path);
  for (const [name, property] of Object.entries(node.properties ?? {})) collect(property, join(path, name), found);
  for (const value of Object.values(node.patternProperties ?? {})) collect(value, `${path}{}`, found);
  if (node.items !== undefined) collect(node.items, `${path}[]`, found);
}

/** The fields of a value that fits the schema. Keys that the schema does not name are not told. */
export function fieldsOfValue(schema: TSchema, value: unknown, seen: Set<string>, path = ''): void {
  const node = schema as Node;
  if (node.anyOf !== undefined) {
    for (const alternative of node.anyOf) fieldsOfValue(alternative, value, seen, path);
    return;
  }
  if (path !== '') seen.add(value === null ? `${path}=null` : path);
  if (Array.isArray(value)) {
    if (node.items !== undefined) for (const item of value) fieldsOfValue(node.items, item, seen, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const property = node.properties?.[key];
      if (property !== undefined) fieldsOfValue(property, member, seen, join(path, key));
      else for (const of of Object.values(node.patternProperties ?? {})) fieldsOfValue(of, member, seen, `${path}{}`);
    }
  }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
