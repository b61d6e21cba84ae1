import Type from 'typebox';
import { Components } from '../../src/protocol/components.js';
import { Detail } from '../../src/protocol/rest/errors.js';
import { GENERAL_NOTES, TAG_NOTES } from '../../src/protocol/rest/notes/index.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { openapi } from '../../src/protocol/openapi.js';
import { IDEMPOTENCY_KEY, IF_MATCH, limitOf, statusesOf, type RouteSpec } from '../../src/protocol/route.js';
import { anchorOf, code, linked, page, sentences, table } from './markdown.js';
import { blockOf, fieldTable, json, typeText, type Json } from './schemas.js';

/** docs/reference/rest.md: every endpoint, and every object that they take or answer. */

const KEYS: Readonly<Record<RouteSpec['auth'], string>> = {
  none: 'No key',
  agent: 'API key',
  owner: 'API key or sign-in session',
  optional: 'API key or sign-in session, or none',
  admin: "The platform agent's key",
  operator: 'ADMIN_KEY, or the sign-in session of a platform agent',
};

/** Statuses that any endpoint may answer for the same reason: the page tells them once. */
const EVERYWHERE = [401, 413, 422, 429, 503];

export function restPage(specs: readonly RouteSpec[] = restSpecs): string {
  const components = new Components();
  const tags = [...new Set(specs.map(({ tag }) => tag))];
  const sections = tags.flatMap((tag) => [
    `## ${tag}`,
    ...(TAG_NOTES[tag] === undefined ? [] : [linked(TAG_NOTES[tag])]),
    ...group(
      specs.filter((spec) => spec.tag === tag),
      components,
    ),
  ]);
  const objects = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n${blockOf(schema as Json, { sent: true })}`);
  const list = table(
    ['group', 'endpoints'],
    tags.map((tag) => [`[${tag}](#${anchorOf(tag)})`, String(specs.filter((spec) => spec.tag === tag).length)]),
  );
  const { info } = openapi(specs) as { info: { description: string } };
  return page(
    'REST',
    `${info.description.replaceAll('\n', ' ')} \`GET /api/openapi.json\` is this page for programs. A \`?\` marks a field that may be absent.`,
    [list, COMMON, ...sections, '## Objects', ...objects],
  );
}

const COMMON = `## What holds for all endpoints

${linked(GENERAL_NOTES)}

**Headers**

- \`Idempotency-Key\`: ${IDEMPOTENCY_KEY['Idempotency-Key']} Another request with the key is 409 \`${Detail.keyReused}\`.
- \`If-Match\`: ${IF_MATCH['If-Match']} The text is \`${Detail.staleVersion}\`.

**Pages**

A list has at most \`limit\` items, after the first \`offset\` ones.`;

/** Headers that many endpoints take: the page explains them once, with the refusal that they may lead to. */
const SHARED_HEADERS: Readonly<Record<string, { meaning: string; refusal: string }>> = {
  'Idempotency-Key': { meaning: IDEMPOTENCY_KEY['Idempotency-Key'], refusal: Detail.keyReused },
  'If-Match': { meaning: IF_MATCH['If-Match'], refusal: Detail.staleVersion },
};
const PAGING = ['limit', 'offset'];

