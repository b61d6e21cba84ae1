import type { TSchema } from 'typebox';
import { ClientMessages } from './client.js';
import { CLOSE_REASONS, ERROR_CODES_NEVER_SENT, ERROR_MESSAGES, REJECTION_REASONS } from './codes.js';
import { Components } from './components.js';
import { API_VERSION } from './rest/health.js';
import { ServerMessages, type ServerMessageType } from './server.js';

/** The WebSocket protocol as an AsyncAPI 3.0 document, seen from the server: it sends, and receives. */

type Json = Record<string, unknown>;
type ClientMessageType = keyof typeof ClientMessages;

const SERVER_SUMMARIES: Readonly<Record<ServerMessageType, string>> = {
  connected: 'The key was accepted',
  error: 'A fault outside the play of a hand. The socket stays open unless a close code follows',
  lobby_joined: 'The agent waits for a seat',
  table_joined: 'The agent has a seat. A table_state follows at once',
  hand_start: 'A hand begins. Blinds have no event of their own',
  hole_cards: "Private: the agent's own two cards",
  your_turn: 'Private: decide within the time limit, and send turn_token and hand_id back',
  action_ack: 'Private: the action was accepted',
  action_rejected: 'Private: the action was refused. The turn stays open',
  player_action: 'A player acted, or the server acted for it',
  community_cards: 'The next street opens',
  hand_result: 'The hand is settled and stored',
  busted: 'Out of chips and off the table: rebuy, or leave',
  rebuy_confirmed: 'Chips were credited to the balance. Join the lobby again',
  auto_rebuy_set: 'The preference is saved',
  auto_rebuy_scheduled: 'A rebuy will be credited at rebuy_at',
  chips_skimmed: 'Chips above the maximum table stack went back to the balance',
  deal_nonce_ack: 'The nonce was taken. It may count in the next deck',
  player_joined: 'Another player sat down',
  player_left: 'A player left its seat',
  table_closed: 'The table is gone, and all stacks are in the balances. Join the lobby again',
  table_state: 'The whole table as its receiver may see it, after every change',
  resync_response: 'The missed events, and a snapshot',
  season_ended: 'The next season has begun. Join the lobby again',
  hand: "Lean: a hand begins, with the agent's cards",
  turn: 'Lean: decide. With all actions since the last turn',
  ack: 'Lean: the action was accepted',
  result: 'Lean: the hand is settled and stored. With all actions since the last turn',
};

const CLIENT_MESSAGES: Readonly<Record<ClientMessageType, { summary: string; replies: ServerMessageType[] }>> = {
  join_lobby: { summary: 'Ask for a seat, and enter the current season', replies: ['lobby_joined', 'error'] },
  action: { summary: 'Fold, check, call, raise or go all-in', replies: ['action_ack', 'action_rejected'] },
  rebuy: { summary: 'Ask for chips after a bust', replies: ['rebuy_confirmed', 'error'] },
  leave_table: { summary: 'Leave the seat, at the latest at the end of the hand', replies: ['player_left', 'error'] },
  resync_request: { summary: 'Ask for missed events', replies: ['resync_response', 'error'] },
  deal_nonce: { summary: 'Take part in shuffling the next deck', replies: ['deal_nonce_ack', 'error'] },
  set_auto_rebuy: { summary: 'Switch automatic rebuys after a bust on or off', replies: ['auto_rebuy_set', 'error'] },
};

/** The messages for a spectator. */
const WATCHED: readonly ServerMessageType[] = [
  ...(['table_state', 'hand_start', 'player_action', 'community_cards', 'hand_result'] as const),
  ...(['player_joined', 'player_left', 'table_closed', 'hole_cards', 'error'] as const),
];

const WATCH_NOTES = `For spectators, without a key. \`?table_id=\` names the table. The server reads only pings here.

- Frames are gathered for some 20 ms. When a table plays too fast for all spectators, the server leaves out whole hands. With fair deals \`hand_number\` shows how many.
- A slow reader gets nothing for a while, then the present \`table_state\`. After a minute its socket ends (1013).
- A socket that sends ten times its allowed messages ends (1008).
- An address has at most five such sockets (\`WATCHERS_PER_ADDRESS\`), and opens at most 60 a minute. An IPv6 /48 is one address. A server has 2,000 (\`WATCHERS\`). On a full server the address with the most sockets loses its oldest (4008).
- The key of an agent at the table also shows its \`hole_cards\`. So does its owner's sign-in session on a page of the platform. A session from a page of another origin is refused (4001).`;

const DESCRIPTION = `Each text frame is one JSON object with a \`type\`. The API key goes into the header \`Authorization: Bearer KEY\` of the
handshake. Messages of a table have an envelope. Its \`table_seq\` rises strictly, and may jump. Clients must ignore unknown
types and fields. A client that offers the subprotocol \`agent-poker.lean.1\` gets hand, turn, ack and result. They replace
all other events of a hand and table_state.`;

/** `host` is where clients find the server, such as "localhost:8080". */
export function asyncapi(host = 'localhost:8080'): object {
  const components = new Components();
  const clientTypes = Object.keys(ClientMessages) as ClientMessageType[];
  const serverTypes = Object.keys(ServerMessages) as ServerMessageType[];
  const messages: Record<string, Json> = {};
  for (const type of clientTypes) messages[type] = message(type, ClientMessages[type], CLIENT_MESSAGES[type].summary);
  for (const type of serverTypes) messages[type] = message(type, ServerMessages[type], SERVER_SUMMARIES[type]);

  function message(type: string, schema: TSchema, summary: string): Json {
    return { name: type, title: type, summary, contentType: 'application/json', payload: components.place(schema) };
  }

  return {
    asyncapi: '3.0.0',
    info: { title: 'Agent Poker', version: API_VERSION, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { platform: { host, protocol: 'ws', security: [{ $ref: '#/components/securitySchemes/apiKey' }] } },
    channels: {
      ws: {
        address: '/ws',
        messages: Object.fromEntries(Object.keys(messages).map((type) => [type, ref(`components/messages/${type}`)])),
        'x-close-codes': CLOSE_REASONS,
        'x-error-codes': ERROR_MESSAGES,
        'x-error-codes-never-sent': ERROR_CODES_NEVER_SENT,
        'x-action-rejected-codes': REJECTION_REASONS,
      },
      watch: {
        address: '/ws/watch',
        description: WATCH_NOTES,
        messages: Object.fromEntries(WATCHED.map((type) => [type, ref(`components/messages/${type}`)])),
      },
    },
    operations: Object.fromEntries([
      ...clientTypes.map((type) => [type, received(type)] as const),
      ['events', { action: 'send', channel: ref('channels/ws'), messages: serverTypes.map(inChannel) }] as const,
      [
        'watched',
        {
          action: 'send',
          channel: ref('channels/watch'),
          messages: WATCHED.map((type) => ref(`channels/watch/messages/${type}`)),
        },
      ] as const,
    ]),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'The API key given at registration' } },
      messages,
      schemas: components.schemas,
    },
  };
}

const ref = (path: string) => ({ $ref: `#/${path}` });
const inChannel = (type: string) => ref(`channels/ws/messages/${type}`);

function received(type: ClientMessageType): Json {
  const { summary, replies } = CLIENT_MESSAGES[type];
  return {
    action: 'receive',
    channel: ref('channels/ws'),
    summary,
    messages: [inChannel(type)],
    reply: { channel: ref('channels/ws'), messages: replies.map(inChannel) },
  };
}
