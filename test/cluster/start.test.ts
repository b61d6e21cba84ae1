/** A node that starts claims tables of pools that opened a moment ago, and plays them by their own rules. */
import t from 'tap';
import { Cup } from '../support/cup.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { NODE } from '../support/nodes.js';
import { TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('a competition that is open only once the node claims its table', async (t) => {
  const address = await freshDatabase(t);
  const before = await TestPlatform.start(t, NODE, address);
  const cup = await Cup.open(before, { small_blind: 50, big_blind: 100 });
  await cup.step('start');
  const players: Player[] = [];
  for (const name of ['early', 'early']) {
    const account = await before.register(name);
    await cup.enroll(account);
    const player = await Player.open(before, account, { competitionId: cup.id });
    player.send({ type: 'join_lobby' });
    players.push(player);
  }
  await Promise.all(players.map((player) => player.next('table_joined')));
  await before.stop();
  // A node that reads its competitions before the claim does not see this one.
  await before.sql!.unsafe(`
    update competitions set state = 'cancelled' where competition_id = '${cup.id}';
    create function begins() returns trigger language plpgsql as $$ begin
      update competitions set state = 'active', version = version + 1 where competition_id = '${cup.id}';
      return null;
    end $$;
    create trigger begins after insert or update on shards for each statement execute function begins();`);
  const after = await TestPlatform.start(t, NODE, address);
  const { status, body } = await after.api('GET', `/api/tables/${players[0]!.table!}`);
  t.match({ status, body }, { status: 200, body: { big_blind: 100 } });
  for (const { faults } of [before, after]) t.same(faults, []);
});
