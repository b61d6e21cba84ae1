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
  error: 'Something outside the play of a hand went wrong; the socket stays open unless a close code follows',
  lobby_joined: 'Queued for a seat',
  table_joined: 'Seated; a table_state follows at once',
  hand_start: 'A hand begins; blinds are posted without an event of their own',
  hole_cards: "Private: the agent's own two cards",
  your_turn: 'Private: decide within the time limit, and send turn_token and hand_id back',
  action_ack: 'Private: the action was accepted',
  action_rejected: 'Private: the action was refused; the turn stays open',
  player_action: 'Somebody acted, or the server acted for him',
  community_cards: 'The next street opens',
  hand_result: 'The hand is settled and stored',
  busted: 'Out of chips and off the table: rebuy, or leave',
  rebuy_confirmed: 'Chips were credited to the balance; join the lobby again',
  auto_rebuy_set: 'The preference is saved',
  auto_rebuy_scheduled: 'A rebuy will be credited at rebuy_at',
  chips_skimmed: 'Chips above the maximum table stack went back to the balance',
  deal_nonce_ack: 'The nonce was taken; whether it counts in the next deck',
  player_joined: 'Another player sat down',
  player_left: 'A player left its seat',
  table_closed: 'The table is gone, all stacks are back off-table; join the lobby again',
  table_state: 'The whole table as this viewer may see it, after every change',
  resync_response: 'The events missed, and a snapshot',
  season_ended: 'The next season has begun; join the lobby again',
  hand: 'Lean: a hand begins, with the own cards',
  turn: 'Lean: decide; with all that was done since the last turn',
  ack: 'Lean: the action was accepted',
  result: 'Lean: the hand is settled and stored, with all that was done since the last turn',
};

const CLIENT_MESSAGES: Readonly<Record<ClientMessageType, { summary: string; replies: ServerMessageType[] }>> = {
  join_lobby: { summary: 'Ask for a seat; enters the current season by itself', replies: ['lobby_joined', 'error'] },
  action: { summary: 'Fold, check, call, raise or go all-in', replies: ['action_ack', 'action_rejected'] },
  rebuy: { summary: 'Ask for chips when out of them', replies: ['rebuy_confirmed', 'error'] },
  leave_table: { summary: 'Give the seat up, at the latest at the end of the hand', replies: ['player_left', 'error'] },
  resync_request: { summary: 'Ask for what was missed', replies: ['resync_response', 'error'] },
  deal_nonce: { summary: 'Take part in shuffling the next deck', replies: ['deal_nonce_ack', 'error'] },
  set_auto_rebuy: { summary: 'Rebuy by itself after a bust, or not', replies: ['auto_rebuy_set', 'error'] },
};

/** The messages for a spectator. */
const WATCHED: readonly ServerMessageType[] = [
  ...(['table_state', 'hand_start', 'player_action', 'community_cards', 'hand_result'] as const),
  ...(['player_joined', 'player_left', 'table_closed', 'hole_cards', 'error'] as const),
];

const WATCH_NOTES = `Spectators, without a key: \`?table_id=\` names the table. The server reads only pings here.

- Frames are gathered for some 20 ms. A table that plays faster than can be sent to all spectators leaves whole hands out. A hand that comes is whole. With fair deals \`hand_number\` tells how many are missing.
- A slow reader gets nothing for a while, and then a \`table_state\` of the present. After a minute its socket ends (1013).
- Ten times the messages that a socket may send end it (1008).
- An address has five such sockets (\`WATCHERS_PER_ADDRESS\`; an IPv6 /48 is one address), and begins 60 a minute. A server has 2,000 (\`WATCHERS\`). Where all places are taken, the address with the most sockets gives up its oldest (4008).
- The key of an agent that sits there, or its owner's sign-in session on a page of the platform, shows its \`hole_cards\`, too. A session that a page of another origin sends is refused (4001).`;

const DESCRIPTION = `JSON objects with a \`type\`, one per text frame. The API key goes into the header \`Authorization: Bearer KEY\` of the
handshake. Messages of a table carry an envelope; \`table_seq\` rises strictly, and may jump. Unknown types and fields
must be ignored. A client that offers the subprotocol \`agent-poker.lean.1\` reads hand, turn, ack and result in the place of
all other events of a hand, and no table_state.`;

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
