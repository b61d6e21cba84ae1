/**
 * At the end of a stay, a lean socket gets the same messages as any other (protocol.md, "Lean" and "Bust, rebuy, season
 * end"). It reads of busts, rebuys and the end of a season, in the same order, at the same table, and play goes on.
 */
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { endSeasonCommand } from '../../src/admin/commands/seasons.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import { stopCluster } from '../support/database.js';
import { leanPlayer, leanStoryOf, playLean, storyOf } from '../support/lean.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { untilAny, type Choice, type Player, type Turn } from '../support/player.js';
import { calling, join, passive, playOn, scenesOf, shoving } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
// Nobody closes the table of who is alone there for a moment.
const platform = await TestPlatform.start(t, { LOBBY_GRACE_MS: 3_600_000 });
const scene = scenesOf(t, platform);

type Policy = (turn: Pick<Turn, 'valid_actions'>) => Choice | null;

const SMALL_BLIND = 10;
const RAISE = 500;
/** From the lobby to a seat, and hands to their results. */
const PLAY = /^lobby_joined table_joined( hand( turn ack)* result)+$/;

/** One kind of socket beside the other, in the words of the lean one. */
interface Kind {
  ack: 'ack' | 'action_ack';
  result: 'result' | 'hand_result';
  play: (player: Player, policy: Policy) => void;
  story: (player: Player, last: ServerMessage) => string;
}
const LEAN: Kind = { ack: 'ack', result: 'result', play: playLean, story: storyOf };
const PLAIN: Kind = {
  ack: 'action_ack',
  result: 'hand_result',
  story: leanStoryOf,
  play: (player, policy) => void (player.auto = policy),
};

await scene('a bust, a rebuy and the next hands are told to a lean socket as to another', async (t, scene) => {
  const kinds = new Map<Player, Kind>();
  for (const name of ['ada', 'bob']) kinds.set(await leanPlayer(scene, name), LEAN);
  for (const name of ['cyd', 'dan']) kinds.set(await scene.player(name), PLAIN);

  /** Resolves once it has lost all, bought in again and played on, with what it has read until then. */
  const isBack = async ([player, { ack, result, story }]: [Player, Kind]) => {
    t.same(await player.next('busted'), { type: 'busted', options: ['rebuy', 'leave'] });
    t.match(player.last('player_left'), { name: player.name, reason: 'busted' });
    player.send({ type: 'join_lobby' });
    await player.error('insufficient_season_chips');
    player.send({ type: 'rebuy', amount: 0 });
    t.same(await player.next('rebuy_confirmed'), { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
    await join(player, null);
    t.match(player.last('table_joined').players.find(({ name }) => name === player.name), { stack: 1500 }); // prettier-ignore
    await player.next(ack);
    return story(player, await player.next(result));
  };
  const backOf = (kind: Kind) => Promise.race([...kinds].filter(([, its]) => its === kind).map(isBack));
  const backs = Promise.all([backOf(LEAN), backOf(PLAIN)]);
  const [first, second, ...others] = [...kinds.keys()] as [Player, Player, ...Player[]];
  const sit = async (players: readonly Player[]) => {
    for (const player of players) {
      kinds.get(player)!.play(player, shoving);
      player.send({ type: 'join_lobby', buy_in: 5000 });
    }
    await Promise.all(players.map((player) => player.until('a seat', () => player.table ?? undefined)));
  };
  // The others find the table of the first two, also where their joins come from other nodes.
  await sit([first, second]);
  await sit(others);
  for (const story of await backs) {
    const [before, after, ...rest] = story.split(' player_left busted error rebuy_confirmed ');
    t.match(before, /^connected /);
    t.match(before!.slice('connected '.length), PLAY, 'to the result of the hand that took all');
    t.match(after, PLAY, 'a seat again, hands, decisions and results');
    t.same(rest, []);
  }
  for (const [player, { play }] of kinds) play(player, passive);
  playOn([...kinds].flatMap(([player, kind]) => (kind === PLAIN ? [player] : [])));
  t.same((await audit(platform.sql!)).problems, []);
});

await scene('the end of a season cuts a hand off for both alike, and the next season begins', async (t, scene) => {
  const ada = await leanPlayer(scene, 'ada');
  const bob = await scene.player('bob');
  const kinds: [Player, Kind][] = [[ada, LEAN], [bob, PLAIN]]; // prettier-ignore
  const playBy = (policyOf: (player: Player) => Policy) => {
    for (const [player, { play }] of kinds) play(player, policyOf(player));
  };
  playBy(() => calling);
  await Promise.all([join(ada), join(bob)]);

  // Each player acts in one round, and has the open turn in the other.
  for (const acting of [ada, bob]) {
    const asked = acting === ada ? bob : ada;
    let isOpen = false;
    playBy((player) => (turn) => {
      const call = turn.valid_actions.find(({ action }) => action === 'call')?.amount ?? 0;
      // On the button, the first to act.
      if (player === acting && call === SMALL_BLIND) return { action: 'raise', amount: RAISE };
      if (player === acting || call < RAISE / 2) return passive(turn);
      isOpen = true;
      return null;
    });
    await untilAny([asked], 'a decision that nobody takes', () => isOpen || undefined);

    const { body } = await platform.api('GET', '/api/season/current');
    const { season_number } = body as { season_number: number };
    await endSeasonCommand.prepare(['--in', '1', '--yes']).run(platform.sql!, () => Promise.resolve(false));
    const ended = { type: 'season_ended', season_number, next_season_number: season_number + 1 };
    for (const [player] of kinds) t.same(await player.next('season_ended'), ended);
    t.match(ada.last('table_closed'), { reason: 'season_ended' });
    t.same(ada.last('table_closed'), bob.last('table_closed'), 'in the same words');

    playBy(() => calling);
    await Promise.all([join(ada), join(bob)]);
    for (const [player, { result, story }] of kinds) {
      const [before, after] = story(player, await player.next(result))
        .split(' table_closed season_ended ')
        .slice(-2);
      const cut = before!.slice(before!.lastIndexOf('hand'));
      t.equal(cut, player === acting ? 'hand turn ack' : 'hand turn', 'the hand that was cut off has no result');
      t.match(after, PLAY, 'a seat again, hands, decisions and results');
    }
  }
  t.same((await audit(platform.sql!)).problems, []);
});
