/** How a bot of the house's own keeps its seat and answers its turns, against a server that the test plays. */
import t, { type Test } from 'tap';
import { HouseBots, PlayerClient, type PlayerOptions } from '../../src/bots/index.js';
import { parseCard } from '../../src/cards/card.js';
import { examples, idleState } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { ScriptedServer, type Conversation, type Said } from '../support/scripted-server.js';

t.setTimeout(FILE_MS);

const turn = examples.your_turn;
const folder = () => ({ action: 'fold' }) as const;

/** A client that is connected: its first message was read. */
async function connected(t: Test, server: ScriptedServer, options: Partial<PlayerOptions> = {}) {
  const client = new PlayerClient({
    wsUrl: server.wsUrl,
    apiKey: 'key',
    strategy: folder,
    backoffMs: 1,
    longestBackoffMs: 20,
    ...options,
  });
  t.teardown(() => client.stop());
  client.start();
  const talk = await server.connection();
  t.equal(talk.authorization, 'Bearer key');
  talk.say('connected');
  t.same(await talk.heard(), { type: 'join_lobby' }, 'it joins as soon as it is known');
  return { client, talk };
}

/** The same, seated, with its cards and its first turn asked. */
async function atTurn(t: Test, server: ScriptedServer, options: Partial<PlayerOptions> = {}) {
  const { client, talk } = await connected(t, server, options);
  talk.say('lobby_joined');
  talk.say('table_joined');
  talk.say('hand_start');
  talk.say('player_action');
  talk.say('table_state');
  talk.send(turn);
  return { client, talk };
}

const answerTo = (choice: object, id = turn.turn_token): Said => ({
  type: 'action',
  ...choice,
  client_action_id: id,
  turn_token: turn.turn_token,
  hand_id: turn.hand_id,
});

await t.test('a turn is answered once, with all three ids, by what the table shows', async (t) => {
  const server = await ScriptedServer.open(t);
  const seen: unknown[] = [];
  const { talk, client } = await atTurn(t, server, {
    strategy: ({ seat, legal }, { holeCards, board, pot, button, bigBlind, seats, actions }) => {
      const names = seats.map((other) => `${other.name} ${other.stack}${other.folded ? ' folded' : ''}`);
      seen.push({ seat, legal, holeCards, board, pot, button, bigBlind, names, did: actions.map((a) => a.action) });
      return { action: 'raise', amount: 60 };
    },
  });
  t.same(await talk.heard(), answerTo({ action: 'raise', amount: 60 }));
  t.same(seen, [
    {
      seat: 0,
      legal: { fold: true, check: false, call: 10, raiseMin: 40, raiseMax: 2000, allIn: 1980 },
      holeCards: [parseCard('As'), parseCard('Td')],
      board: [],
      pot: 30,
      button: 3,
      bigBlind: 20,
      names: ['ada_bot 1980', 'house_1 0', 'bob 1990'],
      did: ['raise'],
    },
  ]);
  t.same(client.place, { table: turn.table_id, seat: 0 });
  talk.send(turn);
  talk.say('resync_response');
  await talk.heardNothing();
});

await t.test('a refused action is replaced by the safe one, once', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await atTurn(t, server, { strategy: () => ({ action: 'raise', amount: 21 }) });
  await talk.heard();
  talk.say('action_rejected', { code: 'invalid_action' });
  t.same(await talk.heard(), answerTo({ action: 'fold' }, `${turn.turn_token}-2`));
  talk.say('action_rejected', { code: 'invalid_action' });
  talk.say('action_rejected', { code: 'stale_turn_token' });
  await talk.heardNothing();
});

await t.test(
  'after a lost connection it asks for what it missed, and a lost answer goes out again as it was',
  async (t) => {
    const server = await ScriptedServer.open(t);
    let decisions = 0;
    const { talk, client } = await atTurn(t, server, {
      strategy: () => (++decisions === 1 ? { action: 'raise', amount: 60 } : { action: 'fold' }),
    });
    const first = await talk.heard();
    talk.cut();

    const second = await server.connection();
    second.say('connected');
    second.say('table_state');
    second.send(turn);
    t.match(await second.heard(), { type: 'resync_request', table_id: turn.table_id, last_table_seq: turn.table_seq });
    t.same(await second.heard(), first, 'the same answer under the same id');
    const missed = { ...examples.player_action, table_seq: 18, action: 'call' as const };
    second.say('resync_response', { replayed_events: [missed] });
    second.say('action_ack');
    await second.heardNothing();
    t.equal(decisions, 1);
    t.same(
      client.view.actions.map((action) => action.action),
      ['raise', 'call'],
      'what was missed is known',
    );
  },
);

await t.test('an answer that is accepted is not sent again, and the next turn is decided anew', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await atTurn(t, server);
  await talk.heard();
  talk.say('action_ack');
  talk.cut();
  const second = await server.connection();
  second.say('connected');
  t.match(await second.heard(), { type: 'resync_request' });
  const { snapshot } = examples.resync_response;
  second.say('resync_response', { snapshot: { ...snapshot, hero: { seat: 0, hole_cards: ['As', 'Td'] } } });
  await second.heardNothing();
  second.say('your_turn', { turn_token: 'another' });
  t.match(await second.heard(), { action: 'fold', turn_token: 'another', client_action_id: 'another' });
});

