/**
 * What a failed attempt says of the next: `outage`, the mail server takes nothing from us just now; `later`, it does
 * not take this mail yet; `never`, it will not take this mail.
 */
export type MailFailure = 'outage' | 'later' | 'never';

interface SmtpError extends Error {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
}

/** Judges an error of nodemailer. Only what was said about the recipient or the message is held against the mail. */
export function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode } = error instanceof Error ? (error as SmtpError) : {};
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'outage';
  if (command === 'API') return 'never';
  if (command !== 'RCPT TO' && command !== 'DATA') return 'outage';
  // 421: the server closes down whatever was asked.
  if (responseCode === 421) return 'outage';
  return typeof responseCode === 'number' && responseCode >= 500 ? 'never' : 'later';
}
