import WebSocket from 'ws';

/** A program for the arena that has enough after a few hands: it leaves, says something foolish, and stays connected. */

const ENOUGH = 5;
const socket = new WebSocket(process.env['WS_URL']!, {
  headers: { authorization: `Bearer ${process.env['API_KEY']}` },
});
const send = (message: object) => socket.send(JSON.stringify(message));
let hands = 0;

socket.on('message', (data) => {
  const frame = JSON.parse(String(data)) as {
    type: string;
    valid_actions: { action: string }[];
    turn_token: string;
    hand_id: string;
  };
  const { type, valid_actions, turn_token, hand_id } = frame;
  if (type === 'connected') send({ type: 'join_lobby' });
  if (type === 'your_turn' && hands < ENOUGH) {
    const action = valid_actions.some((option) => option.action === 'check') ? 'check' : 'fold';
    send({ type: 'action', action, turn_token, hand_id, client_action_id: turn_token });
  }
  if (type === 'hand_result' && ++hands === ENOUGH) {
    console.log('I have had enough');
    send({ type: 'leave_table' });
  }
  if (type === 'player_left' && hands >= ENOUGH) send({ type: 'daydream' });
});
