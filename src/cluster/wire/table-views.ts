import { assert } from '../../ops/assert.js';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { HttpAnswer } from '../../gateway/transport.js';
import type { NodeCall } from './internal-port.js';
import { NodeAway, type Peers } from './peers.js';

export const TABLE_VIEW_PATH = '/table-view';

/** A shard answers within 2 s. */
const VIEW_MS = 3_000;

const TableView = Type.Object({
  tableId: Type.String(),
  resync: Type.Union([
    Type.Object({ agentId: Type.String(), lastTableSeq: Type.Union([Type.Number(), Type.Null()]) }),
    Type.Null(),
  ]),
});
/** A spectator's question for a table of another node. With `resync` an agent without a seat asks for a resync_response. */
export type AskedView = Static<typeof TableView>;

const asked = Compile(TableView);

/** Asks the node of a table for a spectator's view of it, as JSON text. Null: there is no such table for it. */
export async function askTableView(
  peers: Pick<Peers, 'call'>,
  nodeId: string,
  question: AskedView,
): Promise<string | null> {
  assert(question.tableId !== '', 'a view is of a table', nodeId);
  const body = Buffer.from(JSON.stringify(question));
  const answer = await peers.call(nodeId, TABLE_VIEW_PATH, body, { timeoutMs: VIEW_MS });
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  if (answer.statusCode === 404) return null;
  if (answer.statusCode !== 200) throw new NodeAway(nodeId, `it answered ${answer.statusCode} for a view of a table`);
  return Buffer.concat(chunks).toString();
}

/** Serves TABLE_VIEW_PATH. */
export const tableViewService =
  (answer: (question: AskedView) => Promise<string | null>) =>
  async ({ body }: NodeCall): Promise<HttpAnswer> => {
    const question: unknown = JSON.parse(body.toString());
    if (!asked.Check(question)) return { status: 400, headers: {}, body: null };
    const text = await answer(question);
    if (text === null) return { status: 404, headers: {}, body: null };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: text };
  };
