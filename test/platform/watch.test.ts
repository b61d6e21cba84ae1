/** Spectators of a table: their view, their number, the cards that they may see, and the end of slow readers. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import type { ServerMessage } from '../../src/protocol/server.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';
import { calling, scenesOf } from '../support/scene.js';
import { cookieOf, tokenIn } from '../support/sign-in.js';
import { Spectator } from '../support/spectator.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const EVENTS = ['hand_start', 'player_action', 'community_cards', 'hand_result', 'player_joined', 'player_left'];
/** Fields for one viewer. */
const PRIVATE = ['action_id', 'own_opened'];

/** The public events of a hand that were read, as everybody reads them. */
const publicOf = (frames: readonly ServerMessage[], handId: string) =>
  frames
    .filter((frame) => EVENTS.includes(frame.type) && 'hand_id' in frame && frame.hand_id === handId)
    .map((frame) => {
      const own = frame.type === 'hand_start' ? [...PRIVATE, 'seat'] : PRIVATE;
      return Object.fromEntries(Object.entries(frame).filter(([name]) => !own.includes(name)));
    });

const platform = await TestPlatform.start(t, { LOG_LEVEL: 'info', WATCHERS: 8 });
const scene = scenesOf(t, platform);

await scene('a spectator reads the state, then all that is public, hand after hand', async (t, scene) => {
  const game = await scene.game(3);
  const [ada] = game.players;
  const before = (await game.actor()).turn!.hand_id;
  const spectator = await Spectator.open(platform, game.tableId);
  const state = await spectator.first('table_state');
  t.match(state, { table_id: game.tableId, hand_id: before, street: 'preflop' });
  t.equal(state.hero, undefined, 'nobody’s');
  await game.finish(calling);
  const second = (await game.actor()).turn!.hand_id;
  await game.finish(calling);
  await spectator.until('the second result', () => spectator.all('hand_result').find((r) => r.hand_id === second));
  const types = new Set(spectator.frames.map(({ type }) => type));
  t.same(
    [...types].filter((type) => ![...EVENTS, 'table_state'].includes(type)),
    [],
    'nothing private',
  );
  t.same(publicOf(spectator.frames, second), publicOf(ada!.frames, second), 'as a player reads it');
  const begins = spectator.frames.findIndex((frame) => frame.type === 'hand_start' && frame.hand_id === second);
  const next = spectator.frames[begins + 1]!;
  t.match(next, { type: 'table_state', hand_id: second }, 'with the state that has the blinds in it');
  t.ok(
    next.type === 'table_state' && next.seats.some(({ bet }) => bet === 20),
    'so that nobody needs to know who posts them',
  );
  await spectator.close();
});

await scene('who comes in the middle, and the table that closes', async (t, scene) => {
  const game = await scene.game(2);
  const early = await Spectator.open(platform, game.tableId);
  await early.first('table_state');
  const { hand_id: handId } = (await game.actor()).turn!;
  await game.play('call');
  const late = await Spectator.open(platform, game.tableId.toUpperCase());
  const state = await late.first('table_state');
  t.equal(state.hand_id, handId);
  await game.finish(calling);
  const result = await late.until('the result', () => late.all('hand_result').find((r) => r.hand_id === handId));
  const after = early.frames.filter((frame) => 'table_seq' in frame && frame.table_seq > state.table_seq);
  const end = after.findIndex((frame) => frame.type === 'hand_result' && frame.hand_id === handId);
  t.same(
    late.frames.slice(1, late.frames.indexOf(result) + 1),
    after.slice(0, end + 1),
    'from its state on it reads what the others read',
  );
  await platform.sql!`
    insert into table_closings (table_id) values (${game.tableId})`;
  await platform.sql!`select pg_notify('agent_poker_admin', '')`;
  for (const player of game.players) player.auto = calling;
  const actor = await game.actor();
  actor.act(calling(actor.turn!).action);
  for (const spectator of [early, late]) {
    t.match(await spectator.closed, { code: 4010, reason: 'table closed' });
    t.match(spectator.frames.at(-1), { type: 'table_closed', reason: 'closed_by_operator' });
  }
});

await t.test('there must be a table', async (t) => {
  for (const table of ['nowhere', '', '00000000-0000-4000-8000-000000000000']) {
    const spectator = await Spectator.open(platform, table);
    t.match(await spectator.closed, { code: 4004 }, table);
    t.match(spectator.frames, [{ type: 'error', code: 'table_not_found' }]);
  }
});

