import { messagesModel, type MessagesModel } from './messages.js';
import { operationModel, type OperationModel } from './operations.js';
import { TypeRegistry, type NamedType } from './types.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { API_VERSION } from '../../src/protocol/rest/health.js';

/**
 * The source of both kits: every message of src/protocol and every REST operation for bots and owners as plain data.
 * Each object has a name. A printer (typescript.ts, python.ts) looks at nothing else.
 */
export interface ProtocolModel extends MessagesModel {
  version: string;
  operations: readonly OperationModel[];
  /** Every named type, those before that others are made of. `home` says in which generated file it stands. */
  types: readonly NamedType[];
}

/** Files of a kit by their path below sdk/. */
export type Files = Readonly<Record<string, string>>;

/** The kits are for those who play: what only the operator may is in none. */
export const kitSpecs = restSpecs.filter(({ auth }) => auth !== 'operator');

export function protocolModel(): ProtocolModel {
  const registry = new TypeRegistry();
  const messages = messagesModel(registry);
  const operations = kitSpecs.map((spec) => operationModel(spec, registry));
  return { ...messages, version: API_VERSION, operations, types: registry.types };
}

/** 'hand_start' and 'getMe' as 'HandStart' and 'GetMe'. */
export { pascal } from './types.js';
export type { ClientMessageModel, ServerMessageModel } from './messages.js';
export type { HeaderModel, OperationModel, PagesModel } from './operations.js';
export type { FieldModel, NamedType, TypeModel } from './types.js';