await t.test('a turn whose hand was cut off is decided no more, whatever tells of it', async (t) => {
  const server = await ScriptedServer.open(t);
  let decisions = 0;
  const thinking: Partial<PlayerOptions> = { pace: () => 600_000, strategy: () => (decisions++, folder()) };
  const ways: Record<string, (talk: Conversation) => Promise<Conversation>> = {
    'its table without a hand': (talk) => {
      talk.send(idleState);
      return Promise.resolve(talk);
    },
    'the next hand': (talk) => {
      talk.say('hand_start', { hand_id: '01a20539-5e60-70b0-b3a2-5d2edaf71dea' });
      return Promise.resolve(talk);
    },
    'a resync': async (talk) => {
      talk.cut();
      const second = await server.connection();
      second.say('connected');
      t.match(await second.heard(), { type: 'resync_request' });
      second.say('resync_response', { snapshot: idleState });
      return second;
    },
  };
  for (const [what, way] of Object.entries(ways)) {
    const { talk, client } = await atTurn(t, server, thinking);
    const present = await way(talk);
    await present.heardNothing();
    client.hurry();
    await present.heardNothing();
    t.equal(decisions, 0, what);
    await client.stop();
  }
});

await t.test('a seat that is gone when it comes back is no seat: it joins again', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await atTurn(t, server);
  await talk.heard();
  talk.close(1012);
  const second = await server.connection();
  second.say('connected');
  await second.heard();
  second.say('resync_response', { role: 'spectator', snapshot: examples.table_state });
  t.same(await second.heard(), { type: 'join_lobby' });
  second.say('table_joined');
  second.cut();
  const third = await server.connection();
  third.say('connected');
  t.match(await third.heard(), { type: 'resync_request', last_table_seq: examples.table_joined.table_seq });
  third.say('error', { code: 'table_not_found' });
  t.same(await third.heard(), { type: 'join_lobby' });
});

await t.test('a seat it did not know of is taken up where it stands', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await connected(t, server);
  const place = { table_id: turn.table_id, seat: 0 };
  talk.send({ type: 'error', code: 'already_seated', message: 'seated', ...place, details: place });
  t.same(await talk.heard(), { type: 'resync_request', table_id: turn.table_id, last_table_seq: null });
  talk.say('resync_response');
  t.same(await talk.heard(), answerTo({ action: 'fold' }), 'with the turn that waits');
});

await t.test('whatever ends a stay, it joins again', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await atTurn(t, server);
  await talk.heard();
  const ends: ((talk: Conversation) => void)[] = [
    (talk) => talk.say('player_left', { seat: 0, reason: 'left' }),
    (talk) => talk.say('table_closed'),
    (talk) => talk.say('busted'),
    (talk) => talk.say('season_ended'),
    (talk) => talk.say('action_rejected', { code: 'not_at_table' }),
  ];
  for (const end of ends) {
    talk.say('table_joined');
    talk.say('player_left', { seat: 3 });
    end(talk);
    t.same(await talk.heard(), { type: 'join_lobby' });
  }
});

await t.test('out of chips it buys again: at once, or when the cooldown is over', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await connected(t, server);
  talk.say('error', { code: 'insufficient_season_chips' });
  t.same(await talk.heard(), { type: 'rebuy', amount: 0 });
  const rebuyAt = new Date(Date.now() + 100).toISOString().replace('Z', '+00:00');
  const wait = { cooldown_seconds: 1, rebuy_at: rebuyAt };
  talk.send({ type: 'error', code: 'rebuy_cooldown', message: 'wait', ...wait });
  t.same(await talk.heard(), { type: 'rebuy', amount: 0 });
  t.ok(Date.now() >= Date.parse(rebuyAt) - 2);
  talk.say('rebuy_confirmed');
  t.same(await talk.heard(), { type: 'join_lobby' });
});

await t.test('it may leave rebuys to the server, which must be told in every season', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await connected(t, server, { autoRebuy: true });
  talk.say('lobby_joined');
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: true });
  talk.say('auto_rebuy_set');
  talk.say('table_closed');
  t.same(await talk.heard(), { type: 'join_lobby' });
  talk.say('lobby_joined');
  talk.say('season_ended');
  t.same(await talk.heard(), { type: 'join_lobby' }, 'not said twice in a season');
  talk.say('lobby_joined');
  t.same(await talk.heard(), { type: 'set_auto_rebuy', enabled: true });
});

await t.test('what the server would not hear now is said later', async (t) => {
  const server = await ScriptedServer.open(t);
  const { talk } = await connected(t, server);
  talk.say('error', { code: 'lobby_full' });
  t.same(await talk.heard(), { type: 'join_lobby' });
  talk.say('table_joined');
  talk.say('table_state');
  talk.send(turn);
  const dropped = await talk.heard();
  talk.say('error', { code: 'rate_limited' });
  t.same(await talk.heard(), dropped);
});

