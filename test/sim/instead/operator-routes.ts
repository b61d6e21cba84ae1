import type * as real from '../../../src/admin/operator/routes.js';

/** src/admin/operator/routes.ts without the commands, which ask a database for much that no simulation has. */
export const operatorRoutes: typeof real.operatorRoutes = () => [];
