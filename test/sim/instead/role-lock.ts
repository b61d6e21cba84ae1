/** src/store/role-lock.ts without roles: nobody restores, and the schema is as it is. */
export { RoleTaken, GRACE_MS } from '../../../src/store/role-lock.js';

export const takeRole = (): Promise<void> => Promise.resolve();
export const leaveRole = (): Promise<void> => Promise.resolve();
