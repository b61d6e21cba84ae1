import type * as real from '../../../src/store/migrate.js';

/** src/store/migrate.ts: the vault is of the present release, and so are all nodes. */
export const knownMigrations: typeof real.knownMigrations = () => ['simulated'];
export const migrate: typeof real.migrate = () => Promise.resolve([]);
