import { SMTPServer } from 'smtp-server';
import type { Scope } from './database.js';

/** A mail as it arrived. */
export interface Received {
  from: string;
  to: string[];
  subject: string;
  messageId: string;
  /** The one plain part, decoded. */
  text: string;
}

/** An SMTP reply that refuses, such as 450 or 550. */
export interface Refusal {
  code: number;
  message: string;
}

/** A real SMTP server on loopback. It keeps its mails, refuses on demand, and can be away. */
export class EmailSink {
  readonly received: Received[] = [];
  /** Called for every recipient; null accepts it. */
  refuse: (recipient: string) => Refusal | null = () => null;
  /** Called when a mail is complete, before the yes is sent. It may wait, or refuse. */
  accepting: (mail: Received) => Promise<Refusal | null> = async () => null;
  /** All recipients, refused ones included. */
  readonly attempts: string[] = [];
  /** The most mails that were on their way at once. */
  busiest = 0;
  #busy = 0;
  #server: SMTPServer | null = null;
  #port = 0;
  #heard: (() => void)[] = [];

  static async open(t: Scope): Promise<EmailSink> {
    const sink = new EmailSink();
    await sink.up();
    t.teardown(() => sink.down());
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Opens the port, and the same port again after `down`. */
  async up(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 10,
      onRcptTo: ({ address }, _session, reply) => {
        this.attempts.push(address);
        reply(refusal(this.refuse(address)));
      },
      onData: (stream, session, reply) => {
        const chunks: Buffer[] = [];
        this.busiest = Math.max(this.busiest, ++this.#busy);
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address;
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const mail = { from, to, ...parse(Buffer.concat(chunks).toString()) };
          void this.accepting(mail).then((refused) => {
            this.#busy--;
            if (refused === null) this.received.push(mail);
            reply(refusal(refused));
            for (const tell of this.#heard.splice(0)) tell();
          });
        });
      },
    });
    // A broken connection is no fault here.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
  }

  /** Closes the port and breaks every connection: an outage. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** The mails to a recipient, as soon as there are `count` of them. */
  async mailsTo(recipient: string, count = 1): Promise<Received[]> {
    for (;;) {
      const mails = this.received.filter(({ to }) => to.includes(recipient));
      if (mails.length >= count) return mails;
      await new Promise<void>((resolve) => this.#heard.push(resolve));
    }
  }
}

function refusal(refused: Refusal | null): Error | null {
  return refused === null ? null : Object.assign(new Error(refused.message), { responseCode: refused.code });
}

/** Header and body of a mail with one plain part. */
function parse(raw: string): Pick<Received, 'subject' | 'messageId' | 'text'> {
  const split = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, split).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const body = raw.slice(split + 4).trimEnd();
  const quoted = /quoted-printable/i.test(header('Content-Transfer-Encoding'));
  const text = quoted ? unquoted(body) : body;
  return { subject: header('Subject'), messageId: header('Message-ID'), text: text.replace(/\r\n/g, '\n') };
}

function unquoted(body: string): string {
  const joined = body.replace(/=\r\n/g, '');
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();
}
