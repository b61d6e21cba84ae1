import type { HttpAnswer, HttpRequest } from '../transport.js';
import type { Encoding, SiteFile } from './site-files.js';

/** The part of a request that decides the form of a file. */
export type AskedFile = Pick<HttpRequest, 'header'>;

/**
 * A file's HTTP answer: the smallest form that the client takes, or 304 if the client has it. A client that asks for a
 * part gets it of the plain form only (RFC 9110, 14.2).
 */
export function fileAnswer(request: AskedFile, file: SiteFile, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  const range = request.header('range');
  const encoding = range === '' ? encodingFor(request.header('accept-encoding'), file) : 'identity';
  const body = file.bodies[encoding]!;
  const etag = etagOf(file, encoding);
  const all = {
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'accept-ranges': 'bytes',
    vary: 'accept-encoding',
    etag,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    ...headers,
  };
  if (isKnown(request.header('if-none-match'), etag)) return { status: 304, headers: all, body: null };
  if (range === '' || !mayPart(request.header('if-range'), etag)) return { status: 200, headers: all, body };
  return part(range, body, all);
}

const etagOf = ({ hash }: SiteFile, encoding: Encoding) => `"${hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;

/** Brotli before gzip; what the client gives no weight, or forbids with q=0, it does not get. */
function encodingFor(accepted: string, { bodies }: SiteFile): Encoding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((entry) => entry.split(';').map((part) => part.trim()))
      .filter(([, weight]) => weight === undefined || Number(weight.replace(/^q=/, '')) > 0)
      .map(([name]) => name),
  );
  for (const encoding of ['br', 'gzip'] as const) {
    if (bodies[encoding] !== undefined && taken.has(encoding)) return encoding;
  }
  return 'identity';
}

const isKnown = (ifNoneMatch: string, etag: string) =>
  ifNoneMatch === '*' || ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === etag);

/** Only a strong tag of this very form lets a part be added to what the client has. */
const mayPart = (ifRange: string, etag: string) => ifRange === '' || ifRange === etag;

/** One range; several, and what is no range, are answered with the whole, as the standard allows. */
function part(range: string, body: Uint8Array, headers: HttpAnswer['headers']): HttpAnswer {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim());
  const [, first = '', last = ''] = asked ?? [];
  if (asked === null || (first === '' && last === '')) return { status: 200, headers, body };
  const size = body.byteLength;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return { status: 200, headers, body };
  if (start >= size || (first === '' && Number(last) === 0)) {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: null };
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
    body: body.subarray(start, end + 1),
  };
}
