export { enqueueMail, type Mail } from './outbox.js';
