/** The home of an agent, answered by a node that others may have declared dead. */
import t from 'tap';
import { Homes } from '../../src/cluster/homes.js';
import type { Database } from '../../src/store/database.js';

await t.test('an agent that is here needs no statement, unless others may have ended this node', async (t) => {
  let asked = 0;
  const sql = (() => {
    asked++;
    return Promise.resolve([{ home: 'another' }]);
  }) as unknown as Database;
  let maybeEnded = false;
  const homes = new Homes({
    sql,
    background: sql,
    nodeId: 'this',
    log: { warn: () => undefined },
    isHere: () => true,
    maybeEnded: () => maybeEnded,
  });
  t.equal(await homes.homeOf('ada'), null);
  t.equal(asked, 0);
  maybeEnded = true;
  t.equal(await homes.homeOf('ada'), 'another', 'its table may play on there');
});