await t.test(
  'one that leaves answers no more turns and stays away; one that changes its seat comes back',
  async (t) => {
    const server = await ScriptedServer.open(t);
    const { talk, client } = await atTurn(t, server);
    await talk.heard();
    client.changeSeat();
    t.same(await talk.heard(), { type: 'leave_table' });
    talk.say('your_turn', { turn_token: 'late' });
    talk.say('player_left', { seat: 0 });
    t.same(await talk.heard(), { type: 'join_lobby' });
    talk.say('table_joined');
    await talk.heardNothing();
    client.leave();
    t.same(await talk.heard(), { type: 'leave_table' });
    talk.say('player_left', { seat: 0 });
    talk.say('table_closed');
    await talk.heardNothing();
  },
);

await t.test('without a strategy its turns are answered by hand, each once', async (t) => {
  const server = await ScriptedServer.open(t);
  let asked = () => undefined as unknown;
  const turned = new Promise<void>((resolve) => (asked = resolve));
  const { talk, client } = await atTurn(t, server, { strategy: null, on: { your_turn: () => queueMicrotask(asked) } });
  t.notOk(client.act({ action: 'call' }), 'not before it is asked');
  await turned;
  t.ok(client.act({ action: 'call' }));
  t.notOk(client.act({ action: 'fold' }));
  t.same(await talk.heard(), answerTo({ action: 'call' }));
  await talk.heardNothing();
});

await t.test('a session that another took over, or a dead key, is the end', async (t) => {
  for (const code of [4001, 4002, 4003, 4009]) {
    const server = await ScriptedServer.open(t);
    const ended = new Promise((resolve) => {
      void connected(t, server, { onEnded: resolve }).then(({ talk }) => talk.close(code));
    });
    t.equal(await ended, code);
  }
});

await t.test('listeners hear every message they ask for, also those the client itself need not read', async (t) => {
  const server = await ScriptedServer.open(t);
  const heard: string[] = [];
  const latencies: number[] = [];
  const texts: string[] = [];
  const { talk } = await atTurn(t, server, {
    on: {
      table_state: ({ street }) => heard.push(street),
      player_action: ({ action }) => heard.push(action),
      hand_result: ({ total_pot: pot }) => heard.push(String(pot)),
    },
    onText: (text) => texts.push(text),
    onLatency: (ms) => latencies.push(ms),
  });
  await talk.heard();
  talk.say('action_ack');
  talk.say('hand_result');
  await talk.heardNothing();
  t.same(heard, ['raise', 'preflop', '4456']);
  t.equal(latencies.length, 1);
  t.ok(latencies[0]! > 0);
  t.equal(texts.length, 10, 'and all texts can be had');
});

// ---- bots of the house

async function houseBot(t: Test, idlePauseMs: number) {
  const server = await ScriptedServer.open(t);
  const bots = [{ name: 'ada_bot', apiKey: 'key', strategy: 'rock' as const }];
  const task = { wsUrl: server.wsUrl, bots: [...bots, { ...bots[0]!, name: 'bob' }], idlePauseMs };
  const house = new HouseBots(task, () => undefined);
  t.teardown(() => house.stop());
  house.start();
  const talk = await server.connection();
  talk.say('connected');
  await talk.heard();
  talk.say('table_joined');
  return { house, talk };
}

/** The table with two bots of this house, or with house_1 as well, whom these do not know. */
const seats = examples.table_state.seats;
const company = seats.filter((seat) => seat.name !== 'house_1');

await t.test('a house bot takes its time among its like, until a guest comes', async (t) => {
  const { talk } = await houseBot(t, 600_000);
  talk.say('table_state', { seats: company });
  talk.send(turn);
  await talk.heardNothing();
  talk.say('player_joined', { seat: 4, name: 'bob' });
  await talk.heardNothing();
  talk.say('player_joined', { seat: 4, name: 'guest' });
  t.match(await talk.heard(), { type: 'action', turn_token: turn.turn_token });
  talk.say('table_state', { seats });
  talk.say('your_turn', { turn_token: 'next' });
  t.match(await talk.heard(), { turn_token: 'next' }, 'and with a guest at the table at once');
});

await t.test('a house that closes does not wait for its bots', async (t) => {
  const { house, talk } = await houseBot(t, 600_000);
  talk.say('table_state', { seats: company });
  talk.send(turn);
  await talk.heardNothing();
  house.hurry();
  t.match(await talk.heard(), { turn_token: turn.turn_token });
  talk.say('your_turn', { turn_token: 'next' });
  t.match(await talk.heard(), { turn_token: 'next' });
});

await t.test('a house bot plays its turn after its pause', async (t) => {
  const { talk } = await houseBot(t, 20);
  talk.say('table_state', { seats: company });
  talk.send(turn);
  t.match(await talk.heard(), { turn_token: turn.turn_token });
});
