/** Fair deals on a whole platform: nonces over sockets, proofs over REST, after a restart too. */
import t from 'tap';
import { verify } from '../../examples/verify.js';
import { audit } from '../../src/admin/audit/index.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { ClientNonces } from '../support/nonce-chain.js';
import { TestPlatform } from '../support/platform.js';
import type { Player } from '../support/player.js';
import { calling, scenesOf } from '../support/scene.js';
import { verifyInPython } from '../support/verify-python.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 20 });
const scene = scenesOf(t, platform);

/** Sends what its chain of nonces asks for after each hand_start. */
function sendNonces(player: Player): void {
  const chain = new ClientNonces(player.name);
  player.onFrame = (frame) => {
    const nonce = chain.after(frame);
    if (nonce !== null) player.send({ type: 'deal_nonce', nonce });
  };
}

const proofOf = (player: Player, handId: string) =>
  platform.api('GET', `/api/hands/${handId}/proof`, { key: player.account.key });

let proven: { player: Player; handId: string; proof: unknown } | null = null;

await scene('every hand can be proven: from its frames, and from the proof its players get', async (t, scene) => {
  const game = await scene.game(3);
  game.players.slice(0, 2).forEach(sendNonces);
  const handIds: string[] = [];
  for (let hand = 0; hand < 6; hand++) {
    const { turn } = await game.actor();
    handIds.push(turn!.hand_id);
    if (hand % 2 === 0) await game.play('fold');
    await game.finish(calling);
  }
  const [ada, , cyd] = game.players as [Player, Player, Player];
  const starts = ada.all('hand_start').filter(({ hand_id }) => handIds.includes(hand_id));
  t.same(starts.at(-1)!.deal_nonces!.map(({ seat }) => seat).sort(), [ada.seat, game.players[1]!.seat].sort()); // prettier-ignore

  const last = handIds.at(-1)!;
  const proofs: object[] = [];
  for (const player of game.players) {
    const from = player.frames.findIndex((frame) => frame.type === 'hand_start' && frame.hand_id === handIds.at(-2));
    const to = player.frames.findIndex((frame) => frame.type === 'hand_result' && frame.hand_id === last);
    t.same(verify(player.frames.slice(from, to + 1)), []);
    for (const handId of handIds) {
      const { status, body } = await proofOf(player, handId);
      t.equal(status, 200);
      const result = player.all('hand_result').find(({ hand_id }) => hand_id === handId)!;
      const { deal_proof, own_opened, shown_cards } = result;
      t.match(body, { deal_proof, own_opened, shown_cards, hand_id: handId, seat: player.seat });
      proofs.push(body as object);
    }
  }
  t.same(proofs.flatMap(verify), []);
  t.same([...new Set(verifyInPython(proofs))], ['ok']);

  const stranger = await scene.player('zoe');
  t.match(await proofOf(stranger, last), { status: 404, body: { detail: 'Hand not found' } });
  t.match(await proofOf(stranger, 'seven'), { status: 400, body: { detail: 'Invalid hand_id format' } });
  stranger.send({ type: 'deal_nonce', nonce: 'ab'.repeat(32) });
  t.match(await stranger.next('error'), { code: 'not_at_table' });
  cyd.send({ type: 'deal_nonce', nonce: 'AB' });
  t.match(await cyd.next('error'), { code: 'invalid_message' });
  proven = { player: ada, handId: last, proof: (await proofOf(ada, last)).body };
});

await t.test('a proof outlives the platform', async (t) => {
  await platform.stop();
  await platform.launch();
  const { player, handId, proof } = proven!;
  t.same((await proofOf(player, handId)).body, proof);
});

await t.test('the audit proves the deck of every stored hand', async (t) => {
  const { problems } = await audit(platform.sql!);
  t.same(problems, []);
});
