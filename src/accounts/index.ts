export { Accounts, type AccountsOptions, type Holder, type NewAccount, type Registration } from './accounts.js';
export { createInviteCode, listInviteCodes, type InviteCode, type NewInviteCode } from './invites.js';
export { SessionCookie } from './cookies.js';
export { SignIn, type SignedIn } from './sign-in.js';
export { signInPages } from './sign-in-page.js';
export { verifyEmail } from './sign-in-queries.js';
export { sessionReader, signInRoutes } from './sign-in-routes.js';
export { keyHash, newApiKey } from './keys.js';
export { accountRoutes, type AccountRoutesOptions } from './routes.js';
