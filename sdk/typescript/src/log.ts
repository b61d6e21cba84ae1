/** The kit's reports on its work: to the hook `log`, else as lines of text. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One thing that happened. No field ever holds a key or a token. */
export interface LogRecord {
  readonly level: LogLevel;
  /** For programs, such as `seated`. */
  readonly event: string;
  /** For people. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One line of what is worth a person's while; null for the rest. */
export function lineOf(name: string, { level, text }: LogRecord): string | null {
  if (level === 'debug') return null;
  return `${name}: ${level === 'info' ? '' : `${level}: `}${text}`;
}

/** Makes records, and keeps what must not be told out of them. */
export class Log {
  readonly #secrets = new Map<string, string>();

  constructor(private readonly write: (record: LogRecord) => void) {}

  /** From here on the secret is written as its name. */
  hide(what: string, secret: string): void {
    if (secret !== '') this.#secrets.set(secret, `<${what}>`);
  }

  add(level: LogLevel, event: string, text: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const clean = Object.entries(fields).map(([key, value]) => [key, this.clean(value)]);
    this.write({ level, event, text: this.clean(text), fields: Object.fromEntries(clean) });
  }

  /** Without secrets. */
  clean<T>(value: T): T {
    if (typeof value !== 'string') return value;
    let text: string = value;
    for (const [secret, name] of this.#secrets) text = text.replaceAll(secret, name);
    return text as T;
  }
}
