import { isIPv4, isIPv6 } from 'node:net';
import type { HttpRequest } from './transport.js';

/**
 * The client's address. Each of our own proxies appends the address that it saw to X-Forwarded-For. With `proxies` of
 * them in front, the entry that many from the right is true. The client can invent everything left of it.
 */
export function clientIp(request: Pick<HttpRequest, 'remote' | 'header'>, proxies: number): string {
  if (proxies > 0) {
    const seen = request.header('x-forwarded-for').split(',');
    const entry = plainIp(seen.at(-proxies)?.trim() ?? '');
    if (entry !== null) return entry;
  }
  return plainIp(request.remote) ?? request.remote;
}

/**
 * The key of limits against strangers. A client holds up to a /48 of IPv6, so its addresses in there count as one. Text
 * forms of the same network give the same key.
 */
export function ipLimitKey(ip: string): string {
  const plain = plainIp(ip) ?? ip;
  return isIPv6(plain) ? `${expand(plain).slice(0, 3).join(':')}::/48` : plain;
}

/** One text form an address: IPv4 where it is IPv4 in disguise (::ffff:1.2.3.4), else as it came; null for no address. */
function plainIp(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text.replace(/%.*$/, '');
  if (!isIPv6(bare)) return isIPv4(text.split(':')[0]!) ? text.split(':')[0]! : null;
  const groups = expand(bare);
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!mapped) return bare;
  const [high, low] = [parseInt(groups[6]!, 16), parseInt(groups[7]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of a valid IPv6 address, without leading zeros. */
function expand(ip: string): string[] {
  const [head = '', tail = ''] = withoutDots(ip).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const missing = 8 - left.length - right.length;
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) => parseInt(group, 16).toString(16));
}

/** `::ffff:1.2.3.4` with its last four bytes as two groups. */
function withoutDots(ip: string): string {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(ip);
  if (dotted === null) return ip;
  const [a, b, c, d] = dotted.slice(1).map(Number) as [number, number, number, number];
  return `${ip.slice(0, dotted.index)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
