/** A warning or an error of the log. */
export interface RecentLine {
  /** As the log has it: RFC 3339 in UTC. */
  at: string;
  level: 'warn' | 'error' | 'fatal';
  message: string;
  /** Its other fields as JSON, cut off where they are long. */
  detail: string;
}

const KEPT = 200;
const DETAIL_LENGTH = 4000;
const MESSAGE_LENGTH = 500;
/** Only of these is the rest of a line read. */
const SERIOUS = /^\{"level":"(?:warn|error|fatal)"/;

/**
 * Secrets that a library may put into a message: keys, tokens of links, passwords of URLs. The log has left out what it
 * knows by name before.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bap_[\w-]{16,}/g, 'ap_(hidden)'],
  [/\bbearer\s+[^\s"\\]+/gi, 'Bearer (hidden)'],
  [/([?#&](?:token|key|secret)=)[^\s"\\&]+/gi, '$1(hidden)'],
  [/(\w:\/\/[^\s"\\/:@]*:)[^\s"\\@]+@/g, '$1(hidden)@'],
  [/\b(0x)?[0-9a-f]{64}\b/gi, '(64 hexadecimal digits)'],
];

export const withoutSecrets = (text: string) =>
  SECRETS.reduce((clean, [secret, instead]) => clean.replace(secret, instead), text);

/** The latest warnings and errors of the log, for who cannot read its file. */
export class RecentLines {
  readonly #lines: RecentLine[] = [];
  #total = 0;

  /** Takes a line of the log, as it is written. */
  take(line: string): void {
    if (!SERIOUS.test(line)) return;
    this.#total++;
    this.#lines.push(readLine(line));
    if (this.#lines.length > KEPT) this.#lines.shift();
  }

  /** The newest first. */
  get lines(): readonly RecentLine[] {
    return this.#lines.toReversed();
  }

  /** All since the start. */
  get total(): number {
    return this.#total;
  }
}

function readLine(line: string): RecentLine {
  const { level, time, msg = '', ...detail } = JSON.parse(line) as Record<string, unknown>;
  return {
    at: String(time),
    level: level as RecentLine['level'],
    message: withoutSecrets(String(msg)).slice(0, MESSAGE_LENGTH),
    detail: withoutSecrets(JSON.stringify(detail)).slice(0, DETAIL_LENGTH),
  };
}
