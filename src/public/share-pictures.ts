import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Audience } from '../lobby/index.js';
import { fileAnswer } from '../gateway/pages/file-answer.js';
import type { DrawMoment } from '../gateway/pages/moment.js';
import type { SiteFile } from '../gateway/pages/site-files.js';
import type { Limiter } from '../gateway/limits.js';
import type { PageHandler } from '../gateway/router.js';
import type { HttpAnswer, HttpRequest } from '../gateway/transport.js';
import { tooManyRequests } from '../gateway/unknown-keys.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { Database } from '../store/database.js';
import { handBody, NO_HANDS_BESIDE, shownHand } from './hands.js';
import { KeptAnswers } from '../ops/kept-answers.js';

export interface SharePictureOptions {
  sql: Database;
  /** The audience of seasons. */
  house: Audience;
  draw: DrawMoment;
  /** SVG text as a PNG. */
  png(svg: string): Promise<Uint8Array>;
  /** How many new pictures an address has a minute. */
  limiter: Limiter;
  /** How many new pictures all addresses have a second: drawing takes the time of the thread that serves players. */
  allLimiter: Limiter;
  /** The client's key for limits. */
  clientOf(request: HttpRequest): string;
}

export const SHARE_PATH = '/share/hands/{file}';
/** The id of a step in a replay: the number of an action, a street, or the result. */
export const STEP_ID = /^(\d{1,3}|flop|turn|river|result)$/;

const FILE = /^\/share\/hands\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(svg|png)$/;
/** A hand may be hidden later, so nothing keeps its picture for long. */
const KEPT_MS = 60_000;
const CACHE_S = 300;
const KEPT = 200;
const AT_ONCE = 2;
const SOON_MS = 1000;
const MOST_BYTES = 256 * 1024;

/** Like a page, it may load nothing. Its own styles are in it. */
const HEADERS: HttpAnswer['headers'] = {
  'cache-control': `public, max-age=${CACHE_S}`,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/**
 * Pictures of moments, as spectators see them: `/share/hands/{hand_id}.png?at=STEP` (or `.svg`), the result without
 * `at`. Answers 404 for a hand that not everybody may see, and 429 beyond the limits.
 */
export function sharePictures(options: SharePictureOptions): PageHandler {
  const { sql, house, draw, png, limiter, allLimiter, clientOf } = options;
  const kept = new KeptAnswers<SiteFile | null>(KEPT_MS, KEPT);
  let busy = 0;

  async function made(handId: string, at: string, path: string): Promise<SiteFile | null> {
    const shown = await shownHand(sql, house, handId, null);
    const text = shown && (await draw(handBody(shown, NO_HANDS_BESIDE), at));
    if (text === null) return null;
    const isPng = path.endsWith('.png');
    const identity = isPng ? await png(text) : Buffer.from(text);
    if (identity.length > MOST_BYTES) throw new Error(`the picture of hand ${handId} has ${identity.length} bytes`);
    const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
    const file = { path, immutable: false, hash };
    return isPng
      ? { ...file, type: 'image/png', bodies: { identity } }
      : { ...file, type: 'image/svg+xml', bodies: { identity, gzip: gzipSync(identity) } };
  }

  return async (request) => {
    const [, handId, ending] = FILE.exec(request.path) ?? [];
    const at = new URLSearchParams(request.query).get('at') ?? 'result';
    if (handId === undefined || !STEP_ID.test(at)) throw new HttpError(404, Detail.handNotFound);
    const key = `${handId} ${at} ${ending}`;
    let picture = kept.get(key);
    if (picture === undefined) {
      await take(limiter, clientOf(request));
      await take(allLimiter, 'all');
      if (busy >= AT_ONCE) throw tooManyRequests(SOON_MS);
      busy++;
      picture = kept.keep(
        key,
        made(handId, at, request.path).finally(() => busy--),
      );
    }
    const file = await picture;
    if (file === null) throw new HttpError(404, Detail.handNotFound);
    return fileAnswer(request, file, HEADERS);
  };
}

/** Throws HttpError 429. */
async function take(limiter: Limiter, key: string): Promise<void> {
  const waitMs = await limiter.take(key);
  if (waitMs > 0) throw tooManyRequests(waitMs);
}
