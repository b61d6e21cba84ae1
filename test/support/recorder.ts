import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { CLOSE_REASONS } from '../../src/protocol/codes.js';
import { errorSchema } from '../../src/protocol/rest/errors.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { statusesOf, type RouteSpec } from '../../src/protocol/route.js';
import { ServerMessages, type ServerMessage, type ServerMessageType } from '../../src/protocol/server.js';
import { Fields } from './fields.js';

/**
 * The suite's recorder. It checks every frame and REST answer of a test against its schema, and notes it. `coverage.ts`
 * then lists what no test has seen.
 */
export class Recorder {
  readonly #noted = new Set<string>();
  readonly #validators = new Map<TSchema, Validator>();
  readonly #fields = new Map<string, Fields>();

  /** The seen items, in the terms of `mustSee` in coverage.ts. */
  get seen(): Set<string> {
    const fields = [...this.#fields].flatMap(([prefix, tree]) => tree.seen().map((field) => `${prefix} ${field}`));
    return new Set([...this.#noted, ...fields]);
  }

  /** Checks and notes a text frame from the server, and returns it parsed. Throws when it does not fit its schema. */
  frame(text: string): ServerMessage {
    const message = this.#checkMessage(JSON.parse(text));
    const { type } = message;
    this.#noted.add(`message ${type}`);
    if (type === 'error') this.#noted.add(`error ${message.code}`);
    if (type === 'action_rejected') this.#noted.add(`rejected ${message.code}`);
    if (type === 'resync_response')
      for (const event of message.replayed_events) this.#noted.add(`replayed ${event.type}`);
    this.#see(`field ${type}`, ServerMessages[type], message);
    return message;
  }

  /** Checks and notes a REST answer. `spec` is null if no route matched the request. Then only errors fit. */
  answer(spec: RouteSpec | null, status: number, body: unknown): void {
    const id = spec?.id ?? 'unmatched';
    if (spec !== null && !statusesOf(spec).includes(status)) {
      throw new Error(`${id} answered the undocumented status ${status}: ${excerpt(body)}`);
    }
    const schema = spec?.answers[status] ?? errorSchema(status);
    this.#check(`${id} ${status}`, schema, body);
    this.#noted.add(status === 413 ? 'answer any 413' : `answer ${id} ${status}`);
    if (status < 400) this.#see(`answer ${id} ${status} field`, schema, body);
  }

  /** Checks and notes an answer with a file of this content type. */
  file(spec: RouteSpec, status: number, contentType: string): void {
    const type = contentType.split(';')[0]!;
    if (spec.files?.[status]?.includes(type) !== true) throw new Error(`${spec.id} ${status} answered a ${type}`);
    this.#noted.add(`answer ${spec.id} ${status}`).add(`answer ${spec.id} ${status} as ${type}`);
  }

  /** Notes a socket's close code. Codes that the peer or its library makes up do not count. */
  close(code: number): void {
    if (code in CLOSE_REASONS) this.#noted.add(`close ${code}`);
    else if (![1000, 1001, 1005, 1006].includes(code)) throw new Error(`closed with the unknown code ${code}`);
  }

  #checkMessage(value: unknown): ServerMessage {
    const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
    if (!isServerType(type)) throw new Error(`a frame of unknown type: ${excerpt(value)}`);
    // The value is not checked yet, so every part is read with care. After the check it has its type.
    const message = value as ServerMessage;
    if (message.type === 'resync_response' && Array.isArray(message.replayed_events)) {
      // Each event first: the union's error would hide the fault of one event.
      for (const event of message.replayed_events) this.#checkMessage(event);
    }
    this.#check(type, ServerMessages[type], message);
    if (message.type === 'action_rejected' && message.details.code !== message.code) {
      throw new Error(`action_rejected names two codes: ${excerpt(message)}`);
    }
    return message;
  }

  #check(what: string, schema: TSchema, value: unknown): void {
    const validator = this.#validators.get(schema) ?? Compile(schema);
    this.#validators.set(schema, validator);
    if (validator.Check(value)) return;
    throw new Error(`${what} does not fit its schema:\n${mismatches(schema, value).join('\n')}\n${excerpt(value)}`);
  }

  #see(prefix: string, schema: TSchema, value: unknown): void {
    let fields = this.#fields.get(prefix);
    if (fields === undefined) this.#fields.set(prefix, (fields = new Fields(schema)));
    fields.see(value);
  }
}

/** The mismatches to the alternative that comes nearest. */
function mismatches(schema: TSchema, value: unknown): string[] {
  const alternatives = 'anyOf' in schema ? (schema.anyOf as TSchema[]) : [schema];
  const told = alternatives.map((alternative) =>
    Compile(alternative)
      .Errors(value)
      .filter((error) => error.keyword !== 'boolean' && error.keyword !== 'anyOf')
      .map(({ instancePath, message, params }) => `  ${instancePath || '/'} ${message} ${JSON.stringify(params)}`),
  );
  return told.sort((a, b) => a.length - b.length)[0]!;
}

function excerpt(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
}

const isServerType = (type: string): type is ServerMessageType => Object.hasOwn(ServerMessages, type);

/** The route that answers a request, as the router would choose it: literal segments before parameters. */
export function specFor(method: string, path: string): RouteSpec | null {
  const bare = path.split('?')[0]!;
  const matching = restSpecs.filter((spec) => spec.method === method && pattern(spec).test(bare));
  // As in the router, a name goes before a parameter.
  const parameters = (spec: RouteSpec) => spec.path.split('{').length;
  return matching.sort((a, b) => parameters(a) - parameters(b))[0] ?? null;
}

const pattern = (spec: RouteSpec) => new RegExp(`^${spec.path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The folder for the seen items of one run: SEEN_DIR, or a folder of this checkout. */
export function seenDir(): string {
  const checkout = createHash('sha256').update(process.cwd()).digest('hex').slice(0, 12);
  return process.env.SEEN_DIR ?? join(tmpdir(), `agent-poker-seen-${userInfo().uid}-${checkout}`);
}

/** The one recorder of this process. Its items are written when the process ends. */
const recorder = new Recorder();
process.once('exit', () => {
  const { seen } = recorder;
  if (seen.size === 0) return;
  const dir = seenDir();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${process.pid}-${randomUUID()}.json`), JSON.stringify([...seen].sort()));
});

export const recordFrame = (text: string): ServerMessage => recorder.frame(text);
export const recordClose = (code: number): void => recorder.close(code);

/** `route` is a spec, or method and path of the request. */
export function recordAnswer(route: RouteSpec | { method: string; path: string }, status: number, body: unknown): void {
  recorder.answer('id' in route ? route : specFor(route.method, route.path), status, body);
}

/** Notes a downloaded file with a type that its route documents. */
export function recordFile(method: string, path: string, status: number, contentType: string): void {
  const spec = specFor(method, path);
  if (spec === null) throw new Error(`no route for ${method} ${path}`);
  recorder.file(spec, status, contentType);
}
