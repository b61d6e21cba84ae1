/** The bots of the house: starting hands, equity, styles that play legally and differ as their names say. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createStrategy, HouseBots, PlayerClient, STRATEGY_NAMES, STYLES } from '../../src/bots/index.js';
import type { PlayerOptions, StrategyName } from '../../src/bots/index.js';
import { equity } from '../../src/bots/strategies/equity.js';
import { percentileOf } from '../../src/bots/strategies/starting-hands.js';
import { heated } from '../../src/bots/strategies/style.js';
import { Temper } from '../../src/bots/strategies/temper.js';
import { DECK_SIZE, parseCard, type Card } from '../../src/cards/card.js';
import { boardKey, evaluateWithBoard } from '../../src/cards/evaluator.js';
import { drawCards, seededRandom } from '../../src/cards/shuffle.js';
import { playHands, type SeatCounts } from '../../src/bots/sparring.js';
import { examples, idleState } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { ScriptedServer, type Conversation, type Said } from '../support/scripted-server.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

t.comment(`SEED=${seed}`);

const cards = (names: string): Card[] => names.split(' ').map(parseCard);
const pair = (names: string): [Card, Card] => cards(names) as [Card, Card];
const minds = (names: readonly StrategyName[], from: number) => names.map((name, i) => createStrategy(name, from + i));

await t.test('starting hands are ranked from aces to the worst, over all 1,326', async (t) => {
  const order = ['Ah Ac', 'Kh Kc', 'Ah Kh', 'Ah Kc', 'Jh Th', '7h 7c', 'Ah 2c', '9h 4c', '7h 2c'];
  const ranks = order.map((names) => percentileOf(pair(names)));
  t.same(
    ranks,
    [...ranks].sort((a, b) => a - b),
  );
  t.ok(ranks[0]! < 0.003, 'aces are one hand in 221');
  t.equal(percentileOf(pair('Kc Ah')), percentileOf(pair('Ah Kc')), 'in either order');

  const all = Array.from({ length: DECK_SIZE }, (_, a) => Array.from({ length: a }, (_, b) => percentileOf([a, b])));
  const flat = all.flat();
  t.ok(Math.abs(flat.reduce((sum, p) => sum + p, 0) / flat.length - 0.5) < 1e-6, 'so the middle is one half');
  for (const share of [0.1, 0.25, 0.5]) {
    const within = flat.filter((p) => p < share).length / flat.length;
    t.ok(Math.abs(within - share) < 0.03, `a style that plays ${share} of its hands gets ${within}`);
  }
});

await t.test('equity is the share of the pot against random hands, or hands of a range', async (t) => {
  const random = seededRandom(seed);
  const against = (hole: string, board: string, ranges: number[], samples = 4000) =>
    equity(pair(hole), board === '' ? [] : cards(board), ranges, [], samples, random);
  const of = (hole: string, board: string, opponents: number, samples = 4000) =>
    against(hole, board, new Array<number>(opponents).fill(1), samples);
  // Published values, five standard errors apart.
  t.ok(Math.abs(of('Ah Ac', '', 1) - 0.852) < 0.03);
  t.ok(Math.abs(of('7h 2c', '', 1) - 0.346) < 0.04);
  t.ok(Math.abs(of('Ah Ac', '', 5) - 0.492) < 0.04);
  t.equal(of('Ah Kh', 'Qh Jh Th 2c 3c', 5, 200), 1, 'nothing beats the royal flush');
  t.equal(of('2c 3d', 'Ah Kh Qh Jh Th', 3, 200), 0.25, 'on the board it is everybody’s');
  // On a full board the hands of a range can be counted.
  const [hole, board] = [pair('Jh Tc'), cards('Js 8d 3c 2h Qs')];
  const known = new Set([...hole, ...board]);
  const worth = (a: Card, b: Card) => evaluateWithBoard(boardKey(board), board, a, b);
  let [won, all] = [0, 0];
  for (let a = 0; a < DECK_SIZE; a++) {
    for (let b = 0; b < a; b++) {
      if (known.has(a) || known.has(b) || percentileOf([a, b]) > 0.15) continue;
      all++;
      won += (Math.sign(worth(...hole) - worth(a, b)) + 1) / 2;
    }
  }
  t.ok(Math.abs(against('Jh Tc', 'Js 8d 3c 2h Qs', [0.15]) - won / all) < 0.04, `${won / all}`);
  t.ok(against('Kh Kc', 'As Ad Ah', [0.002], 200) > 0, 'an empty range is any hand');
  t.ok(against('Jh Tc', '', [0.1, 0.3]) < of('Jh Tc', '', 2) - 0.05, 'good hands win more than any');
});

await t.test('who asks on which side of a line its share lies is told the same, and sooner', async (t) => {
  const random = seededRandom(seed + 1);
  let draws = 0;
  const counted = { next16: () => (draws++, random.next16()) };
  const deck = new Uint8Array(7);
  const drawn = [0, 0];
  let [clear, otherwise] = [0, 0];
  for (let spot = 0; spot < 400; spot++) {
    drawCards(deck, deck.length, random);
    const ask = (lines: number[], samples: number) => {
      draws = 0;
      const open = [...deck.subarray(2, 5 + ((spot >> 2) % 3))];
      const share = equity([deck[0]!, deck[1]!], open, spot % 2 === 0 ? [1] : [0.3, 1], lines, samples, counted);
      drawn[lines.length === 0 ? 0 : 1]! += draws / samples;
      return share;
    };
    const line = [0.3, 0.5, 0.7][spot % 3]!;
    const exact = ask([], 2000);
    if (Math.abs(exact - line) < 0.08) continue;
    clear++;
    if (exact >= line !== ask([line], 200) >= line) otherwise++;
  }
  t.ok(clear > 200, `${clear} spots are clear of their line`);
  t.ok(otherwise <= 0.03 * clear, `${otherwise} of them told otherwise`);
  t.ok(drawn[1]! < 0.5 * drawn[0]!, `${(drawn[1]! / drawn[0]!).toFixed(2)} of the cards drawn`);
});

await t.test('every style plays legally, with any stacks and any number of opponents', async (t) => {
  const names = fc.array(fc.constantFrom(...STRATEGY_NAMES), { minLength: 2, maxLength: 6 });
  const property = fc.property(names, fc.nat(), fc.constantFrom(30, 400, 5000), (seats, game, most) => {
    // playHands throws at the first refusal.
    playHands(minds(seats, game), 20, game, (roll) => 1 + roll(most));
    return true;
  });
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 150 }));
});

await t.test('the same seed plays the same, another one differently', async (t) => {
  const choices = (dice: number) => playHands(minds(STRATEGY_NAMES, dice), 100, 7).choices;
  t.same(choices(1), choices(1));
  t.notSame(choices(1), choices(100));
});

await t.test('styles differ as their names say', async (t) => {
  const hands = 3000;
  const { conduct } = playHands(minds(STRATEGY_NAMES, seed), hands, seed);
  const by = (measure: (seat: SeatCounts) => number) =>
    Object.fromEntries(STRATEGY_NAMES.map((name, i) => [name, measure(conduct[i]!)])) as Record<StrategyName, number>;
  const rises = (what: string, values: Record<StrategyName, number>, ...order: StrategyName[]) => {
    const found = order.map((name) => values[name]);
    const steps = found.slice(1).map((value, i) => value > found[i]!);
    t.ok(steps.every(Boolean), `${what}: ${order.map((name) => `${name} ${values[name].toFixed(2)}`).join(' < ')}`);
  };
  const vpip = by((seat) => seat.vpip / seat.hands);
  rises('hands played', vpip, 'rock', 'shark', 'bluffer', 'gambler');
  rises('hands played', vpip, 'rock', 'gto_lite', 'bluffer', 'calling_station');
  const pfr = by((seat) => seat.pfr / seat.hands);
  rises('hands raised', pfr, 'calling_station', 'rock', 'shark', 'bluffer', 'gambler');
  const aggression = by((seat) => seat.raises / seat.calls);
  rises('raises to a call', aggression, 'calling_station', 'rock', 'bluffer');
  rises('raises to a call', aggression, 'calling_station', 'gto_lite', 'bluffer');
  const folds = by((seat) => seat.folds / (seat.folds + seat.calls + seat.raises));
  rises('folds to all answers', folds, 'calling_station', 'rock');
  const profit = by((seat) => seat.profit);
  t.ok(profit.shark > profit.calling_station, 'and the shark lives off the calling station');
});

await t.test('a style is numbers from 0 to 1, and a big loss heats one that tilts for a while', async (t) => {
  for (const style of Object.values(STYLES)) {
    for (const mood of [style, heated(style, 1)]) {
      for (const [key, value] of Object.entries(mood)) t.ok(value >= 0 && value <= 1, `${key} ${value}`);
    }
  }
  t.same(heated(STYLES.shark, 1), STYLES.shark, 'the shark keeps calm');
  t.ok(heated(STYLES.gambler, 1).vpip > STYLES.gambler.vpip);

  const temper = new Temper();
  const legal = { fold: true, check: false, call: 20, raiseMin: 40, raiseMax: 2000, allIn: 2000 };
  const heatWith = (handId: string, stack: number) => {
    const hero = { seat: 2, name: 'hero', stack, bet: 0, inHand: true, folded: false };
    const view = { holeCards: pair('Ah Ac'), board: [], button: 0, smallBlind: 10, bigBlind: 20, pot: 30, actions: [] };
    return temper.heat({ handId, seat: 2, legal }, { ...view, seats: [hero] });
  };
  t.equal(heatWith('1', 2000), 0);
  t.equal(heatWith('2', 1900), 0, 'five blinds are nothing');
  t.equal(heatWith('3', 1000), 1);
  t.equal(heatWith('3', 500), 1, 'asked again in the same hand');
  const after = ['4', '5', '6'].map((handId) => heatWith(handId, 1000));
  t.ok(1 > after[0]! && after[0]! > after[1]! && after[1]! > after[2]! && after[2]! > 0);
});

// ---- the client, against a server that the test plays

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
      holeCards: pair('As Td'),
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
