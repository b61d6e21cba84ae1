import { limitOf, statusesOf, type RateLimit, type RouteSpec } from '../../src/protocol/route.js';
import { pascal, plain, type FieldModel, type Schema, type TypeModel, type TypeRegistry } from './types.js';

export interface HeaderModel {
  /** As it is sent, such as 'If-Match'. */
  name: string;
  about: string;
  required: boolean;
}

/** How a list goes on: by the cursor that each page names for the next, or by a rising offset. */
export interface PagesModel {
  by: 'cursor' | 'offset';
  /** The field of the answer that holds the items; null where the answer is the list itself. */
  items: string | null;
  item: TypeModel;
  /** The most that a page may hold. */
  limit: number;
}

export interface OperationModel {
  /** The operationId. */
  id: string;
  method: RouteSpec['method'];
  /** With parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description: string | null;
  /** `none`: no key is sent. `owner`: the API key, or a sign-in session's cookie. `admin`: the platform agent's key. */
  auth: RouteSpec['auth'];
  /** The caller's arguments, by their place. No name is in two of them: callers give them side by side. */
  params: readonly FieldModel[];
  query: readonly FieldModel[];
  body: readonly FieldModel[];
  headers: readonly HeaderModel[];
  /** The named type that has params, query and body; null where there is nothing to give. */
  input: string | null;
  /** Every success: its status, and what its JSON is. */
  answers: readonly { status: number; type: TypeModel }[];
  /** Content types where the answer is a file, which is streamed; else null. */
  files: readonly string[] | null;
  /** Every status it may answer with, ascending. */
  statuses: readonly number[];
  /** Null: not limited. */
  limit: RateLimit | null;
  /** Whether asking twice does what asking once does: always, where the caller sends an Idempotency-Key, or never. */
  repeatable: 'always' | 'with_key' | 'never';
  pages: PagesModel | null;
}

export function operationModel(spec: RouteSpec, registry: TypeRegistry): OperationModel {
  registry.home = 'rest';
  const path = pascal(spec.id);
  const sent = (schema: RouteSpec['body'], asksFor: readonly string[] = []) =>
    schema === undefined ? [] : registry.fieldsOf(plain(schema), path, { sent: true, asksFor });
  const params = sent(spec.params).map((field) => ({ ...field, required: true }));
  const query = sent(spec.query);
  const body = sent(spec.body, spec.asksFor);
  const given = [...params, ...query, ...body];
  if (new Set(given.map(({ name }) => name)).size < given.length) throw new Error(`${spec.id} takes one name twice`);
  const input = given.length === 0 ? null : `${path}Input`;
  if (input !== null) registry.addObject(input, `The input of ${spec.id}.`, given);
  const answers = Object.entries(spec.answers).map(([status, schema]) => ({
    status: Number(status),
    type: registry.typeOf(plain(schema), `${path}Answer`),
  }));
  return {
    id: spec.id,
    method: spec.method,
    path: spec.path,
    tag: spec.tag,
    auth: spec.auth,
    summary: spec.summary,
    description: spec.description ?? null,
    params,
    query,
    body,
    input,
    answers,
    headers: Object.entries(spec.headers ?? {}).map(([name, about]) => ({
      name,
      about,
      required: spec.requiredHeaders?.includes(name) === true,
    })),
    files: Object.values(spec.files ?? {})[0] ?? null,
    statuses: statusesOf(spec),
    limit: limitOf(spec),
    repeatable: repeatable(spec),
    pages: spec.files === undefined ? pagesOf(spec, answers[0]!.type, registry) : null,
  };
}

function repeatable({ method, headers }: RouteSpec): OperationModel['repeatable'] {
  if (method === 'GET' || method === 'PUT') return 'always';
  return headers !== undefined && 'Idempotency-Key' in headers ? 'with_key' : 'never';
}

/** A list with a limit and a cursor or an offset, and one list in its answer. */
function pagesOf(spec: RouteSpec, type: TypeModel, registry: TypeRegistry): PagesModel | null {
  const { limit, cursor, offset } = plain(spec.query ?? {}).properties ?? {};
  const [success] = Object.values(spec.answers);
  if (limit?.maximum === undefined || (cursor ?? offset) === undefined || success === undefined) return null;
  const by = cursor === undefined ? 'offset' : 'cursor';
  if (type.kind === 'list') return { by, items: null, item: type.of, limit: limit.maximum };
  const items = listOf(plain(success), spec.id);
  if (items === null || type.kind !== 'named') return null;
  return { by, items, item: registry.itemOf(type.name, items), limit: limit.maximum };
}

/** The one field that is a list; null where there are no pages of it, as on the page of a competition. */
function listOf({ properties = {} }: Schema, id: string): string | null {
  if (!('offset' in properties) && !('next_cursor' in properties)) return null;
  const lists = Object.keys(properties).filter((name) => properties[name]!.type === 'array');
  if (lists.length !== 1) throw new Error(`${id} has ${lists.length} lists to go through`);
  return lists[0]!;
}
