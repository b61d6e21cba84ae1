/** Nobody ever sees a card that it may not know: not in a frame, a resync, a spectator's view, a REST answer, a log. */
import t from 'tap';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { decodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';
import { watchCards } from '../chaos/leaks.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import type { Player } from '../support/player.js';
import { calling, scenesOf, type Game } from '../support/scene.js';
import { Secrecy } from '../support/secrecy.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const HANDS = FULL ? 2000 : 20;

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
  t.comment(`SEED=${SEED}; more: npm run campaign -- leaks --hands N --seed S`);
  const { leaks, faults, pending, ...counts } = await watchCards(t, { hands: HANDS, seed: SEED });
  t.same(leaks.slice(0, 10), [], `no leak (SEED=${SEED})`);
  t.same(pending, [], 'every card that was read belongs to a stored hand');
  t.same(faults, [], 'every frame and answer was in order');
  t.ok(
    counts.hands >= HANDS &&
      counts.views > 0 &&
      counts.resyncs > 0 &&
      [counts.watched, counts.hands_asked, counts.files, counts.proofs, counts.pages].every((count) => count > 0),
    JSON.stringify(counts),
  );
});
