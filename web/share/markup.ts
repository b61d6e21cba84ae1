import type { ComponentChildren, VNode } from 'preact';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML does not allow: controls, and halves of a pair. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string) => text.replace(NO_XML, '\ufffd').replace(/[&<>"]/g, (letter) => ENTITIES[letter]!);

/**
 * A tree of JSX as the text of an SVG. Components are called once: they have no hooks. Every text is escaped, and no
 * element comes from data.
 */
export function markup(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map((child) => markup(child as ComponentChildren)).join('');
  if (typeof node !== 'object') return escaped(String(node));
  const { type, props } = node as VNode<{ children?: ComponentChildren }>;
  if (typeof type === 'function') return markup((type as (props: unknown) => ComponentChildren)(props));
  const { children, ...rest } = props;
  const inner = markup(children);
  const attributes = Object.entries(rest).map(([name, value]) => attribute(name, value));
  return inner === '' ? `<${type}${attributes.join('')}/>` : `<${type}${attributes.join('')}>${inner}</${type}>`;
}

function attribute(name: string, value: unknown): string {
  if (value === null || value === undefined || value === false || name === 'key' || name === 'ref') return '';
  if (name === 'style') return place(value as Readonly<Record<string, string>>);
  return ` ${name}="${escaped(String(value))}"`;
}

/** Of styles a still picture needs the place alone. An attribute of SVG says it to every program. */
function place({ transform }: Readonly<Record<string, string>>): string {
  return transform === undefined ? '' : ` transform="${escaped(transform.replaceAll('px', ''))}"`;
}
