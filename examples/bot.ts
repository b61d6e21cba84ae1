/**
 * A complete poker bot: registers, joins the lobby, plays, survives reconnects, rejections, busts and season ends.
 * Replace `decide` with your own ideas. Run: npm run build && node dist/examples/bot.js
 * Settings: BASE_URL, WS_URL, API_KEY (registers a new bot without), HANDS (stop after so many), NAME.
 */
import WebSocket from 'ws';

interface ValidAction {
  action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  amount?: number | null;
  min?: number | null;
  max?: number | null;
}
interface Turn {
  hand_id: string;
  turn_token: string;
  valid_actions: ValidAction[];
  pot: number;
}
type Frame = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- JSON from the wire

const BASE = process.env['BASE_URL'] ?? 'http://127.0.0.1:8080';
const WS_URL = process.env['WS_URL'] ?? `${BASE.replace(/^http/, 'ws')}/ws`;
const HANDS = Number(process.env['HANDS'] ?? Infinity);
const apiKey = process.env['API_KEY'] ?? (await register());

let seat: number | null = null; // where we sit, and
let table: string | null = null; // at which table
let lastSeq = 0; // the highest table_seq seen, for resync
let answered = ''; // the turn_token we acted on last
let hands = 0;
let backoff = 250; // ms before the next attempt to connect

/** The bot's mind: check or call small bets, raise now and then, fold to large ones. Amounts are chips. */
function decide(turn: Turn): { action: string; amount?: number } {
  const can = new Map(turn.valid_actions.map((option) => [option.action, option]));
  const raise = can.get('raise');
  if (raise && Math.random() < 0.15) return { action: 'raise', amount: raise.min! };
  if (can.has('check')) return { action: 'check' };
  const price = can.get('call')?.amount ?? Infinity;
  return price <= turn.pot / 2 ? { action: 'call' } : { action: 'fold' };
}

async function register(): Promise<string> {
  const name = process.env['NAME'] ?? `bot_${Math.random().toString(36).slice(2, 10)}`;
  const body = JSON.stringify({ name, email: `${name}@example.com`, terms_accepted: true });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${BASE}/api/register`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { api_key: string }).api_key;
}

function connect(): void {
  const socket = new WebSocket(WS_URL, { headers: { authorization: `Bearer ${apiKey}` } });
  const send = (message: Frame) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const join = () => send({ type: 'join_lobby', buy_in: 2000 });
  const later = (ms: number, then: () => void) => setTimeout(then, Math.max(0, ms));
  const rebuy = () => send({ type: 'rebuy', amount: 0 });
  /** The token names the turn, so a repeated answer to it is recognised by the server and never played twice. */
  const act = (turn: Turn, choice: { action: string; amount?: number }, attempt = '') => {
    const { hand_id, turn_token } = turn;
    answered = turn_token;
    send({ type: 'action', ...choice, hand_id, turn_token, client_action_id: turn_token + attempt });
  };
  let turn: Turn | null = null;
  const onTurn = (next: Turn) => {
    if (next.turn_token !== answered) act((turn = next), decide(next));
  };

  socket.on('open', () => (backoff = 250));
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame;
    if (typeof frame['table_seq'] === 'number') lastSeq = Math.max(lastSeq, frame['table_seq']);
    switch (frame['type']) {
      case 'connected': // a seat may have waited for us; if not, table_not_found or a spectator's answer makes us join
        return table ? send({ type: 'resync_request', table_id: table, last_table_seq: lastSeq }) : join();
      case 'table_joined':
        return void ([table, seat, lastSeq] = [frame['table_id'], frame['seat'], frame['table_seq'] ?? 0]);
      case 'your_turn':
        return onTurn(frame as unknown as Turn);
      case 'resync_response': {
        const { hero, pot, hand_id } = frame['snapshot'];
        if (frame['role'] === 'spectator') return join();
        return hero?.turn_token ? onTurn({ ...hero, pot, hand_id }) : undefined;
      }
      case 'action_rejected': // our own mistake: give up the hand politely; a stale turn needs no answer
        if (frame['code'] !== 'invalid_action' || !turn) return;
        return act(turn, { action: turn.valid_actions.some((a) => a.action === 'check') ? 'check' : 'fold' }, '-safe');
      case 'hand_result':
        if (++hands >= HANDS) [table, hands] = [null, -Infinity];
        return hands < 0 ? send({ type: 'leave_table' }) : undefined;
      case 'busted':
        return rebuy();
      case 'player_left': // our own: left, or removed
        if (frame['seat'] !== seat) return;
        return hands < 0 ? socket.close(1000) : join();
      case 'rebuy_confirmed':
      case 'table_closed':
      case 'season_ended':
        [table, seat] = [null, null];
        return hands < 0 ? socket.close(1000) : join();
      case 'error': {
        const { code } = frame as { code: string };
        if (code === 'already_seated') return send({ type: 'resync_request', table_id: (table = frame['table_id']) });
        if (code === 'insufficient_season_chips') return rebuy();
        if (code === 'rebuy_cooldown') return void later(Date.parse(frame['rebuy_at']) - Date.now(), rebuy);
        if (code === 'table_not_found') return join();
        if (/^(no_active_season|season_|lobby_full)/.test(code)) return void later(2000, join);
      }
    }
  });
  socket.on('error', (error) => console.error(`connection: ${error.message}`));
  socket.on('close', (code) => {
    if ([1000, 4001, 4002, 4003].includes(code))
      return console.log(`closed with ${code} after ${Math.abs(hands)} hands`);
    later((backoff = Math.min(backoff * 2, 10_000)), connect);
  });
}

connect();
