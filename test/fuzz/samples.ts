import type { TSchema } from 'typebox';
import type { Dice } from '../sim/dice.js';

/** Values that fit a schema, as JSON text: what a hostile body starts from. */

type Node = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  minLength?: number;
};

export type Fields = [name: string, value: string][];

/** The fields of an object schema, each with a sample; none for any other schema. */
export function sampleFields(dice: Dice, schema: TSchema): Fields {
  const { properties = {} } = schema as Node;
  return Object.entries(properties).map(([name, property]) => [name, sample(dice, name, property)]);
}

function sample(dice: Dice, name: string, schema: TSchema): string {
  const node = schema as Node;
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return JSON.stringify(dice.pick(node.enum));
  if (node.anyOf !== undefined) return sample(dice, name, dice.pick(node.anyOf));
  switch (node.type) {
    case 'boolean':
      return name === 'terms_accepted' ? 'true' : dice.pick(['true', 'false']);
    case 'integer':
    case 'number':
      return String(node.minimum ?? dice.int(0, 100));
    case 'array':
      return node.items === undefined ? '[]' : `[${sample(dice, name, node.items)}]`;
    case 'object':
      return `{${sampleFields(dice, schema).map(([key, value]) => `"${key}":${value}`).join(',')}}`; // prettier-ignore
    case 'null':
      return 'null';
    default:
      return JSON.stringify(sampleText(dice, name, node));
  }
}

/** The name of a field tells what its text is, where the schema has nothing but a pattern. */
function sampleText(dice: Dice, name: string, { format, pattern = '' }: Node): string {
  const word = `f${dice.int(0, 999_999_999)}`;
  if (format === 'email') return `${word}@example.com`;
  if (format === 'uuid') return '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
  if (name.includes('wallet') || pattern.includes('{40}'))
    return `0x${'0'.repeat(31)}${word.slice(1).padStart(9, '0')}`;
  if (pattern.includes('{64}')) return `0x${'0'.repeat(64)}`;
  if (pattern.includes('http')) return `https://example.com/${word}.png`;
  return word;
}
