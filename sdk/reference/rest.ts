import { Components } from '../../src/protocol/components.js';
import { GENERAL_NOTES, TAG_NOTES } from '../../src/protocol/rest/notes/index.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { openapi } from '../../src/protocol/openapi.js';
import { limitOf, statusesOf, type RouteSpec } from '../../src/protocol/route.js';
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
    ...specs.filter((spec) => spec.tag === tag).map((spec) => endpoint(spec, components)),
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

${linked(GENERAL_NOTES)}`;

function endpoint(spec: RouteSpec, components: Components): string {
  const about = linked(sentences(spec.summary, spec.description));
  const limit = limitOf(spec);
  const rate =
    limit === null
      ? 'not limited'
      : `${limit.max} ${limit.windowMs === 60_000 ? 'a minute' : `in ${limit.windowMs / 1000} s`} per ${limit.per === 'ip' ? 'address' : 'agent'}`;
  const lines = [
    `- ${KEYS[spec.auth]}; ${rate}.`,
    ...pathFields(spec),
    ...Object.entries(spec.headers ?? {}).map(
      ([name, meaning]) =>
        `- Header ${code(name)}${spec.requiredHeaders?.includes(name) === true ? '' : '?'}: ${meaning}`,
    ),
    ...(spec.body === undefined ? [] : [`- Body: ${typeText(components.place(spec.body) as Json)}.`]),
    ...Object.entries(spec.answers).map(([status, schema]) => {
      const types = spec.files?.[Number(status)];
      return `- ${status}: ${types === undefined ? typeText(components.place(schema) as Json) : types.map(code).join(', ')}.`;
    }),
    ...refusals(spec),
  ];
  const query = spec.query === undefined ? '' : fieldTable(json(spec.query), { sent: true });
  const parts = [`### ${code(`${spec.method} ${spec.path}`)}`, about, lines.join('\n'), query];
  return parts.filter((text) => text !== '').join('\n\n');
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
  return statusesOf(spec)
    .filter((status) => spec.answers[status] === undefined)
    .flatMap((status) => {
      const texts = [...(spec.errors?.[status] ?? []), ...(status === 400 ? Object.values(spec.refusals ?? {}) : [])];
      if (texts.length === 0 && EVERYWHERE.includes(status)) return [];
      if (texts.length === 0 && (status === 403 || status === 400)) return [];
      return [`- ${status}: ${texts.map((text) => code(text.replaceAll('`', "'"))).join(', ')}.`];
    });
}
