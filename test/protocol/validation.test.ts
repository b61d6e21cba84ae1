/** Rules for every body, query and message that clients send, for any change of the protocol. */
import t from 'tap';
import type { TSchema } from 'typebox';
import { FrameFault, readFrame } from '../../src/gateway/client-frames.js';
import { ClientMessages } from '../../src/protocol/client.js';
import { exampleOf } from '../../src/protocol/example.js';
import { openapi } from '../../src/protocol/openapi.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { bodyReader, queryReader } from '../../src/protocol/validation.js';

interface Node {
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Node[];
  properties?: Readonly<Record<string, Node & { default?: unknown }>>;
  required?: readonly string[];
  items?: Node;
}

type Path = readonly (string | number)[];

/** Places where one of a few words must stand, and which. */
function choices(node: Node, path: Path = []): { path: Path; words: readonly unknown[] }[] {
  const literals = (node.anyOf ?? []).flatMap((option) => ('const' in option ? [option.const] : []));
  const own = node.enum ?? literals;
  return [
    ...(own.length === 0 ? [] : [{ path, words: own }]),
    ...(node.anyOf ?? []).flatMap((option) => choices(option, path)),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) => choices(property, [...path, name])),
    ...(node.items === undefined ? [] : choices(node.items, [...path, 0])),
  ];
}

/** The same value with another one at the place. */
function changed(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to;
  // Of two forms an example shows one: the place of the other is made.
  if (typeof first === 'number') return [changed(Array.isArray(value) ? value[0] : undefined, rest, to)];
  const whole = typeof value === 'object' ? (value as Record<string, unknown>) : {};
  return { ...whole, [first]: changed(whole[first], rest, to) };
}

const quoted = (word: unknown) => `'${String(word)}'`;
const WRONG = 'no_such_word';

/** The answer of an endpoint or the socket to a wrong word; '' if it accepts the word. */
function told(read: () => unknown): string {
  try {
    const value = read();
    return value instanceof FrameFault ? value.message : '';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.message;
  }
}

void t.test('whoever writes a wrong word is told all that may stand there', (t) => {
  let places = 0;
  const check = (what: string, words: readonly unknown[], says: string) => {
    places++;
    for (const word of words) t.ok(says.includes(quoted(word)), `${what}: ${quoted(word)} in ${says}`);
  };
  for (const [type, schema] of Object.entries(ClientMessages)) {
    const example = { ...(exampleOf(schema) as object), type };
    for (const { path, words } of choices(schema as Node)) {
      const frame = JSON.stringify(changed(example, path, WRONG));
      check(
        `${type} ${path.join('.')}`,
        words,
        told(() => readFrame(frame)),
      );
    }
  }
  for (const { id, body, query } of restSpecs) {
    for (const { path, words } of choices((body ?? {}) as Node)) {
      const text = JSON.stringify(changed(exampleOf(body!), path, WRONG));
      check(
        `${id} ${path.join('.')}`,
        words,
        told(() => bodyReader(body)(text)),
      );
    }
    for (const { path, words } of choices((query ?? {}) as Node)) {
      check(
        `${id}?${String(path[0])}`,
        words,
        told(() => queryReader(query)(`${String(path[0])}=${WRONG}`)),
      );
    }
  }
  t.ok(places >= 10, `${places} places`);
  t.end();
});

void t.test('no body is a body of defaults wherever all fields may be left out, and the document says so', (t) => {
  const document = openapi(restSpecs) as {
    paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>;
  };
  let optional = 0;
  for (const { id, method, path, body } of restSpecs) {
    if (body === undefined) continue;
    const { properties = {}, required = [] } = body as Node;
    const needed = required.filter((name) => properties[name]?.default === undefined);
    const says = told(() => bodyReader(body as TSchema)(''));
    t.equal(says === '', needed.length === 0, `${id}: ${says}`);
    if (needed.length > 0) t.equal(says, 'body: Field required', id);
    else optional++;
    t.equal(document.paths[path]![method.toLowerCase()]!.requestBody?.required, needed.length > 0, id);
  }
  t.ok(optional >= 3, `${optional} bodies`);
  t.end();
});