/** The endpoints of a group. Access that several of them share stands once, before the first. */
function group(specs: readonly RouteSpec[], components: Components): string[] {
  const counts = new Map<string, number>();
  for (const spec of specs) counts.set(accessOf(spec), (counts.get(accessOf(spec)) ?? 0) + 1);
  const [[usual, times] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  const shared = times >= 3 ? usual : undefined;
  const endpoints = specs.map((spec) => endpoint(spec, components, shared));
  return shared === undefined ? endpoints : [`Access, unless an endpoint names another: ${shared}.`, ...endpoints];
}

/** The key that an endpoint takes, and its limit. */
function accessOf(spec: RouteSpec): string {
  const limit = limitOf(spec);
  const rate =
    limit === null
      ? 'not limited'
      : `${limit.max} ${limit.windowMs === 60_000 ? 'a minute' : `in ${limit.windowMs / 1000} s`} per ${limit.per === 'ip' ? 'address' : 'agent'}`;
  return `${KEYS[spec.auth]}; ${rate}`;
}

function endpoint(spec: RouteSpec, components: Components, usualAccess: string | undefined): string {
  const about = linked(sentences(spec.summary, spec.description));
  const access = accessOf(spec);
  const queried = json(spec.query ?? Type.Object({}));
  const pages = isPaged(queried);
  const query = fieldTable(queried, { sent: true, without: pages ? PAGING : [] });
  const lines = [
    ...(access === usualAccess ? [] : [`- ${access}.`]),
    ...pathFields(spec),
    ...headers(spec),
    ...(pages ? [pagingOf(queried)] : []),
    ...(spec.body === undefined ? [] : [`- Body: ${typeText(components.place(spec.body) as Json)}.`]),
    ...Object.entries(spec.answers).map(([status, schema]) => {
      const types = spec.files?.[Number(status)];
      return `- ${status}: ${types === undefined ? typeText(components.place(schema) as Json) : types.map(code).join(', ')}.`;
    }),
    ...refusals(spec),
  ];
  const parts = [`### ${code(`${spec.method} ${spec.path}`)}`, about, lines.join('\n'), query];
  return parts.filter((text) => text !== '').join('\n\n');
}

function headers(spec: RouteSpec): string[] {
  const named = Object.entries(spec.headers ?? {}).map(([name, meaning]) => ({
    text: `${code(name)}${spec.requiredHeaders?.includes(name) === true ? '' : '?'}`,
    meaning,
    shared: SHARED_HEADERS[name]?.meaning === meaning,
  }));
  const shared = named.filter(({ shared }) => shared).map(({ text }) => text);
  return [
    ...(shared.length === 0 ? [] : [`- Header ${shared.join(', ')}.`]),
    ...named.filter(({ shared }) => !shared).map(({ text, meaning }) => `- Header ${text}: ${meaning}`),
  ];
}

/** Whether a query has the usual fields of a list, without anything else to tell about them. */
function isPaged({ properties = {} }: Json): boolean {
  return PAGING.every((name) => properties[name] !== undefined && properties[name].description === undefined);
}

function pagingOf({ properties = {} }: Json): string {
  const { limit } = properties;
  return `- Pages: \`limit\` ${limit!.minimum}…${limit!.maximum}, by default ${String(limit!.default)}; \`offset\`.`;
}

/** Parameters of the path that have more to tell than their name. */
function pathFields({ params }: RouteSpec): string[] {
  const fields = Object.entries(params === undefined ? {} : (json(params).properties ?? {}));
  return fields
    .filter(([, { description }]) => description !== undefined)
    .map(([name, { description }]) => `- ${code(name)}: ${sentences(description)}`);
}

/**
 * The refusals of an operation, with their texts. A status that means the same everywhere is listed only with texts of
 * its own.
 */
function refusals(spec: RouteSpec): string[] {
  const shared = Object.keys(spec.headers ?? {}).flatMap((name) => SHARED_HEADERS[name]?.refusal ?? []);
  return statusesOf(spec)
    .filter((status) => spec.answers[status] === undefined)
    .flatMap((status) => {
      const texts = [...(spec.errors?.[status] ?? []), ...(status === 400 ? Object.values(spec.refusals ?? {}) : [])];
      if (texts.length === 0 && EVERYWHERE.includes(status)) return [];
      if (texts.length === 0 && (status === 403 || status === 400)) return [];
      const own = texts.filter((text) => !shared.includes(text));
      if (texts.length > 0 && own.length === 0) return [];
      return [`- ${status}: ${own.map((text) => code(text.replaceAll('`', "'"))).join(', ')}.`];
    });
}
