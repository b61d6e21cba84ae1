import { Compile, type Validator } from 'typebox/compile';
import { ClientMessages, type ActionMessage, type ClientMessage } from '../protocol/client.js';
import { explain } from '../protocol/explain.js';
import { MAX_NESTING, nestsDeeper } from './nesting.js';

/** Why a frame is not a message: answered with an `error` of this code and text. */
export class FrameFault {
  constructor(
    readonly code: 'unknown_message' | 'invalid_message',
    readonly message: string,
  ) {}
}

const validators = new Map<string, Validator>(
  Object.entries(ClientMessages).map(([type, schema]) => [type, Compile(schema) as Validator]),
);

/** Reads one frame of a client: JSON, then its type, then the schema of that type. */
export function readFrame(text: string): ClientMessage | FrameFault {
  if (nestsDeeper(text, MAX_NESTING)) return invalid(`Nested too deep: at most ${MAX_NESTING} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(`Malformed JSON: ${(error as SyntaxError).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('Not a JSON object');
  const { type } = value as { type?: unknown };
  if (typeof type !== 'string') return invalid('type: Field required, a string');
  const validator = validators.get(type);
  if (validator === undefined) {
    const known = [...validators.keys()].join(', ');
    return new FrameFault('unknown_message', `Unknown message type ${quote(type)}: one of ${known}`);
  }
  if (!validator.Check(value)) return invalid(faults(validator, value));
  return type === 'action' ? bareAction(value as ActionMessage) : (value as ClientMessage);
}

/** The fields the protocol knows, in one fixed shape, so that a client's extra keys do not travel to the shards. */
function bareAction({ action, amount, client_action_id, turn_token, hand_id }: ActionMessage): ActionMessage {
  return {
    type: 'action',
    action,
    amount: amount ?? null,
    client_action_id: client_action_id ?? null,
    turn_token: turn_token ?? null,
    hand_id: hand_id ?? null,
  };
}

const invalid = (message: string) => new FrameFault('invalid_message', message);

/** The first few faults, as `field: what is wrong`. */
function faults(validator: Validator, value: unknown): string {
  const items = explain('body', value, { schema: validator.Type(), errors: validator.Errors(value) }).slice(0, 3);
  const words = items.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'message'}: ${msg}`);
  return words.join('; ') || 'Message does not fit its schema';
}

/** A client's own word in our text, shortened. */
const quote = (word: string) => JSON.stringify(word.length > 64 ? `${word.slice(0, 64)}…` : word);
