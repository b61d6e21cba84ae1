import t from 'tap';
import { stopCluster } from './support/database.js';
import { TestPlatform } from './support/platform.js';

t.setTimeout(120_000);
t.teardown(stopCluster);
await t.test('try', async (t) => {
  const platform = await TestPlatform.start(t, { HOSTED_PACE_MS: 0 });
  const bots = await Promise.all([1, 2, 3].map(() => platform.register('hosted')));
  for (const { key } of bots) {
    const answer = await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } });
    t.equal(answer.status, 200);
    console.log(answer.body);
  }
  await new Promise((r) => setTimeout(r, 4000));
  for (const { key } of bots) console.log((await platform.api('GET', '/api/bot/status', { key })).body);
  const { execSync } = await import('node:child_process');
  console.log(execSync(`for t in /proc/${platform.pid}/task/*; do awk '{print $2, $19}' $t/stat; done`).toString());
  await platform.stop();
  console.log(platform.output);
});