await scene(
  'so many sockets an address, and in all',
  async (t, scene) => {
    const { tableId } = await scene.game(2);
    const home = { 'x-forwarded-for': '203.0.113.77' };
    const five = [];
    for (let n = 0; n < 5; n++) five.push(await Spectator.open(platform, tableId, home));
    await Promise.all(five.map((spectator) => spectator.first('table_state')));
    const sixth = await Spectator.open(platform, tableId, home);
    t.match(await sixth.closed, { code: 4008 });
    t.match(sixth.frames, [{ type: 'error', code: 'rate_limited' }]);
    await five.pop()!.close();
    five.push(await Spectator.open(platform, tableId, home));
    await five.at(-1)!.first('table_state');
    const away = { 'x-forwarded-for': '203.0.113.79' };
    for (let n = 0; n < 3; n++) five.push(await Spectator.open(platform, tableId, away));
    await Promise.all(five.map((spectator) => spectator.first('table_state')));
    const ninth = await Spectator.open(platform, tableId, away);
    t.match(await five[0]!.closed, { code: 4008 }, 'eight in all: the oldest of the address with the most makes room');
    t.match(five[0]!.frames.at(-1), { type: 'error', code: 'rate_limited' });
    await ninth.first('table_state');
    t.match(
      await (
        await Spectator.open(platform, tableId, away)
      ).closed,
      { code: 4008 },
      'no address pushes out its equals',
    );
    const site = (host: string) => ({ 'x-forwarded-for': `2001:db8:5:${host}` });
    const [one, two] = [
      await Spectator.open(platform, tableId, site('1::1')),
      await Spectator.open(platform, tableId, site('2::2')),
    ];
    await Promise.all([one, two].map((spectator) => spectator.first('table_state')));
    t.match(await five[1]!.closed, { code: 4008 });
    t.match(await five[5]!.closed, { code: 4008 }, 'both had four, and then the other had more');
    const third = await Spectator.open(platform, tableId, site('3::3'));
    t.match(await third.closed, { code: 4008 }, 'an IPv6 /48 is one address');
    await Promise.all([...five, ninth, one, two].map((spectator) => spectator.close()));

    const refusals: number[] = [];
    for (let n = 0; n < 62; n++) {
      const headers = { 'x-forwarded-for': '203.0.113.78' };
      const ws = new WebSocket(`${platform.wsUrl}/watch?table_id=nowhere`, { headers });
      const status = await new Promise<number>((resolve) => {
        ws.on('open', () => resolve(101));
        ws.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
        ws.on('error', () => resolve(0));
      });
      if (status !== 101) refusals.push(status);
      ws.terminate();
    }
    t.same(refusals, [429, 429], 'who comes again and again is refused');
  },
  'spectators of several nodes come to the table’s in any order',
);

await scene('whatever a spectator says, nothing is read', async (t, scene) => {
  const game = await scene.game(2);
  const spectator = await Spectator.open(platform, game.tableId);
  await spectator.first('table_state');
  const { turn } = await game.actor();
  const act = { type: 'action', action: 'fold', turn_token: turn!.turn_token, hand_id: turn!.hand_id };
  for (const said of [JSON.stringify({ ...act, client_action_id: 'x' }), '{', '[[[[', Buffer.from([0xff, 0xfe])]) {
    spectator.ws.send(said);
  }
  spectator.ws.ping();
  await once(spectator.ws, 'pong');
  await game.finish(calling);
  await spectator.first('hand_result');
  t.same([...new Set(spectator.frames.map(({ type }) => type))].includes('error'), false);
  await spectator.close();
});

