export { enqueueEmail, type Email } from './outbox.js';
export { admit, type EmailRequest } from './quota.js';
export { logTransport, smtpTransport, type EmailTransport } from './transport.js';
export { EmailSender, type EmailSenderOptions } from './sender.js';
