export { Accounts, type AccountsOptions, type Holder, type NewAccount, type Registration } from './accounts.js';
export { accountRoutes, type AccountRoutesOptions } from './routes.js';
