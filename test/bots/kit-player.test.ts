/** The additions of the platform's own bots to the kit: a pace, a seat after the last one, and the house's manners. */
import t, { type Test } from 'tap';
import { HouseBots, KitPlayer, type KitPlayerOptions } from '../../src/bots/index.js';
import { examples, idleState } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { ScriptedServer, type Conversation } from '../support/scripted-server.js';

t.setTimeout(FILE_MS);

const turn = examples.your_turn;

/** Frames of one table rise in number. */
let seq = 100;
const numbered = <T extends object>(frame: T): T => ({ ...frame, table_seq: ++seq });

type Spoken = Parameters<Conversation['say']>[0];
/** Says an event of the table with the next number. */
function tell(talk: Conversation, type: Spoken, changes: object = {}): void {
  talk.send(numbered({ ...examples[type], ...changes }) as Parameters<Conversation['send']>[0]);
}

/** A player that is connected: its join was read. */
async function connected(t: Test, server: ScriptedServer, options: Partial<KitPlayerOptions> = {}) {
  const player = new KitPlayer({ wsUrl: server.wsUrl, apiKey: 'key', decide: (hand) => hand.fold(), ...options });
  t.teardown(() => player.stop());
  player.start();
  const talk = await server.connection();
  t.equal(talk.authorization, 'Bearer key');
  talk.say('connected');
  t.same(await talk.heard(), { type: 'join_lobby' });
  return { player, talk };
}

/** The same, seated, with its first turn asked. */
async function atTurn(t: Test, server: ScriptedServer, options: Partial<KitPlayerOptions> = {}) {
  const { player, talk } = await connected(t, server, options);
  tell(talk, 'table_joined');
  ask(talk);
  return { player, talk };
}

/** Deals the hand of the turn, and asks for it. */
function ask(talk: Conversation, seats: object = {}): void {
  tell(talk, 'hand_start');
  tell(talk, 'table_state', seats);
  tell(talk, 'your_turn');
}

await t.test('a turn waits for its pace, and hurrying ends the wait', async (t) => {
  const server = await ScriptedServer.open(t);
  const { player, talk } = await atTurn(t, server, { pace: () => 600_000 });
  await talk.heardNothing();
  player.hurry();
  t.match(await talk.heard(), { type: 'action', action: 'fold', turn_token: turn.turn_token });
  t.same(player.place, { tableId: turn.table_id, seat: 0 });
});

await t.test('a turn whose hand was cut off is decided no more, whatever tells of it', async (t) => {
  const ways: Record<string, (talk: Conversation, server: ScriptedServer) => Promise<Conversation>> = {
    'its table without a hand': (talk) => {
      talk.send(numbered(idleState));
      return Promise.resolve(talk);
    },
    'the next hand': (talk) => {
      tell(talk, 'hand_start', { hand_id: '01a20539-5e60-70b0-b3a2-5d2edaf71dea' });
      return Promise.resolve(talk);
    },
    'a resync': async (talk, server) => {
      talk.cut();
      const second = await server.connection();
      second.say('connected');
      t.match(await second.heard(), { type: 'resync_request' });
      tell(second, 'resync_response', { snapshot: idleState });
      return second;
    },
  };
  for (const [what, way] of Object.entries(ways)) {
    const server = await ScriptedServer.open(t);
    let decisions = 0;
    const options: Partial<KitPlayerOptions> = {
      pace: () => 600_000,
      decide: (hand) => {
        decisions++;
        return hand.fold();
      },
    };
    const { player, talk } = await atTurn(t, server, options);
    await talk.heardNothing();
    const present = await way(talk, server);
    present.say('rebuy_confirmed');
    await present.heardNothing();
    player.hurry();
    present.say('rebuy_confirmed');
    await present.heardNothing();
    t.equal(decisions, 0, what);
    await player.stop();
  }
});

await t.test('one that changes its seat comes back on a new connection', async (t) => {
  const server = await ScriptedServer.open(t);
  const { player, talk } = await atTurn(t, server);
  await talk.heard();
  player.changeSeat();
  t.same(await talk.heard(), { type: 'leave_table' });
  tell(talk, 'player_left', { seat: 0, reason: 'left' });
  const second = await server.connection();
  second.say('connected');
  t.same(await second.heard(), { type: 'join_lobby' });
});

