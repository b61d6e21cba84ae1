import t from 'tap';
import { seededRandom } from '../src/cards/shuffle.js';
import type { ServerMessage, ServerMessageOf } from '../src/protocol/server.js';
import { decodeRecord, type StoredHand } from '../src/table/record-codec.js';
import { Bot } from './support/bot.js';
import { stopCluster } from './support/database.js';
import { TestPlatform } from './support/platform.js';
import { Player } from './support/player.js';
import { calling, scenesOf, type Game } from './support/scene.js';
import { Secrecy } from './support/secrecy.js';

/** Nobody ever sees a card that it may not know: not in a frame, a resync, a spectator's view, a REST answer, a log. */

t.setTimeout(180_000);
t.teardown(stopCluster);

const HANDS = Number(process.env['SECRECY_HANDS'] ?? 2000);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

/** Another address for each request: none is limited. */
const visitor = (n: number) => ({ 'x-forwarded-for': `192.0.${(n >> 8) & 255}.${n & 255}` });

async function recordsOf(platform: TestPlatform, ids: readonly string[]): Promise<StoredHand[]> {
  const rows = await platform.sql!<
    { record: Buffer }[]
  >`select record from hands where hand_id = any (${ids as string[]})`;
  return rows.map(({ record }) => decodeRecord(record));
}

await t.test('the check finds a leak of every kind in a doctored transcript', async (t) => {
  const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 100 });
  await scenesOf(t, platform)('a hand of three, one folded, to the showdown', async (t, scene) => {
    const game = await scene.game(3);
    const first = await game.actor();
    const { hand_id } = first.turn!;
    await game.play('fold');
    await game.finish(calling);
    const [record] = (await recordsOf(platform, [hand_id])) as [StoredHand];
    const viewer = game.players.find((player) => player !== first)!;
    const texts = textsOf(viewer, hand_id);
    t.same(leaksIn(viewer, texts, record), [], 'as it was, the transcript is clean');
    for (const [what, doctored] of doctoredTranscripts(game, first, viewer, texts, record)) {
      t.ok(
        doctored.some((text, i) => text !== texts[i]),
        `planted: ${what}`,
      );
      t.not(leaksIn(viewer, doctored, record).length, 0, `found: ${what}`);
    }
    const spectator = new Secrecy();
    const state = texts.find((text) => text.includes('"hero"'))!;
    spectator.view(JSON.parse(state) as ServerMessageOf['table_state'], state);
    t.not(spectator.judge([record]).length, 0, 'found: a hero in a spectator’s view');
    const log = new Secrecy();
    log.silent('the log', '{"level":"info","msg":"dealt","deck":["As","Kd"]}');
    t.equal(log.judge([]).length, 1, 'found: cards in a log');
  });
});

function textsOf(player: Player, handId: string): string[] {
  return player.texts.filter((_text, i) => {
    const frame = player.frames[i]!;
    return 'hand_id' in frame && frame.hand_id === handId;
  });
}

function leaksIn(viewer: Player, texts: readonly string[], record: StoredHand): string[] {
  const secrecy = new Secrecy();
  for (const text of texts) secrecy.frame(viewer.account.agentId, JSON.parse(text) as ServerMessage, text);
  return secrecy.judge([record]);
}