/** Signs an agent's owner in; resolves to the cookie's header. */
async function signIn({ name, key }: Account): Promise<{ cookie: string }> {
  const email = `${name}@example.com`;
  const from = platform.output.length;
  const headers = { 'x-forwarded-for': `192.0.2.${email.length}` };
  await platform.api('POST', '/api/auth/request-link', { key, body: { email }, headers });
  for (const deadline = Date.now() + FILE_MS; !platform.output.slice(from).includes('#token=');) {
    if (Date.now() > deadline) throw new Error('no mail');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, link = ''] = /(http[^"\\\s]*#token=[\w-]{43})/.exec(platform.output.slice(from)) ?? [];
  const answer = await platform.api('POST', '/api/auth/callback', { body: { token: tokenIn(link) }, headers });
  return { cookie: cookieOf(answer.headers.get('set-cookie') ?? '') };
}

await scene('an owner who is signed in sees the cards of its own bot, on our own pages only', async (t, scene) => {
  const game = await scene.game(3);
  const [ada, bob] = game.players;
  const cookie = await signIn(ada!.account);
  const own = await Spectator.open(platform, game.tableId, { ...cookie, origin: platform.url });
  const key = await Spectator.open(platform, game.tableId, { authorization: `Bearer ${bob!.account.key}` });
  const other = await Spectator.open(platform, game.tableId);
  await Promise.all([own, key, other].map((spectator) => spectator.first('table_state')));
  await game.finish(calling);
  const { hand_id: handId } = (await game.actor()).turn!;
  const cards = await own.until('its cards', () => own.all('hole_cards').find(({ hand_id }) => hand_id === handId));
  t.same(cards.cards, ada!.all('hole_cards').find(({ hand_id }) => hand_id === handId)!.cards);
  const bobs = await key.until('its cards', () => key.all('hole_cards').find(({ hand_id }) => hand_id === handId));
  t.same(bobs.cards, bob!.all('hole_cards').find(({ hand_id }) => hand_id === handId)!.cards);
  await game.finish(calling);
  await other.until('the result', () => other.all('hand_result').find(({ hand_id }) => hand_id === handId));
  t.same(other.all('hole_cards'), [], 'nobody else does');

  const abroad = await Spectator.open(platform, game.tableId, { ...cookie, origin: 'https://evil.example' });
  t.match(await abroad.closed, { code: 4001 });
  t.match(abroad.frames, [{ type: 'error', code: 'auth_failed', message: /another origin/ }]);
  const bad = await Spectator.open(platform, game.tableId, { authorization: 'Bearer ap_nonsense' });
  t.match(await bad.closed, { code: 4001 });
  await Promise.all([own, key, other].map((spectator) => spectator.close()));
});

// So many hands fill what a connection holds by itself: too long for every run.
const skip = process.env['SUITE'] === 'full' ? false : 'SUITE=full: 1,500 hands';
await t.test('a slow spectator gets the table as it is in place of what it missed', { skip }, async (t) => {
  const fast = await TestPlatform.start(t, {}, await freshDatabase(t));
  const play = scenesOf(t, fast);
  const reason = 'relayed players go home after a minute, before so many hands';
  await play(
    'on a table that plays on',
    async (t, scene) => {
      const game = await scene.game(2);
      const slow = await Spectator.open(fast, game.tableId);
      await slow.first('table_state');
      slow.ws.pause();
      for (const player of game.players) player.auto = calling;
      const first = await game.actor();
      first.act(calling(first.turn!).action);
      const hands = () => game.players[0]!.all('hand_result').length;
      await game.players[0]!.until('many hands', () => (hands() > 1500 ? true : undefined));
      slow.ws.resume();
      const mark = game.players[0]!.all('hand_result').at(-1)!.table_seq;
      await slow.until('what is played now', () => slow.all('hand_result').find(({ table_seq }) => table_seq > mark));
      const results = slow.all('hand_result').length;
      t.ok(results < hands(), `${results} of ${hands()} results came`);
      // Each hand is whole if the watcher read its beginning and its end.
      for (const [n, frame] of slow.frames.entries()) {
        if (frame.type !== 'hand_start') continue;
        t.match(slow.frames[n + 1] ?? { type: 'table_state' }, { type: 'table_state' });
      }
      for (const player of game.players) player.auto = null;
      await slow.close();
    },
    reason,
  );
});

for (const env of [{ TRANSPORT: 'ws' }, { SPECTATE_DELAY_HANDS: 2 }]) {
  await t.test(JSON.stringify(env), async (t) => {
    const other = await TestPlatform.start(t, { ...env }, await freshDatabase(t));
    await scenesOf(t, other)('the same', async (t, scene) => {
      const game = await scene.game(2);
      const spectators = await Promise.all([1, 2, 3].map(() => Spectator.open(other, game.tableId)));
      const delayed = 'SPECTATE_DELAY_HANDS' in env;
      if (!delayed) await Promise.all(spectators.map((spectator) => spectator.first('table_state')));
      const hands: string[] = [];
      for (let n = 0; n < 6; n++) {
        hands.push((await game.actor()).turn!.hand_id);
        await game.finish(calling);
      }
      // The sixth has ended, so with two hands of delay the third is told when the seventh begins.
      await game.actor();
      const seen = delayed ? hands[3]! : hands[5]!;
      for (const spectator of spectators) {
        const read = () => spectator.all('hand_result').find(({ hand_id }) => hand_id === seen);
        await spectator.until('the result', read);
        t.same(publicOf(spectator.frames, seen), publicOf(game.players[0]!.frames, seen));
        if (delayed)
          t.notOk(
            spectator.texts.some((text) => text.includes(hands[4]!)),
            'nothing fresher',
          );
      }
      if (delayed) {
        t.match(await other.api('GET', `/api/tables/${game.tableId}`), { status: 404 }, 'nor live elsewhere');
      }
      await Promise.all(spectators.map((spectator) => spectator.close()));
    });
  });
}

await t.test('SPECTATE=off: there is nothing to watch', async (t) => {
  const shut = await TestPlatform.start(t, { SPECTATE: 'off' }, await freshDatabase(t));
  await t.rejects(Spectator.open(shut, 'any'), /404/);
});
