import type { TSchema } from 'typebox';

/** A value that fits a schema, for those who read the API documents: the same each time. */

interface Node {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  anyOf?: readonly TSchema[];
  properties?: Readonly<Record<string, TSchema>>;
  required?: readonly string[];
  items?: TSchema;
  minItems?: number;
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
}

export function exampleOf(schema: TSchema, name = ''): unknown {
  const node = schema as Node;
  if (node.examples?.[0] !== undefined) return node.examples[0];
  if (node.default !== undefined) return node.default;
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf !== undefined) return exampleOf(node.anyOf[0]!, name);
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([key, property]) => [key, exampleOf(property, key)]),
      );
    case 'array':
      return node.items === undefined
        ? []
        : Array.from({ length: Math.max(1, node.minItems ?? 0) }, () => exampleOf(node.items!, name));
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return node.minimum ?? (node.exclusiveMinimum === undefined ? 0 : node.exclusiveMinimum + 1);
    case 'null':
      return null;
    default:
      return text(node, name);
  }
}

const SAMPLES: readonly (readonly [fits: RegExp, value: string])[] = [
  [/_at$|_until$|^at$|^now$|date$|^start|^end|^from$|^to$|^ts$/, '2026-11-21T12:00:00.000000+00:00'],
  [/email/, 'ada@example.com'],
  [/wallet|address/, '0x52908400098527886E0F7030069857D2E4169EE7'],
  [/tx_hash/, `0x${'0'.repeat(63)}1`],
  [/url/, 'https://example.com/ada.png'],
  [/key/, `ap_${'A'.repeat(43)}`],
  [/_id$/, '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11'],
  [/name/, 'ada'],
];

/** By what the schema says of the text, else by the name of its field. */
function text(node: Node, name: string): string {
  if (node.format === 'uuid') return '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
  if (node.format === 'email') return 'ada@example.com';
  if (node.pattern?.includes('sha256:')) return `sha256:${'0'.repeat(64)}`;
  if (node.pattern?.includes('cdhs')) return 'As';
  if (node.pattern?.includes('{40}')) return '0x52908400098527886E0F7030069857D2E4169EE7';
  if (node.pattern?.includes('{64}')) return `0x${'0'.repeat(63)}1`;
  const sample = SAMPLES.find(([fits]) => fits.test(name))?.[1] ?? 'text';
  return sample.padEnd(node.minLength ?? 0, 'x');
}
