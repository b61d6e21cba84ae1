import { parseCookie, stringifySetCookie } from 'cookie';
import { Detail, HttpError } from '../protocol/rest/errors.js';

type Headers = Readonly<Record<string, string>>;

export interface CookieOptions {
  /** In production: sent over TLS only, and by the __Host- prefix set by nobody but this very host. */
  secure: boolean;
  /** Other origins with pages that may act for the signed-in user. */
  trustedOrigins: () => readonly string[];
}

/** The browser drops it after this; the session in the database has its own, earlier ends. */
const SESSION_SECONDS = 90 * 86_400;
/** The longest that browsers keep a cookie. */
const BROWSER_SECONDS = 400 * 86_400;

/**
 * The browser's cookies: the session, and a proof of an earlier sign-in that outlives sessions. No script can read
 * them, and no other site's form sends them.
 */
export class SignInCookie {
  readonly #session: string;
  readonly #browser: string;

  constructor(private readonly options: CookieOptions) {
    const prefix = options.secure ? '__Host-' : '';
    this.#session = `${prefix}agent_poker_session`;
    this.#browser = `${prefix}agent_poker_browser`;
  }

  /** The secret of the session in a request, or null. */
  read(headers: Headers): string | null {
    return parseCookie(headers['cookie'] ?? '')[this.#session] ?? null;
  }

  /** The secret of a browser that has signed in before, or null. */
  readBrowser(headers: Headers): string | null {
    return parseCookie(headers['cookie'] ?? '')[this.#browser] ?? null;
  }

  /** Headers that give both secrets to the browser. Names of headers have no case, so that two keys are two lines. */
  set(session: string, browser: string): Headers {
    const second = this.#cookie(this.#browser, browser, BROWSER_SECONDS);
    return { ...this.#header(session, SESSION_SECONDS), 'Set-Cookie': second };
  }

  /** Header that takes the session away; the browser stays known. */
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
    return { 'set-cookie': this.#cookie(this.#session, value, maxAge), 'cache-control': 'no-store' };
  }

  #cookie(name: string, value: string, maxAge: number): string {
    const { secure } = this.options;
    return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure });
  }
}
