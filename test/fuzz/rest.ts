import { Agent, request as httpRequest } from 'node:http';
import { statusesOf, type RouteSpec } from '../../src/protocol/route.js';
import type { Recorder } from '../support/recorder.js';
import type { Target } from './raw-socket.js';
import { BODY_LIMIT, hostileRequest, Live, type HostileRequest } from './requests.js';
import type { Tally } from './tally.js';
import { PATIENCE_MS } from '../support/limits.js';

export interface RestCampaign {
  target: Target;
  seed: number;
  tally: Tally;
  recorder: Recorder;
  specs: readonly RouteSpec[];
  /** Keys of agents that may lose them: a request may ask for a new one. */
  keys: string[];
  /** Ids of a table and a season that are there. */
  live(): { table: string; season: string };
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

const CONCURRENT = 8;
/** HTTP servers differ in their limit of a request's head; all take this much. */
const HEAD_LIMIT = 3500;
/** How HTTP itself refuses a request that is too large, without a body of ours. */
const TOO_LARGE: ReadonlySet<number> = new Set([400, 413, 414, 431]);

/** The same in our words. */
const HEAD_TOO_LARGE = JSON.stringify({ detail: 'Request header fields too large' });

/** Sends so many hostile requests and judges each answer. */
export async function assaultRest(campaign: RestCampaign, count: number, onStep: () => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  let next = 0;
  const worker = async () => {
    while (next < count && !campaign.tally.hopeless) {
      const n = next++;
      // Every operation in its turn.
      const spec = campaign.specs[n % campaign.specs.length]!;
      const planned = hostileRequest([spec], campaign.seed, n);
      const { table, season } = campaign.live();
      const path = planned.path.replaceAll(Live.table, table).replaceAll(Live.season, season);
      const request = { ...planned, path };
      const slot = request.agent === null ? null : request.agent % campaign.keys.length;
      const answer = await send(campaign.target, request, slot === null ? null : campaign.keys[slot]!, agent);
      judge(campaign, request, answer, n);
      const fresh = answer === null ? undefined : newKey(answer);
      if (slot !== null && fresh !== undefined) campaign.keys[slot] = fresh;
      onStep();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  agent.destroy();
}

function newKey({ status, text }: Answer): string | undefined {
  if (status !== 200 || !text.startsWith('{"api_key"')) return undefined;
  return (JSON.parse(text) as { api_key: string }).api_key;
}

/** Null: the connection ended without an answer. */
function send(
  { host, port }: Target,
  request: HostileRequest,
  key: string | null,
  agent: Agent,
): Promise<Answer | null> {
  const { method, path, headers, body } = request;
  const lines = [
    ...headers.map(([name, value]) => [name, value]),
    ...(key === null ? [] : [['authorization', `Bearer ${key}`]]),
    ...(body === null ? [] : [['content-length', String(body.length)]]),
  ];
  return new Promise((resolve) => {
    const sent = httpRequest({ host, port, method, path, agent, headers: lines as never, timeout: PATIENCE_MS });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
      );
      response.on('error', () => resolve(null));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(null));
    sent.end(body ?? undefined);
  });
}

function judge(campaign: RestCampaign, request: HostileRequest, answer: Answer | null, n: number): void {
  const { tally, specs, recorder, seed } = campaign;
  const found = (what: string) => {
    const body = request.body === null ? 'no body' : JSON.stringify(request.body.toString('latin1').slice(0, 300));
    const head = `${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(request.headers).slice(0, 400)}`;
    tally.found(`seed ${seed}, request ${n}: ${what}\n    ${head}\n    ${body}`);
  };
  const place = placeOf(specs, request);
  tally.count(answer === null ? 'drop' : String(answer.status), place.name);
  const large = isLarge(request);
  if (answer === null) {
    if (!large) found('the connection ended without an answer');
    return;
  }
  const { status, type, text } = answer;
  if (large && TOO_LARGE.has(status) && !type.includes('json')) return;
  // Before any operation is known, so no operation lists it.
  if (large && status === 431 && text === HEAD_TOO_LARGE) return;
  if (place.page && status < 400) return;
  if (request.method === 'HEAD') {
    const fits = text === '' && (place.spec === null ? [404, 405] : statusesOf(place.spec)).includes(status);
    if (!fits) found(`HEAD answered ${status} with ${text.length} bytes`);
    return;
  }
  try {
    if (isFile(place.spec, status, type)) return recorder.file(place.spec!, status, type);
    if (!type.startsWith('application/json')) throw new Error(`answered ${status} as '${type}': ${text.slice(0, 300)}`);
    if (place.spec === null && status !== place.status) throw new Error(`${place.name} answered ${status}`);
    recorder.answer(place.spec, status, JSON.parse(text));
  } catch (error) {
    found((error as Error).message);
  }
}

/** JSON is looked into even where it is a file. */
function isFile(spec: RouteSpec | null, status: number, type: string): boolean {
  return spec?.files?.[status] !== undefined && !type.startsWith('application/json');
}

function isLarge({ path, headers, body }: HostileRequest): boolean {
  const head = path.length + headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return head > HEAD_LIMIT || (body?.length ?? 0) > BODY_LIMIT;
}

interface Place {
  /** The operation, or why there is none. */
  name: string;
  spec: RouteSpec | null;
  /** Where there is no operation: what that is answered with. */
  status: number;
  page: boolean;
}

/** For people. */
const PAGES: ReadonlySet<string> = new Set(['', 'docs']);

/** The operation that a request reaches by its documentation: literal segments before parameters. */
function placeOf(specs: readonly RouteSpec[], { method, path }: HostileRequest): Place {
  const segments = segmentsOf(path.split('?')[0]!);
  const nowhere = { name: 'no such path', spec: null, status: 404, page: false };
  if (segments === null) return nowhere;
  const pages = PAGES.has(segments.join('/'));
  const here = specs.filter((spec) => matches(spec, segments));
  const literal = here.filter((spec) => !spec.path.includes('{'));
  const asked = method === 'HEAD' ? 'GET' : method;
  const reading = asked === 'GET' && pages;
  const resource = literal.length > 0 ? literal : here;
  const spec = resource.find((candidate) => candidate.method === asked);
  if (spec !== undefined) return { name: spec.id, spec, status: 200, page: false };
  if (resource.length > 0 || pages) return { name: 'no such method', spec: null, status: 405, page: reading };
  return nowhere;
}

function segmentsOf(path: string): string[] | null {
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent);
    if (segments.length > 1 && segments.at(-1) === '') segments.pop();
    return path.startsWith('/') && !segments.some((segment) => segment.includes('\0')) ? segments : null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function matches(spec: RouteSpec, segments: readonly string[]): boolean {
  const wanted = spec.path.slice(1).split('/');
  if (wanted.length !== segments.length) return false;
  return wanted.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]));
}
