/** Mixed actions on a whole platform: over sockets through the gateway and a shard, in the history and the proof of their player. */
import t from 'tap';
import { verify } from '../../examples/verify.js';
import { audit } from '../../src/admin/audit/index.js';
import { partAt } from '../../src/table/mix.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import type { ActionName, Player } from '../support/player.js';
import { scenesOf } from '../support/scene.js';
import { verifyInPython } from '../support/verify-python.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 20 });
const scene = scenesOf(t, platform);

/** A mix in the place of an action's name. */
const mixOf = (...mix: object[]) => ({ mix }) as unknown as ActionName;

interface StoredMix {
  number: number;
  u: number;
  part: number;
  parts: { action: string; amount?: number; p: number }[];
}

const read = async (player: Player, path: string) => {
  const { status, body } = await platform.api('GET', path, { key: player.account.key });
  t.equal(status, 200, path);
  return body as Record<string, unknown>;
};

await scene('a mix is drawn, acknowledged, played, stored and proven', async (t, scene) => {
  const game = await scene.game(2);
  const actor = await game.actor();
  const other = game.players.find((player) => player !== actor)!;
  const handId = actor.turn!.hand_id;
  const sent = actor.act(
    mixOf({ action: 'call', p: 0.5 }, { action: 'raise', amount: 60, p: 0.3 }, { action: 'raise', amount: 80, p: 0.2 }),
  );
  const { drawn } = await actor.next('action_ack');
  t.ok(drawn, 'the acknowledgement tells what was drawn');
  t.equal(
    drawn!.part,
    partAt(
      [0.5, 0.3, 0.2].map((p) => ({ p })),
      drawn!.u,
    ),
  );
  const played = await other.until('the action', () =>
    other.all('player_action').find(({ hand_id }) => hand_id === handId),
  );
  t.same([played.action, played.seat], [drawn!.action, actor.seat]);
  actor.send(sent);
  t.same((await actor.next('action_ack')).drawn, drawn, 'a retry draws nothing anew');
  const result = await game.finish();
  t.equal(result.hand_id, handId);
  t.notMatch(JSON.stringify(other.frames), /drawn|own_dice|"mix"/);

  const own = actor.all('hand_result').find(({ hand_id }) => hand_id === handId)!.own_dice!;
  t.same(own.mixes, [
    {
      number: 0,
      u: drawn!.u,
      part: drawn!.part,
      parts: [
        { action: 'call', p: 0.5 },
        { action: 'raise', amount: 60, p: 0.3 },
        { action: 'raise', amount: 80, p: 0.2 },
      ],
    },
  ]);
  const proof = await read(actor, `/api/hands/${handId}/proof`);
  t.same(proof['own_dice'], own);
  t.same(verify(proof), []);
  t.same(verifyInPython([proof]), ['ok']);
  t.equal((await read(other, `/api/hands/${handId}/proof`))['own_dice'], undefined);

  const mixesOf = async (player: Player) => {
    const { hands } = (await read(player, '/api/me/hand-history')) as {
      hands: { hand_id: string; actions: { mix?: StoredMix }[] }[];
    };
    return hands.find(({ hand_id }) => hand_id === handId)!.actions.flatMap(({ mix }) => mix ?? []);
  };
  t.same(await mixesOf(actor), own.mixes);
  t.same(await mixesOf(other), []);
  const exported = (await read(actor, '/api/me/hand-history/export?format=json')) as {
    hands: { actions: { mix?: StoredMix }[] }[];
  };
  t.same(
    exported.hands.flatMap(({ actions }) => actions.flatMap(({ mix }) => mix ?? [])),
    own.mixes,
  );
});

await scene('what is no mix is refused, and the turn stays open', async (t, scene) => {
  const game = await scene.game(2);
  const actor = await game.actor();
  const half = { action: 'call', p: 0.5 };
  const faults: [object[], RegExp][] = [
    [[], /action\.mix: List should have at least 1 items/],
    [new Array<object>(9).fill({ action: 'call', p: 1 / 9 }), /action\.mix: List should have at most 8 items/],
    [[{ action: 'call', p: 0 }, half], /p: Input should be greater than 0/],
    [[{ action: 'bet', p: 1 }], /action/],
    [[{ action: 'call' }], /p: Field required/],
  ];
  for (const [mix, fault] of faults) {
    actor.act(mixOf(...mix));
    t.match((await actor.next('error')).message, fault);
  }
  actor.act(mixOf(half, { action: 'check', p: 0.5 }));
  t.match(await actor.next('action_rejected'), { code: 'invalid_action', details: { part: 1 } });
  actor.act(mixOf(half));
  t.match(await actor.next('action_rejected'), {
    code: 'invalid_action',
    reason: 'The probabilities of a mix must sum to 1',
  });
  await game.play('call');
  await game.finish();
});

await t.test('the audit finds nothing', async (t) => {
  t.same((await audit(platform.sql!)).problems, []);
});
