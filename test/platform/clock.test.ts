/** Dates by the database's clock: a server on a machine that has the wrong date ends no season. */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const DAY = 86_400_000;

await t.test('a leader whose clock is 20 days ahead says so, and the season goes on', async (t) => {
  const platform = await TestPlatform.start(t);
  const { key } = await platform.register();
  await platform.stop();

  const { now } = Date;
  t.teardown(async () => void (Date.now = now));
  Date.now = () => now() + 20 * DAY;
  await platform.launch();
  await platform.wrote('the clocks differ: nothing that cannot be undone is done until readings agree for a minute');
  t.match(platform.output, /"database_ahead_seconds":-17279\d\d|"database_ahead_seconds":-1728000/);
  const { body } = await platform.api('GET', '/api/season/current');
  t.match(body, { season_number: 1, status: 'active' });
  const { time_remaining_seconds: left } = body as { time_remaining_seconds: number };
  t.ok(left > 13 * 86_400, 'its end is as far as by the database');

  Date.now = now;
  await platform.wrote('a clock has jumped');
  t.match((await platform.api('GET', '/api/season/current')).body, { season_number: 1 });
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200);
});
