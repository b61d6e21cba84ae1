import { asyncapi } from '../../src/protocol/asyncapi.js';
import { ClientMessages } from '../../src/protocol/client.js';
import { LEAVE_REASON_NOTES, TABLE_CLOSE_NOTES, WAITING_REASON_NOTES } from '../../src/protocol/code-notes.js';
import { ServerMessages } from '../../src/protocol/server.js';
import { HandEvent, StateEnvelope } from '../../src/protocol/messages/envelope.js';
import Type from 'typebox';
import { code, page, sentences, table } from './markdown.js';
import { fieldTable, json, typeText, type Json } from './schemas.js';

/** docs/reference/messages.md: every message of /ws with its fields. */

/** The parts of the AsyncAPI document beside the schemas. */
interface Told {
  info: { description: string };
  channels: { watch: { description: string; messages: Readonly<Record<string, unknown>> } };
  components: { messages: Readonly<Record<string, { summary: string }>> };
  operations: Readonly<Record<string, { reply: { messages: readonly { $ref: string }[] } }>>;
}

/** Fields of the envelope but for `type`: the page tells them once. */
const ENVELOPE = Object.keys(HandEvent);

export function messagesPage(): string {
  const { info, channels, components, operations } = asyncapi() as Told;
  const fromClient = Object.entries(ClientMessages).map(([type, schema]) => {
    const replies = operations[type]!.reply.messages.map(({ $ref }) => code($ref.slice($ref.lastIndexOf('/') + 1)));
    return [
      `### ${code(type)}`,
      sentences(components.messages[type]!.summary, `Answered by ${replies.join(' or ')}`),
      ownFields(json(schema)),
    ];
  });
  const fromServer = Object.entries(ServerMessages).map(([type, schema]) => {
    const form = json(schema);
    return [
      `### ${code(type)}`,
      sentences(components.messages[type]!.summary, envelopeOf(form), watched(channels.watch.messages, type)),
      ownFields(form),
    ];
  });
  return page(
    'Messages',
    `${info.description.replaceAll('\n', ' ')} \`GET /api/asyncapi.json\` is this page for programs. A \`?\` marks a field that may be absent. The order of messages and the rules of play are in [protocol.md](../protocol.md).`,
    [
      '## From the client',
      ...fromClient.flat().filter((text) => text !== ''),
      '## The envelope',
      'Messages of a table begin with these fields. Between hands `hand_id` and `hand_seq` are null.',
      fieldTable(json(Type.Object(StateEnvelope))),
      'In events `stream` is `"event"` and `state_hash` is null. Answers to an action have no `state_hash`.',
      '## From the server',
      ...fromServer.flat().filter((text) => text !== ''),
      '## Spectators',
      `The socket is \`/ws/watch\`. ${channels.watch.description}`,
      '## Reasons',
      '`player_left.reason`:',
      notesTable(LEAVE_REASON_NOTES),
      '`table_closed.reason`:',
      notesTable(TABLE_CLOSE_NOTES),
      '`table_state.waiting_reason`, the first that holds. Tolerate others:',
      notesTable(WAITING_REASON_NOTES),
    ],
  );
}

const notesTable = (notes: Readonly<Record<string, string>>) =>
  table(
    ['value', 'meaning'],
    Object.entries(notes).map(([value, note]) => [code(value), note]),
  );

const watched = (messages: Readonly<Record<string, unknown>>, type: string) =>
  type in messages ? 'Spectators read it, too' : undefined;

function envelopeOf(form: Json): string | undefined {
  const { properties = {} } = form.anyOf?.[0] ?? form;
  if (!('stream' in properties)) return undefined;
  return 'state_hash' in properties ? 'With the envelope' : 'With the envelope, without `state_hash`';
}

/** The fields beside `type` and the envelope. */
function ownFields(form: Json): string {
  const forms = form.anyOf ?? [form];
  const without = envelopeOf(form) === undefined ? ['type'] : ['type', ...ENVELOPE];
  const tables = [...new Set(forms.map((each) => fieldTable(each, { without })))].filter((text) => text !== '');
  if (forms.some(({ properties }) => properties === undefined)) return typeText(form);
  return tables.map((text, n) => (tables.length === 1 ? text : `Form ${n + 1}:\n\n${text}`)).join('\n\n');
}
