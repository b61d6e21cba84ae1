/** The views of strangers on a real table: hands as they were told, and agents as they are. */
import t from 'tap';
import type { Static } from 'typebox';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { calling, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

type HandBody = Static<typeof PublicHand>;
const platform = await TestPlatform.shared(t);
const scene = scenesOf(t, platform);
const ENVELOPE = ['stream', 'table_id', 'hand_id', 'table_seq', 'hand_seq', 'ts', 'state_hash'];
/** Fields for one viewer, or of the next hand. */
const PRIVATE = ['seat', 'action_id', 'next_deal', 'own_opened'];

/** A frame as a hand that is over tells it. */
function bare(frame: ServerMessage) {
  const mine = frame.type === 'player_action' ? PRIVATE.filter((name) => name !== 'seat') : PRIVATE;
  return Object.fromEntries(Object.entries(frame).filter(([name]) => ![...ENVELOPE, ...mine].includes(name)));
}

await scene('a hand reads afterwards as it was told, and its players have pages', async (t, scene) => {
  const game = await scene.game(3);
  const [ada, bob] = game.players as [(typeof game.players)[0], (typeof game.players)[0]];
  const { hand_id: handId } = (await game.actor()).turn!;
  await platform.api('PATCH', '/api/me', { key: ada.account.key, body: { avatar_url: 'https://example.com/a.png' } });
  await game.finish(calling);
  const told = ada.frames
    .filter((frame) => 'hand_id' in frame && frame.hand_id === handId)
    .filter(({ type }) => ['hand_start', 'player_action', 'community_cards', 'hand_result'].includes(type));
  const path = `/api/hands/${handId}`;
  const { body } = await platform.api('GET', path);
  const { events, players } = body as HandBody;
  t.same(
    events.map(({ at_ms: _, ...event }) => event),
    told.map(bare),
  );
  t.match(players, {
    [players.findIndex(({ name }) => name === ada.name)]: { avatar_url: 'https://example.com/a.png' },
  });
  const cards = ada.all('hole_cards').find(({ hand_id }) => hand_id === handId)!.cards;
  t.match(await platform.api('GET', path, { key: ada.account.key }), {
    body: { own: { seat: ada.seat, hole_cards: cards, opened: [{ index: Number }, { index: Number }] } },
  });
  t.match(await platform.api('GET', path, { key: 'ap_nonsense' }), { status: 401 });
  for (const bad of ['/api/hands/seven', '/api/hands/seven/file']) {
    t.match(await platform.api('GET', bad), { status: 400 });
  }
  t.match(await platform.api('GET', `/api/hands/${game.tableId}/file`), { status: 404 });
  t.match(await platform.api('GET', `${path}/file?format=pdf`), { status: 422 });
  for (const format of ['phh', 'pokerstars']) {
    t.match(await platform.api('GET', `${path}/file?format=${format}`), { status: 200 }, format);
  }

  const { body: me } = await platform.api('GET', '/api/me', { key: bob.account.key });
  const { public_profile_slug: slug } = me as { public_profile_slug: string };
  t.match(await platform.api('GET', `/api/agents/${slug}`), {
    status: 200,
    body: { name: bob.name, season: { total_participants: 3 }, recent_hands: [{ action_summary: String }] },
  });
  t.match(await platform.api('GET', `/api/agents/${slug}/table`), { body: { table_id: game.tableId, seat: bob.seat } });
  await platform.api('PATCH', '/api/me', { key: bob.account.key, body: { public_profile: false } });
  t.match(await platform.api('GET', `/api/agents/${slug}`), { status: 404 });
  const state = await platform.api('GET', `/api/tables/${game.tableId}`);
  t.notMatch(JSON.stringify(state.body), `"${slug}"`, 'and its frames name it no more');
});
