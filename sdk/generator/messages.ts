import type { TSchema } from 'typebox';
import { asyncapi } from '../../src/protocol/asyncapi.js';
import { ClientMessages } from '../../src/protocol/client.js';
import { CLOSE_REASONS, ERROR_MESSAGES, REJECTION_REASONS } from '../../src/protocol/codes.js';
import { ServerMessages } from '../../src/protocol/server.js';
import { messageName } from './names.js';
import { plain, type TypeRegistry } from './types.js';

export interface ServerMessageModel {
  /** As `type` has it. */
  type: string;
  /** The name of its type. */
  name: string;
  summary: string;
}

export interface ClientMessageModel extends ServerMessageModel {
  /** Types of what answers it. */
  replies: readonly string[];
}

export interface MessagesModel {
  serverMessages: readonly ServerMessageModel[];
  clientMessages: readonly ClientMessageModel[];
  /** Text by close code. */
  closeReasons: Readonly<Record<number, string>>;
  /** Text by code of `error`, and by code of `action_rejected`. */
  errorCodes: Readonly<Record<string, string>>;
  rejectionCodes: Readonly<Record<string, string>>;
}

/** The facts of the AsyncAPI document besides the schemas. */
interface Told {
  components: { messages: Record<string, { summary: string }> };
  operations: Record<string, { reply: { messages: { $ref: string }[] } }>;
}

export function messagesModel(registry: TypeRegistry): MessagesModel {
  const { components, operations } = asyncapi() as Told;
  registry.home = 'messages';
  const modelOf = ([type, schema]: [string, TSchema]): ServerMessageModel => {
    const { summary } = components.messages[type]!;
    const json = plain(schema);
    registry.typeOf({ ...json, description: summary }, messageName(type));
    return { type, name: messageName(type), summary };
  };
  return {
    serverMessages: Object.entries(ServerMessages).map(modelOf),
    clientMessages: Object.entries(ClientMessages).map((entry) => ({
      ...modelOf(entry),
      replies: operations[entry[0]]!.reply.messages.map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)),
    })),
    closeReasons: CLOSE_REASONS,
    errorCodes: ERROR_MESSAGES,
    rejectionCodes: REJECTION_REASONS,
  };
}
