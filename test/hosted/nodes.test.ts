/** Bot tokens of a platform of two nodes: the leader gives and ends them, and a socket may be at the other node. */
import t from 'tap';
import { BotTokens } from '../../src/hosted/tokens.js';
import { leadership, silent, stopCluster } from '../support/database.js';
import { inBrowser } from '../support/hosted-rest.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The tokens as the other node knows them, and one that has a socket there. */
async function elsewhere(t: Parameters<typeof inBrowser>[0]) {
  const { house, agentId, token } = await inBrowser(t);
  const { sql, clock } = house.seasons;
  const tokens = new BotTokens({ sql, leadership, clock, minutes: 60, log: silent });
  const text = await token();
  const identity = await tokens.authenticate(text);
  if (identity === null || identity === 'expired') throw new Error('the token opens nothing');
  const lease = identity.lease!;
  let ended = 0;
  lease.onOver(() => void ended++);
  return { house, agentId, tokens, text, lease, ended: () => ended, token };
}

await t.test('a token that the leader has replaced ends its socket at the other node', async (t) => {
  const { agentId, tokens, lease, ended, token, text } = await elsewhere(t);
  await tokens.refresh(agentId);
  t.equal(lease.over, false, 'it is still good');
  await token();
  t.equal(lease.over, false, 'the other node has not heard of it');
  await tokens.refresh(agentId);
  t.equal(ended(), 1);
  t.equal(await tokens.authenticate(text), 'expired');
});

await t.test('what ends no notice came of ends with the next look at the rows', async (t) => {
  const { house, agentId, tokens, ended } = await elsewhere(t);
  await house.ask('stopBot', { agentId });
  await tokens.refresh();
  t.equal(ended(), 1);
});

await t.test('a token that the leader has extended lives on at the other node', async (t) => {
  const { house, agentId, lease, ended } = await elsewhere(t);
  const { sql, clock } = house.seasons;
  await sql`update bot_tokens set expires_at = expires_at + interval '1 hour' where agent_id = ${agentId}`;
  await clock.advance(3_700_000);
  await sql`select`;
  await clock.settle();
  t.equal(lease.over, false);
  while (ended() === 0) {
    await clock.advance(60_000);
    await sql`select`;
  }
  t.ok(lease.over, 'until its new end');
});
