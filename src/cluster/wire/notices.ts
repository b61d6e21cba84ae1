import { assert } from '../../ops/assert.js';
import { Compile, type Validator } from 'typebox/compile';
import type { HttpAnswer, Log } from '../../gateway/transport.js';
import type { NodeCall } from './internal-port.js';
import { NOTICE_KINDS, type NodeNotice, type NoticeKind, type NoticeOf } from './notice-messages.js';
import { ANSWER_MS, type CallOptions, type Peers } from './peers.js';

export const NOTICE_PATH = '/notice';

/** Resolves once this node obeys the notice: then the sender counts it as confirmed. */
type Handler<K extends NoticeKind> = (notice: NoticeOf<K>, from: string) => void | Promise<void>;

const MOST_NOTICE_BYTES = 64 * 1024;
const validators = new Map<string, Validator>(
  Object.entries(NOTICE_KINDS).map(([kind, schema]) => [kind, Compile(schema) as Validator]),
);

/** Notices from node to node, over the internal port. */
export class Notices {
  readonly #handlers = new Map<string, Handler<NoticeKind>>();
  /** Kinds of another release that were logged. */
  readonly #unknown = new Set<string>();

  constructor(
    private readonly peers: Pick<Peers, 'ids' | 'call'>,
    private readonly log: Log,
  ) {}

  /** One handler a kind. */
  on<K extends NoticeKind>(kind: K, handler: Handler<K>): void {
    assert(!this.#handlers.has(kind), 'a kind of notice has one handler', kind);
    this.#handlers.set(kind, handler as unknown as Handler<NoticeKind>);
  }

  /** Best effort: false where the node did not confirm it within 1 s. */
  async tell(nodeId: string, notice: NodeNotice): Promise<boolean> {
    const options: CallOptions = { timeoutMs: ANSWER_MS };
    try {
      const body = Buffer.from(JSON.stringify(notice));
      assert(body.length <= MOST_NOTICE_BYTES, 'a notice has its bound', body.length);
      const answer = await this.peers.call(nodeId, NOTICE_PATH, body, options);
      answer.resume();
      if (answer.statusCode === 204) return true;
      this.log.warn({ node: nodeId, notice, status: answer.statusCode }, 'a notice was not confirmed');
    } catch (error) {
      this.log.warn({ node: nodeId, notice, why: (error as Error).message }, 'a notice was not confirmed');
    }
    return false;
  }

  /** The nodes that confirmed it. Each has 1 s; one that did not confirm is logged. */
  async tellAll(notice: NodeNotice): Promise<string[]> {
    const nodes = this.peers.ids;
    const confirmed = await Promise.all(nodes.map((nodeId) => this.tell(nodeId, notice)));
    return nodes.filter((_, i) => confirmed[i]);
  }

  /** Serves NOTICE_PATH. */
  readonly serve = async ({ from, body }: NodeCall): Promise<HttpAnswer> => {
    const notice = body.length > MOST_NOTICE_BYTES ? null : parsed(body);
    const kind = kindOf(notice);
    if (kind === null) return this.#malformed(from, kind);
    const validator = validators.get(kind);
    if (validator === undefined) return this.#ignore(kind, from);
    if (!validator.Check(notice)) return this.#malformed(from, kind);
    await this.#handlers.get(kind)?.(notice as NodeNotice, from);
    return CONFIRMED;
  };

  #ignore(kind: string, from: string): HttpAnswer {
    if (!this.#unknown.has(kind)) {
      if (this.#unknown.size < MOST_UNKNOWN) this.#unknown.add(kind);
      this.log.info({ kind, node: from }, 'notices of an unknown kind are ignored');
    }
    return CONFIRMED;
  }

  #malformed(from: string, kind: string | null): HttpAnswer {
    this.log.warn({ kind, node: from }, 'a notice was malformed');
    return { status: 400, headers: {}, body: null };
  }
}

const CONFIRMED: HttpAnswer = { status: 204, headers: {}, body: null };
const MOST_UNKNOWN = 100;

/** Null: no JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function kindOf(notice: unknown): string | null {
  if (typeof notice !== 'object' || notice === null) return null;
  const { kind } = notice as { kind?: unknown };
  return typeof kind === 'string' && kind.length <= 64 ? kind : null;
}
