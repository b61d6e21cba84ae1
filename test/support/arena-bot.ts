import WebSocket from 'ws';

/**
 * Programs for the arena that check or fold. `idle` leaves after a few hands, sends a wrong message, and stays
 * connected. `around` plays one hand over the address it was given, and all others over the address of the REST API.
 */
const isIdle = process.argv[2] === 'idle';
const ENOUGH = 5;
const { API_KEY, BASE_URL, WS_URL } = process.env;
let hands = 0;

interface Frame {
  type: string;
  valid_actions: { action: string }[];
  turn_token: string;
  hand_id: string;
}

function connect(url: string): void {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${API_KEY}` } });
  const send = (message: object) => socket.send(JSON.stringify(message));
  socket.on('message', (data) => {
    const { type, valid_actions, turn_token, hand_id } = JSON.parse(String(data)) as Frame;
    if ((type === 'connected' && hands === 0) || type === 'table_closed') send({ type: 'join_lobby' });
    if (type === 'your_turn' && !(isIdle && hands >= ENOUGH)) {
      const action = valid_actions.some((option) => option.action === 'check') ? 'check' : 'fold';
      send({ type: 'action', action, turn_token, hand_id, client_action_id: turn_token });
    }
    if (type === 'hand_result') {
      hands++;
      if (!isIdle && hands === 1) connect(new URL('/ws', BASE_URL!.replace('http', 'ws')).href);
      if (isIdle && hands === ENOUGH) {
        console.log('I have had enough');
        send({ type: 'leave_table' });
      }
    }
    if (isIdle && type === 'player_left' && hands >= ENOUGH) send({ type: 'daydream' });
  });
}

connect(WS_URL!);