await t.test('one that leaves gives its seat up and ends', async (t) => {
  const server = await ScriptedServer.open(t);
  let onLeft = () => undefined as unknown;
  const left = new Promise<void>((resolve) => (onLeft = resolve));
  const { player, talk } = await atTurn(t, server, { onLeft: () => void onLeft() });
  await talk.heard();
  const closed = talk.closed();
  t.ok(player.leave());
  t.same(await talk.heard(), { type: 'leave_table' });
  tell(talk, 'player_left', { seat: 0, reason: 'left' });
  await left;
  t.equal(await closed, 1000);
});

await t.test('without a connection nothing can be given up', (t) => {
  const player = new KitPlayer({ wsUrl: 'ws://127.0.0.1:1/ws', apiKey: 'key', decide: (hand) => hand.fold() });
  t.notOk(player.leave());
  t.equal(player.place, null);
  t.notOk(player.send({ type: 'join_lobby' }));
  t.end();
});

await t.test('it asks for another seat at once, or after its pause', async (t) => {
  for (const rejoinMs of [0, 20, 600_000]) {
    const server = await ScriptedServer.open(t);
    const { player, talk } = await atTurn(t, server, { rejoinMs });
    await talk.heard();
    tell(talk, 'table_closed');
    if (rejoinMs === 600_000) await talk.heardNothing();
    else t.same(await talk.heard(), { type: 'join_lobby' }, `${rejoinMs} ms`);
    await player.stop();
  }
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

await t.test('a decide that throws is told of, and a rebuy that is refused for good', async (t) => {
  const server = await ScriptedServer.open(t);
  const faults: string[] = [];
  let onBroke = () => undefined as unknown;
  const broke = new Promise<void>((resolve) => (onBroke = resolve));
  const { talk } = await atTurn(t, server, {
    decide: () => {
      throw new TypeError('my own fault');
    },
    onFault: (text) => faults.push(text),
    onBroke: () => void onBroke(),
  });
  t.match(await talk.heard(), { action: 'fold' });
  t.match(faults, [/my own fault/]);
  talk.say('busted', { options: ['rebuy', 'leave'] });
  t.match(await talk.heard(), { type: 'rebuy' });
  talk.say('error', { code: 'invalid_rebuy' });
  await broke;
});

// ---- bots of the house

async function houseBot(t: Test, idlePauseMs: number) {
  const server = await ScriptedServer.open(t);
  const bots = [{ name: 'ada_bot', apiKey: 'key', strategy: 'rock' as const }];
  const task = { wsUrl: server.wsUrl, bots: [...bots, { ...bots[0]!, name: 'bob' }], idlePauseMs };
  const house = new HouseBots(task, (name, reason) => t.fail(`${name}: ${reason}`));
  t.teardown(() => house.stop());
  house.start();
  const talk = await server.connection();
  talk.say('connected');
  await talk.heard();
  tell(talk, 'table_joined');
  return { house, talk };
}

/** The table with two bots of this house, or with house_1 as well, whom these do not know. */
const seats = examples.table_state.seats;
const company = seats.filter((seat) => seat.name !== 'house_1');

/** Asks for another turn of the same hand. */
function askNext(talk: Conversation, changes: object = {}): void {
  tell(talk, 'table_state', changes);
  tell(talk, 'your_turn', { turn_token: 'next' });
}

await t.test('a house bot takes its time among its like, until a guest comes', async (t) => {
  const { talk } = await houseBot(t, 600_000);
  ask(talk, { seats: company });
  await talk.heardNothing();
  tell(talk, 'player_joined', { seat: 4, name: 'bob' });
  talk.say('rebuy_confirmed');
  await talk.heardNothing();
  tell(talk, 'player_joined', { seat: 4, name: 'guest' });
  t.match(await talk.heard(), { type: 'action', turn_token: turn.turn_token });
  askNext(talk, { seats });
  t.match(await talk.heard(), { turn_token: 'next' }, 'and with a guest at the table at once');
});

await t.test('a house that closes does not wait for its bots', async (t) => {
  const { house, talk } = await houseBot(t, 600_000);
  ask(talk, { seats: company });
  await talk.heardNothing();
  house.hurry();
  t.match(await talk.heard(), { turn_token: turn.turn_token });
  askNext(talk, { seats: company });
  t.match(await talk.heard(), { turn_token: 'next' });
});

await t.test('a house bot plays its turn after its pause', async (t) => {
  const { talk } = await houseBot(t, 20);
  ask(talk, { seats: company });
  t.match(await talk.heard(), { turn_token: turn.turn_token });
});
