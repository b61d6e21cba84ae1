/** The work that a node does once a second ends with the node, also in the middle of a statement. */
import t from 'tap';
import { PoolCompany } from '../../src/cluster/company.js';
import { Homes } from '../../src/cluster/homes.js';
import type { Database } from '../../src/store/database.js';
import { FILE_MS, eventually } from '../support/limits.js';

t.setTimeout(FILE_MS);

/** A database that answers statements with no rows, when the test says so. */
function slowDatabase() {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const sql = (() => {
    asked++;
    return new Promise((resolve) => waiting.push(() => resolve([])));
  }) as unknown as Database;
  const answer = () => void waiting.splice(0).forEach((resolve) => resolve());
  return { sql, answer, asked: () => asked };
}

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const turn = () => new Promise((resolve) => setImmediate(resolve));
const log = { warn: () => undefined };

await t.test('homes', async (t) => {
  const { sql, answer, asked } = slowDatabase();
  const here = new Set(['ada']);
  const homes = new Homes({
    sql,
    background: sql,
    nodeId: 'a',
    isHere: (agentId) => here.has(agentId),
    maybeEnded: () => false,
    log,
  });
  const before = timers();
  const started = homes.start();
  answer();
  await started;
  homes.took(['ada']);
  here.clear();
  await eventually('it frees the home', () => asked() === 2);
  const stopped = homes.stop();
  answer();
  await stopped;
  await turn();
  t.equal(timers(), before);
});

await t.test('company', async (t) => {
  const { sql, answer, asked } = slowDatabase();
  const company = new PoolCompany({
    sql,
    nodeId: 'a',
    players: () => new Map(),
    lives: () => true,
    nodes: () => 2,
    graceMs: 0,
    changed: () => undefined,
    log,
  });
  const before = timers();
  const started = company.start();
  for (let n = 0; n < 2; n++) {
    answer();
    await turn();
  }
  await started;
  await eventually('it looks again', () => asked() === 3);
  company.stop();
  for (let n = 0; n < 2; n++) {
    answer();
    await turn();
  }
  t.equal(timers(), before);
});
