export { enqueueEmail, type Email } from './queries.js';
export { EmailQuota, retryAfter, type EmailRequest, type Full } from './quota.js';
export { logTransport, smtpTransport, type EmailTransport } from './transport.js';
export { EmailSender, type EmailSenderOptions } from './sender.js';
