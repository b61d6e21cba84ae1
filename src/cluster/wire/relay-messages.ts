import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RelayOpening } from '../../gateway/relay/ports.js';

/**
 * Control messages of a relay. The edge sends them as text and the client's messages as binary; the home sends them as
 * binary and the client's frames as text. So neither side looks into what it only passes on.
 */

const Text = Type.String({ maxLength: 256 });
const Id = Type.String({ minLength: 1, maxLength: 64 });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const HandOverBody = Type.Object({
  agentId: Id,
  name: Type.String(),
  waiting: nullable(Type.Object({ buyIn: nullable(Type.Number()), since: Type.Number(), greeted: Type.Boolean() })),
  memory: Type.Unknown(),
});

const Play = Type.Object({
  kind: Type.Literal('play'),
  hello: Type.Object({
    apiKey: Type.Null(),
    shown: Type.Optional(Type.Object({ hash: Text, kind: Type.Union([Type.Literal('key'), Type.Literal('token')]) })),
    keyInUrl: Type.Optional(Type.Literal(true)),
    ip: Text,
    competitionId: nullable(Type.String()),
    botVersion: Type.Optional(Text),
    handOver: Type.Optional(HandOverBody),
  }),
  lean: Type.Boolean(),
});

const Watch = Type.Object({
  kind: Type.Literal('watch'),
  tableId: Type.String(),
  ip: Text,
  viewer: Type.Object({ agentId: nullable(Id) }),
});

const ToHome = Type.Union([
  Type.Object({ t: Type.Literal('open'), opening: Type.Union([Play, Watch]) }),
  /** Base64: a client may send what is no text. */
  Type.Object({ t: Type.Literal('early'), messages: Type.Array(nullable(Type.String())) }),
  Type.Object({ t: Type.Literal('warn') }),
  Type.Object({ t: Type.Literal('done') }),
  /** Codes that no close frame may have (1005, 1006, 1015) are among these. */
  Type.Object({
    t: Type.Literal('end'),
    code: Type.Integer(),
    reason: Text,
    by: Type.Union([Type.Literal('client'), Type.Literal('server')]),
  }),
]);

const ToEdge = Type.Union([
  Type.Object({ t: Type.Literal('taken') }),
  Type.Object({ t: Type.Literal('away'), node: nullable(Id), handOver: nullable(HandOverBody) }),
  Type.Object({ t: Type.Literal('unread'), messages: Type.Array(Type.String()) }),
  Type.Object({ t: Type.Literal('end'), code: Type.Integer(), reason: Text }),
]);

export type ToHome = Static<typeof ToHome>;
export type ToEdge = Static<typeof ToEdge>;

const toHome = Compile(ToHome);
const toEdge = Compile(ToEdge);

/** Null: it is none. */
export function readToHome(data: Buffer): ToHome | null {
  const value = jsonOf(data);
  return toHome.Check(value) ? value : null;
}

/** Null: it is none. */
export function readToEdge(data: Buffer): ToEdge | null {
  const value = jsonOf(data);
  return toEdge.Check(value) ? value : null;
}

function jsonOf(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The key stays at the edge. */
export function withoutKey(opening: RelayOpening): Extract<ToHome, { t: 'open' }>['opening'] {
  if (opening.kind === 'watch') return opening;
  return { ...opening, hello: { ...opening.hello, apiKey: null } };
}
