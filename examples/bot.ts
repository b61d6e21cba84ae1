/**
 * A complete bot: registers, joins, plays, and lives through reconnects, rejections, busts and season ends. Replace
 * `decide`, npm run build, node dist/examples/bot.js. Environment: BASE_URL, WS_URL, API_KEY (without one it
 * registers), NAME (to register under), HANDS (leave after so many). It tells every error, and every 20 hands how it
 * does.
 */
import WebSocket from 'ws';

type Frame = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- JSON off the wire
type Choice = { action: 'fold' | 'check' | 'call' | 'raise' | 'all_in'; amount?: number };

const BASE_URL = process.env['BASE_URL'] ?? 'http://127.0.0.1:8080';
const WS_URL = process.env['WS_URL'] ?? `${BASE_URL.replace(/^http/, 'ws')}/ws`;
const HANDS = Number(process.env['HANDS'] ?? Infinity);
let name = process.env['NAME'] ?? `bot_${Math.random().toString(36).slice(2, 10)}`; // `connected` tells the real one
const apiKey = process.env['API_KEY'] ?? (await register());

let [table, seat]: [string | null, number | null] = [null, null]; // where we sit, as far as we know
let lastSeq = 0; // highest table_seq seen, for resync
let [hands, chips, pause] = [0, 0, 250]; // chips: our stack; pause: ms before the next attempt to connect
const say = (text: string) => console.log(`${name}: ${text}`);

/** The bot's mind; amounts are chips. Checks or calls up to half the pot, raises the minimum now and then. */
function decide(turn: Frame): Choice {
  const options = new Map<string, Frame>(turn['valid_actions'].map((option: Frame) => [option['action'], option]));
  if (options.has('raise') && Math.random() < 0.15) return { action: 'raise', amount: options.get('raise')!['min'] };
  if (options.has('check')) return { action: 'check' };
  return (options.get('call')?.['amount'] ?? Infinity) <= turn['pot'] / 2 ? { action: 'call' } : { action: 'fold' };
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}

async function register(): Promise<string> {
  const answer = await fetch(`${BASE_URL}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, email: `${name}@example.com`, terms_accepted: true }),
  }).catch((error: Error) => fail(`no server at ${BASE_URL}: ${String(error.cause ?? error)}`));
  if (answer.status !== 201) fail(`register: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { api_key: string }).api_key;
}

function connect(): void {
  const socket = new WebSocket(WS_URL, { headers: { authorization: `Bearer ${apiKey}` } });
  const send = (message: Frame) =>
    void (socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify((last = message))));
  const join = () => (hands < HANDS ? send({ type: 'join_lobby' }) : socket.close(1000));
  const resync = () => send({ type: 'resync_request', table_id: table, last_table_seq: lastSeq || null });
  const rebuy = () => send({ type: 'rebuy', amount: 0 });
  const rejoin = () => void (([table, seat, lastSeq] = [null, null, 0]), join());
  // The turn we answered last on THIS connection (sent again on the next one, its answer got lost on the way),
  // and the last message. A token names its turn: the same client_action_id again is never played twice.
  let [turn, last]: [Frame, Frame] = [{}, {}];
  const act = (choice: Choice, attempt: string, { hand_id, turn_token } = turn) =>
    send({ type: 'action', ...choice, hand_id, turn_token, client_action_id: `${turn_token}${attempt}` });
  const onTurn = (next: Frame) => {
    if (next['turn_token'] === turn['turn_token'] || hands >= HANDS) return;
    act(decide((turn = next)), '');
  };
  const on: Record<string, (frame: Frame) => unknown> = {
    // After a lost connection: is our seat still there?
    connected: (frame) => {
      [name, pause] = [frame['name'], 250];
      say(`connected to ${WS_URL}`);
      if (table) resync();
      else join();
    },
    lobby_joined: ({ estimated_wait }) => say(`waits for a seat (${estimated_wait})`),
    table_joined: (frame) => {
      [table, seat] = [frame['table_id'], frame['seat']];
      say(`sits at table ${table}, seat ${seat}`);
    },
    your_turn: onTurn,
    resync_response: ({ role, snapshot }) => {
      if (role === 'spectator') return rejoin();
      if (hands >= HANDS) return send({ type: 'leave_table' }); // said before, and perhaps lost
      seat = snapshot['hero']['seat'];
      if (snapshot['hero']['turn_token']) onTurn({ ...snapshot, ...snapshot['hero'] });
    },
    action_rejected: ({ code, reason }) => {
      say(`action_rejected ${code}: ${reason}`);
      // Stale: the turn went on without us. Once is enough: more would be for ever.
      if (code !== 'invalid_action' || String(last['client_action_id']).endsWith('-safe')) return;
      const free = turn['valid_actions'].some((option: Frame) => option['action'] === 'check');
      act({ action: free ? 'check' : 'fold' }, '-safe'); // the turn stays open with the same token
    },
    hand_result: ({ final_stacks }) => {
      chips = final_stacks[String(seat)] ?? chips;
      if (++hands % 20 === 0) say(`${hands} hands, a stack of ${chips} chips`);
      if (hands === HANDS) send({ type: 'leave_table' }); // the server folds from here on
    },
    // Also after a bust: there may be chips left off the table; if not, insufficient_season_chips makes us rebuy.
    player_left: (frame) => frame['seat'] === seat && frame['table_id'] === table && rejoin(),
    table_closed: rejoin,
    season_ended: rejoin,
    rebuy_confirmed: rejoin,
    error: ({ code, message, table_id, rebuy_at }) => {
      say(`error ${code}: ${message}`);
      if (code === 'already_seated') void ((table = table_id), resync());
      else if (code === 'table_not_found') rejoin();
      else if (code === 'insufficient_season_chips') rebuy();
      // The message was dropped; repeating it is safe in any case.
      else if (code === 'rate_limited') setTimeout(send, 1000, last);
      else if (code === 'rebuy_cooldown') setTimeout(rebuy, Math.max(0, Date.parse(rebuy_at) - Date.now()));
      else if (/^(no_active_season|season_|lobby_full|not_at_table)/.test(code)) setTimeout(rejoin, 2000);
    },
  };
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame;
    if (frame['table_seq'] && frame['table_id'] === table) lastSeq = Math.max(lastSeq, frame['table_seq']);
    on[frame['type']]?.(frame); // unknown message types are ignored: new ones may appear
  });
  socket.on('error', (error) => say(error.message));
  socket.on('close', (code, reason) => {
    say(`closed with ${code} after ${hands} hands${String(reason) && ` (${String(reason)})`}`);
    if (![1000, 4001, 4002, 4003, 4009].includes(code)) setTimeout(connect, (pause = Math.min(2 * pause, 10_000)));
  });
}

connect();
