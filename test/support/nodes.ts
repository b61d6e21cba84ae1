import type { DatabaseAddress } from '../../src/store/database.js';
import { freshDatabase, type Scope } from './database.js';
import { TestPlatform, type Env } from './platform.js';

/** The settings of a node of a test's cluster. */
export const NODE: Env = {
  NODE_ADDRESS: '127.0.0.1:0',
  CLUSTER_SECRET: 'a secret of all nodes of this test',
  DATABASE_CONNECTIONS: 2,
};

/** Nodes on one fresh database, in the process of the test. The first one leads. */
export async function startNodes(
  t: Scope,
  count: number,
  env: Env = {},
  database?: DatabaseAddress,
): Promise<TestPlatform[]> {
  const address = database ?? (await freshDatabase(t));
  const nodes: TestPlatform[] = [];
  for (let i = 0; i < count; i++) nodes.push(await TestPlatform.start(t, { ...NODE, ...env }, address));
  return nodes;
}
