import type { HttpRequest } from './transport.js';

type Headers = Readonly<Record<string, string>>;

/** On every answer. JSON is no page: nothing may be loaded, framed, sniffed or referred from it. */
const SECURITY: Headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export const JSON_HEADERS: Headers = { ...SECURITY, 'content-type': 'application/json' };

/** For whoever asks with credentials: nothing of the answer stays in any cache. */
export const PRIVATE: Headers = { 'cache-control': 'no-store' };

/** Everybody sees the same, but it changes with every hand. */
export const PUBLIC: Headers = { 'cache-control': 'no-cache' };

const CORS_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const CORS_REQUEST_HEADERS = 'Authorization, Content-Type, If-Match, Idempotency-Key, X-Competition-Invite-Token';
const CORS_ANSWER_HEADERS = 'Retry-After, ETag, X-Request-Id, Content-Disposition';

/**
 * The headers that let pages of the one permitted origin read the answer, also with the session's cookie. The cookie
 * trusts this origin, see accounts/cookies.ts. None without CORS_ORIGIN.
 */
export function corsHeaders(request: HttpRequest, origin: string | undefined): Headers {
  if (origin === undefined) return {};
  if (request.header('origin') !== origin) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': CORS_ANSWER_HEADERS,
  };
}

/** Headers of the answer to a browser's question whether it may ask; null where it is no such question, or it may not. */
export function preflightHeaders(request: HttpRequest, origin: string | undefined): Headers | null {
  if (request.method !== 'OPTIONS' || request.header('access-control-request-method') === '') return null;
  if (origin === undefined || request.header('origin') !== origin) return null;
  return {
    ...corsHeaders(request, origin),
    'access-control-allow-methods': CORS_METHODS,
    'access-control-allow-headers': CORS_REQUEST_HEADERS,
    'access-control-max-age': '600',
  };
}