/** The transcript with one thing in it that its reader may not know. */
function doctoredTranscripts(
  game: Game,
  folded: Player,
  viewer: Player,
  texts: readonly string[],
  record: StoredHand,
): [what: string, texts: string[]][] {
  const other = game.players.find((player) => player !== folded && player !== viewer)!;
  const cardsOf = (player: Player) =>
    player
      .all('hole_cards')
      .find(({ hand_id }) => hand_id === record.handId)!
      .cards.map((card) => `"${card}"`)
      .join();
  const [own, theirs, mucked] = [cardsOf(viewer), cardsOf(other), cardsOf(folded)];
  const board = viewer
    .all('community_cards')
    .filter(({ hand_id }) => hand_id === record.handId)
    .flatMap(({ cards }) => cards);
  const flop = board
    .slice(0, 3)
    .map((card) => `"${card}"`)
    .join();
  const change = (from: string | RegExp, to: string, nth = 0): string[] => {
    const at =
      texts.flatMap((text, i) => ((typeof from === 'string' ? text.includes(from) : from.test(text)) ? [i] : []))[
        nth
      ] ?? -1;
    return texts.map((text, i) => (i === at ? text.replace(from, to) : text));
  };
  return [
    ['another player’s cards dealt to the reader', change(own, theirs)],
    ['another player’s cards as those of the hero', change(own, theirs, 3)],
    ['the flop before the betting was over', change('"board":[]', `"board":[${flop}]`)],
    ['the turn with the flop', change(`"board":[${flop}]`, `"board":[${flop},"${board[3]}"]`)],
    ['the river in your_turn', change(`"community_cards":[${flop}]`, `"community_cards":[${flop},"${board[4]}"]`)],
    ['a folded hand at the showdown', change(/"shown_cards":\{/, `"shown_cards":{"${folded.seat}":[${mucked}],`)],
    [
      'cards in a field that nobody knows',
      change('"type":"player_action"', `"type":"player_action","peek":[${theirs}]`),
    ],
    [
      'cards in words',
      change(/"hand_description":"[^"]*"/, `"hand_description":"${board[0]} ${own.slice(1, 3)} high"`),
    ],
  ];
}

await t.test(`over ${HANDS} hands nobody sees a card that it may not know`, async (t) => {
  t.comment(`SEED=${SEED}`);
  const platform = await TestPlatform.start(t, { STARTING_CHIPS: 1_000_000, LOG_LEVEL: 'trace', THREADS: 2 });
  const secrecy = new Secrecy();
  const told = new Set<string>();
  const bots: Bot[] = [];
  const spectators: Player[] = [];
  const leaks: string[] = [];

  for (let n = 0; n < 22; n++) {
    const bot = new Bot(platform, await platform.register('bot'), seededRandom(SEED + n));
    bot.onFrame = (frame, text) => secrecy.frame(bot.account.agentId, frame, text);
    bot.onResult = ({ hand_id }) => told.add(hand_id);
    bots.push(bot);
  }
  await Promise.all(bots.map((bot) => bot.connect()));
  for (let n = 0; n < 6; n++) {
    spectators.push(
      await Player.open(platform, await platform.register('sam'), {
        prepare: (player) => {
          player.keep = 20;
          player.onFrame = (frame, text) => secrecy.frame(null, frame, text);
        },
      }),
    );
  }
  await bots[0]!.player.until('the first hand', () => (told.size > 0 ? true : undefined));

  let [views, resyncs, checked] = [0, 0, 0];
  let judged = new Set<string>();
  while (told.size < HANDS) {
    const tables = (await platform.api('GET', '/api/tables', { headers: visitor(views) })).body as {
      table_id: string;
    }[];
    for (const { table_id } of tables) {
      const { status, body } = await platform.api('GET', `/api/tables/${table_id}`, { headers: visitor(views++) });
      if (status === 200) secrecy.view(body as ServerMessageOf['table_state'], JSON.stringify(body));
      // More often than once a second is refused, so each asks in its turn.
      for (const reader of [spectators[views % spectators.length]!, bots[views % bots.length]!.player]) {
        reader.send({ type: 'resync_request', table_id, last_table_seq: null });
        resyncs++;
      }
    }
    const finished = [...told].filter((id) => !judged.has(id));
    if (finished.length < 100 && told.size < HANDS) continue;
    // What is judged first is what was told some time ago: everybody has read all of it by now.
    const records = await recordsOf(platform, finished.slice(0, 100));
    checked += records.length;
    leaks.push(...secrecy.judge(records));
    judged = new Set([...judged, ...records.map(({ handId }) => handId)]);
  }
  await platform.stop();
  await Promise.all([...bots.map(({ player }) => player.closed), ...spectators.map((player) => player.closed)]);
  const rest = await recordsOf(platform, secrecy.pending);
  leaks.push(...secrecy.judge(rest));
  secrecy.silent('the log', platform.output);
  leaks.push(...secrecy.judge([]));

  t.same(leaks.slice(0, 10), [], `no leak (SEED=${SEED})`);
  t.same(secrecy.pending, [], 'every card that was read belongs to a stored hand');
  t.ok(
    told.size >= HANDS && checked + rest.length >= HANDS,
    `${told.size} hands, ${secrecy.cards} cards, ${views} views, ${resyncs} resyncs`,
  );
  t.same(
    platform.faults.map(({ message }) => message),
    [],
  );
});
