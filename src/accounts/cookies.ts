import { parseCookie, stringifySetCookie } from 'cookie';
import { Detail, HttpError } from '../protocol/rest/errors.js';

type Headers = Readonly<Record<string, string>>;

export interface CookieOptions {
  /** In production: sent over TLS only, and by the __Host- prefix set by nobody but this very host. */
  secure: boolean;
  /** Origins beside the own whose pages may act for who is signed in. */
  trustedOrigins: () => readonly string[];
}

/** The browser drops it after this; the session in the database has its own, earlier ends. */
const MAX_AGE_SECONDS = 90 * 86_400;

/** How a browser carries the session: a cookie no script can read, which other sites' forms do not send. */
export class SignInCookie {
  readonly #name: string;

  constructor(private readonly options: CookieOptions) {
    this.#name = options.secure ? '__Host-agent_poker_session' : 'agent_poker_session';
  }

  /** The secret in a request, or null. */
  read(headers: Headers): string | null {
    return parseCookie(headers['cookie'] ?? '')[this.#name] ?? null;
  }

  /** Header that gives the secret to the browser. */
  set(secret: string): Headers {
    return this.#header(secret, MAX_AGE_SECONDS);
  }

  /** Header that takes it away. */
  clear(): Headers {
    return this.#header('', 0);
  }

  /**
   * Refuses (403) what a page of another origin makes a browser send. SameSite=Lax keeps the cookie out of such
   * requests already; this holds for browsers that do not know it, and for siblings of our domain. Programs send no
   * Origin.
   */
  requireOwnOrigin(headers: Headers): void {
    const origin = headers['origin'];
    if (origin === undefined || this.options.trustedOrigins().includes(origin)) return;
    const host = URL.canParse(origin) ? new URL(origin).host : '';
    if (host === '' || host !== headers['host']) throw new HttpError(403, Detail.otherOrigin);
  }

  #header(value: string, maxAge: number): Headers {
    const { secure } = this.options;
    const cookie = { name: this.#name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
    return { 'set-cookie': stringifySetCookie(cookie), 'cache-control': 'no-store' };
  }
}
