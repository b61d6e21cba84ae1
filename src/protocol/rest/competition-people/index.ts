/** People of competitions: invitations by e-mail, links, and who takes part. */

export * from './answers.js';
export * from './invitations.js';
export * from './join-requests.js';
export * from './links.js';
export * from './participants.js';
export { INVITE_TOKEN_HEADER, AcceptInvitation, Participation } from './shared.js';
