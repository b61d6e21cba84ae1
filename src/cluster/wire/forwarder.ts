import { assert } from '../../ops/assert.js';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { discard, Exchange, isStream, noHeaders, type RequestHead } from '../../gateway/exchange.js';
import type { Answerer } from '../../gateway/ports.js';
import type { HttpAnswer, HttpRequest } from '../../gateway/transport.js';
import type { RequestAgent } from '../../protocol/route.js';
import { framed, FramingError, readFrameHead, unframed } from './framing.js';
import type { NodeCall } from './internal-port.js';
import { NodeAway, type Peers } from './peers.js';

export const FORWARD_PATH = '/forward';

/** As long as a route of the public API may take, in ms. */
const FORWARD_MS = 30_000;

const Headers = Type.Record(Type.String(), Type.String());
const Head = Type.Object({
  method: Type.String(),
  path: Type.String(),
  query: Type.String(),
  /** The client's address. */
  ip: Type.String(),
  headers: Headers,
  /** The agent that the other node has authenticated. No key and no cookie crosses. */
  agent: Type.Union([
    Type.Null(),
    Type.Object({
      agentId: Type.String(),
      name: Type.String(),
      isAdmin: Type.Boolean(),
      bySession: Type.Optional(Type.Boolean()),
    }),
  ]),
  /** False: the body was larger than the limit and was not kept. */
  hasBody: Type.Boolean(),
});
const AnswerHead = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  headers: Headers,
  /** stream: the client gets the body piece by piece. */
  body: Type.Union([Type.Literal('none'), Type.Literal('whole'), Type.Literal('stream')]),
});
const head = Compile(Head);
const answerHead = Compile(AnswerHead);

/** A request that came to another node. */
export class ForwardedRequest extends Exchange {
  constructor(
    read: RequestHead,
    /** The node that the client is connected to. */
    readonly from: string,
    readonly vouched: { readonly agent: RequestAgent | null },
  ) {
    super(read);
  }
}

/** A forwarded request is answered where it is, and never forwarded again. */
export const isForwarded = (request: HttpRequest): request is ForwardedRequest => request instanceof ForwardedRequest;

/** Brings a request of the public API to another node. */
export class Forwarder {
  constructor(
    private readonly peers: Pick<Peers, 'call'>,
    /** Limits and abuse rules of the other node go by this address. */
    private readonly clientIp: (request: HttpRequest) => string,
  ) {}

  /** The other node's answer. Rejects with NodeAway where there is none; the body of an answer may break off. */
  async forward(nodeId: string, request: HttpRequest, agent: RequestAgent | null): Promise<HttpAnswer> {
    assert(!isForwarded(request), 'a forwarded request is answered where it is', request.path);
    assert(request.path.startsWith('/'), 'a request has a path', request.path);
    const { method, path, query, body, signal } = request;
    const sent: Static<typeof Head> = {
      method,
      path,
      query,
      ip: this.clientIp(request),
      headers: endToEnd(request.headers),
      agent,
      hasBody: body !== null,
    };
    const call = Buffer.concat([framed(sent), body ?? Buffer.alloc(0)]);
    const answer = await this.peers.call(nodeId, FORWARD_PATH, call, { timeoutMs: FORWARD_MS, signal });
    if (answer.statusCode !== 200) {
      answer.resume();
      throw new NodeAway(nodeId, `it answered ${answer.statusCode} to a forwarded request`);
    }
    const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      const { head: given, rest } = await readFrameHead(chunks);
      if (!answerHead.Check(given)) throw new FramingError('the head of an answer');
      const { status, headers, body: kind } = given;
      const pieces = after(rest, chunks);
      if (kind === 'stream') return { status, headers, body: pieces };
      const whole = await collected(pieces);
      return { status, headers, body: kind === 'none' ? null : whole };
    } catch (error) {
      answer.destroy();
      throw new NodeAway(nodeId, (error as Error).message);
    }
  }
}

/** Serves FORWARD_PATH: answers what came to other nodes. */
export const forwardService =
  (answerer: () => Pick<Answerer, 'http'>) =>
  async ({ from: caller, body, signal }: NodeCall): Promise<HttpAnswer> => {
    const read = headOf(body);
    if (read === null) return { status: 400, headers: {}, body: null };
    const { ip, hasBody, agent, ...rest } = read.head;
    const headers = Object.assign(noHeaders(), rest.headers);
    const request = new ForwardedRequest({ ...rest, headers, remote: ip }, caller, { agent });
    request.body = hasBody ? read.body : null;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const answer = await answerer().http(request);
    if (signal.aborted) await discard(answer);
    if (rest.method === 'HEAD' && isStream(answer.body)) {
      await discard(answer);
      answer.body = nothing();
    }
    return { status: 200, headers: {}, body: inOne(answer) };
  };

function headOf(bytes: Buffer): { head: Static<typeof Head>; body: Buffer } | null {
  try {
    const read = unframed(bytes);
    return read !== null && head.Check(read.head) ? { head: read.head, body: read.rest } : null;
  } catch (error) {
    if (error instanceof FramingError) return null;
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Head and body of an answer. A stream is pulled as fast as the client reads. */
function inOne({ status, headers, body }: HttpAnswer): Buffer | AsyncIterable<Uint8Array> {
  assert(status >= 200 && status <= 599, 'an answer has a status of HTTP', status);
  const kind = body === null ? 'none' : isStream(body) ? 'stream' : 'whole';
  const first = framed({ status, headers, body: kind } satisfies Static<typeof AnswerHead>);
  if (body === null) return first;
  if (isStream(body)) return after(first, body[Symbol.asyncIterator]());
  return Buffer.concat([first, Buffer.from(body)]);
}

/** The first bytes, then the chunks. It is an iterator that can be returned before its first chunk, too. */
function after(first: Buffer, chunks: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  let waits = first.length > 0;
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      if (!waits) return chunks.next();
      waits = false;
      return { done: false, value: first };
    },
    return: async () => {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** For one connection only (RFC 9110, 7.6.1), secret, or replaced by the client's address. */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'content-length', 'x-forwarded-for'],
  ...['authorization', 'cookie', 'sec-websocket-protocol'],
]);

function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = (headers['connection'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name) && !named.includes(name)),
  );
}
