export { enqueueMail, type Mail } from './outbox.js';
export { logPost, smtpPost, type Post } from './post.js';
export { MailSender, type MailSenderOptions } from './sender.js';
